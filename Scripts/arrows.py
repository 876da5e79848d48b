#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks which files use which inside each target: no two folders may use each other, and no more
than three files may form a cycle.

A file uses another file of its target if it names a type or a function that is declared there at
the outermost level. Only names decide, so a common name may draw an arrow where there is none: then
choose another name.

    Scripts/arrows.py            findings, one per line; fails if there is one
    Scripts/arrows.py --all      every arrow between two folders of a target, with its names
"""

import collections
import re
import sys

import package

LONGEST_CIRCLE = 3
DECLARED = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|private|fileprivate|final|indirect)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias|func)\s+(\w+)",
    re.M,
)
TEXT = re.compile(r'""".*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*', re.S)


def arrows_of(target):
    """For each file of a target, the other files that it uses, and by which names."""
    code = {path: TEXT.sub("", path.read_text()) for path in package.files(target)}
    makers = collections.defaultdict(set)
    for path, text in code.items():
        for name in DECLARED.findall(text):
            makers[name].add(path)
    arrows = {path: collections.defaultdict(set) for path in code}
    for path, text in code.items():
        for name in set(re.findall(r"\w+", text)) & makers.keys():
            for maker in makers[name] - {path}:
                arrows[path][maker].add(name)
    return arrows


def reachable(arrows, start):
    found, waiting = set(), [start]
    while waiting:
        for other in arrows[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def circles(arrows):
    """Groups of files in which each uses every other, directly or through other files."""
    reach = {path: reachable(arrows, path) for path in arrows}
    groups = set()
    for path in arrows:
        if path in reach[path]:
            groups.add(frozenset(other for other in reach[path] if path in reach[other]))
    return sorted(groups, key=lambda group: sorted(map(str, group)))


def main():
    findings = []
    for target in package.sources().values():
        arrows = arrows_of(target)
        folders = collections.defaultdict(set)
        for path, used in arrows.items():
            for other, names in used.items():
                if other.parent != path.parent:
                    folders[path.parent, other.parent] |= names
        if "--all" in sys.argv:
            for (a, b), names in sorted(folders.items()):
                print(f"{a} -> {b}: {', '.join(sorted(names))}")
        for a, b in sorted(folders):
            if a < b and (b, a) in folders:
                names = [", ".join(sorted(folders[pair])[:4]) for pair in ((a, b), (b, a))]
                findings.append(f"{a} and {b} use each other: {names[0]} there, {names[1]} back")
        for circle in circles(arrows):
            if len(circle) > LONGEST_CIRCLE:
                findings.append(f"{len(circle)} files in a circle: {', '.join(sorted(map(str, circle)))}")
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings and "--all" not in sys.argv else 0


sys.exit(main())
