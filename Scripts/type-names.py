#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds types of one name in two targets of Sources, whatever their access.

Who searches for a type, or reads its name in an error, finds one. Nested types and extensions do not
count: `Options` of two types is no fault.

    Scripts/type-names.py
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Declarations at the top level begin their line.
MODIFIERS = "public|package|internal|fileprivate|private|final|indirect|nonisolated|distributed"
TYPE = re.compile(
    rf"^(?:(?:@\w+(?:\([^)]*\))?|{MODIFIERS})\s+)*(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE)


def folders():
    """The folders of the targets in Sources, by name."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SIGNET_")}
    answer = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, env=plain, capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(f"type-names: swift package dump-package failed:\n{answer.stderr}")
    found = {}
    for target in json.loads(answer.stdout)["targets"]:
        path = pathlib.PurePosixPath(target.get("path") or f"Sources/{target['name']}")
        if path.parts[0] == "Sources":
            found[target["name"]] = ROOT / path
    return found


def main():
    places = {}
    for target, folder in folders().items():
        for file in sorted(folder.rglob("*.swift")):
            for name in TYPE.findall(file.read_text(encoding="utf-8")):
                places.setdefault(name, {}).setdefault(target, file.relative_to(ROOT))
    if len(places) < 100:
        sys.exit("type-names: the targets of Sources declare hardly any type: was one looked at?")
    twice = {name: found for name, found in sorted(places.items()) if len(found) > 1}
    for name, found in twice.items():
        print(f"{name}: {', '.join(str(file) for file in found.values())}")
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
