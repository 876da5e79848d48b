#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Compares the size of each wing with Scripts/size.txt.

A wing is a folder of Sources with targets in it, or what WINGS says of a target that stands beside.
Counted are lines of code (Swift and C; neither blank nor a comment), targets, public declarations
(the lines of Documentation/API.txt, which api.py writes), and the command line's options (`@Option`,
`@Flag` and `@Argument`). The row Scripts has the lines of the Python, shell and Swift files there.

    Scripts/size.py              what is above its bound, one per line; fails if there is one
    Scripts/size.py --all        each number beside its bound
    Scripts/size.py --bounds     the rows that bound what is there: its lines and 3 %, or 150 more;
                                 its public declarations and 3 %
"""

import ast
import collections
import pathlib
import re
import sys

import api
import package

TABLE = package.ROOT / "Scripts" / "size.txt"
COLUMNS = ("lines", "targets", "public", "options")
# Beside Sources.
WINGS = {"TestVectors": "tools"}
OPTION = re.compile(r"^@(?:Option|Flag|Argument)\b")


def swift_lines(text):
    """The lines of code of a Swift or C file. Comments over several lines are C's alone."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if inside or line.startswith("/*"):
            inside = "*/" not in line
        elif line and not line.startswith("//"):
            yield line


def python_lines(text):
    comments = {number for number, line in enumerate(text.splitlines(), 1) if line.strip()[:1] in ("", "#")}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            comments |= set(range(node.lineno, node.end_lineno + 1))
    return len(text.splitlines()) - len(comments)


def shell_lines(text):
    return sum(1 for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))


def wing_of(target):
    return target.wing or WINGS.get(target.name)


def sizes():
    """The numbers of each wing. None is a wing as well: of targets that are in no other."""
    found = collections.defaultdict(collections.Counter)
    targets = package.targets()
    for target in targets.values():
        if target.folder.parts[0] == "Tests":
            continue
        size = found[wing_of(target)]
        size["targets"] += 1
        for pattern in ("*.swift", "*.c", "*.h"):
            for path in package.files(target, pattern):
                lines = list(swift_lines((package.ROOT / path).read_text(encoding="utf-8")))
                size["lines"] += len(lines)
                size["options"] += sum(1 for line in lines if OPTION.match(line))
    listed = (package.ROOT / api.LISTING).read_text(encoding="utf-8")
    for module, declarations in api.modules(listed).items():
        found[wing_of(targets[module]) if module in targets else module]["public"] += len(declarations)
    counted = {".py": python_lines, ".sh": shell_lines, ".swift": lambda text: len(list(swift_lines(text)))}
    for path in sorted((package.ROOT / "Scripts").rglob("*")):
        if path.suffix in counted:
            found["Scripts"]["lines"] += counted[path.suffix](path.read_text(encoding="utf-8"))
    return found


def bounds():
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, *numbers = line.split()
            if name in found or len(numbers) != len(COLUMNS) or not all(map(str.isdigit, numbers)):
                sys.exit(f"{TABLE.name}: not a row, or twice: {line}")
            found[name] = dict(zip(COLUMNS, map(int, numbers)))
    return found


def findings(found, allowed):
    names = {target.name for target in package.targets().values()}
    yield from (f"WINGS in Scripts/size.py: there is no target {name}" for name in WINGS if name not in names)
    for wing in sorted(found.keys() - allowed.keys(), key=str):
        yield f"{wing} has no row" if wing else "a target is in no wing: WINGS in Scripts/size.py"
    yield from (f"there is no {wing}" for wing in sorted(allowed.keys() - found.keys()))
    for wing in sorted(found.keys() & allowed.keys()):
        for column in COLUMNS:
            if found[wing][column] > allowed[wing][column]:
                yield f"{wing} has {found[wing][column]} {column}, of {allowed[wing][column]}"


def main():
    found = sizes()
    if "--bounds" in sys.argv:
        for wing, size in found.items():
            lines = size["lines"] + max(150, size["lines"] * 3 // 100)
            public = size["public"] + size["public"] * 3 // 100
            print(f"{wing:10}{lines:8}{size['targets']:8}{public:8}{size['options']:8}")
        return 0
    allowed = bounds()
    if "--all" in sys.argv:
        for wing in allowed:
            print(f"{wing:10}" + "".join(f"{found[wing][key]:8} of {allowed[wing][key]:6} {key}" for key in COLUMNS))
        return 0
    above = list(findings(found, allowed))
    print("\n".join(above), end="\n" if above else "")
    return 1 if above else 0


sys.exit(main())
