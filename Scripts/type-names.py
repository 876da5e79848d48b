#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds types of one name in two targets of Sources, whatever their access.

Who searches for a type, or reads its name in an error, finds one. Nested types and extensions do not
count: `Options` of two types is no fault.

    Scripts/type-names.py
"""

import collections
import re
import sys

import package

# Declarations at the top level begin their line.
MODIFIERS = "public|package|internal|fileprivate|private|final|indirect|nonisolated|distributed"
TYPE = re.compile(
    rf"^(?:(?:@\w+(?:\([^)]*\))?|{MODIFIERS})\s+)*(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE)


def main():
    places = collections.defaultdict(dict)
    for target in package.sources().values():
        for path in package.files(target):
            for name in TYPE.findall((package.ROOT / path).read_text(encoding="utf-8")):
                places[name].setdefault(target.name, path)
    twice = {name: found for name, found in sorted(places.items()) if len(found) > 1}
    for name, found in twice.items():
        print(f"{name}: {', '.join(map(str, found.values()))}")
    return 1 if twice else 0


sys.exit(main())
