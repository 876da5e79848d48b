#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks that each product's landing page names every public type of its module.

    Scripts/landing-pages.py FOLDER     the folder of symbol graphs, one folder a module
"""

import json
import pathlib
import re
import sys

import package


def types(folder, module):
    """The types that the module itself declares at the outermost level."""
    for file in folder.glob(f"{module}.symbols.json"):
        for symbol in json.loads(file.read_text(encoding="utf-8"))["symbols"]:
            if len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] != "swift.func.op":
                yield symbol["pathComponents"][0]


def main(root):
    findings = []
    for folder in sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir()):
        page = pathlib.Path(package.located(f"{folder.name}/{folder.name}.docc/{folder.name}.md"))
        named = set(re.findall(r"^- ``(\w+)``$", page.read_text(encoding="utf-8"), re.M))
        for name in sorted(set(types(folder, folder.name)) - named):
            findings.append(f"{page}: the topics do not name {name}")
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


sys.exit(main(sys.argv[1]))
