#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks Documentation/ARCHITECTURE.md against Package.swift and Sources.

Three kinds of blocks are drawings, and each is checked:

- ```layers  rows of targets, the lowest row last; a line that begins with a space goes on with the
  row. A row is a wing, a folder of Sources, which has these targets. Every target is in it once,
  and depends only on targets in lower rows, or to its left in its own row.
- ```walk    a tree of functions, `Type.function` or `Type.init`, one per line, each indented by two
  more spaces than its caller; two spaces or more begin a remark. A caller's body names its callees
  in that order, as far as the text shows: a call counts where its arguments end.
- ```nouns   lines that each have a type and what it is.

Elsewhere each `Type`, `Type.member`, target and path in backquotes must exist.

    Scripts/architecture.py      findings, one per line; fails if there is one
"""

import collections
import pathlib
import re
import sys

import package

PAGE = pathlib.Path("Documentation/ARCHITECTURE.md")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
COMMENT = re.compile(r"//[^\n]*")
TYPE = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))? +|\w+ +)*?(?:struct|class|enum|actor|protocol|extension|typealias) "
    r"(?:\w+\.)*(\w+)",
    re.M,
)
DECLARED = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias) (\w+)")


class Code:
    """The text of all types of Sources: the bodies of their declarations and extensions."""

    def __init__(self):
        self.declared = set()
        self.bodies = collections.defaultdict(list)
        for path in sorted(pathlib.Path("Sources").rglob("*.swift")):
            text = COMMENT.sub("", path.read_text(encoding="utf-8"))
            self.declared |= set(DECLARED.findall(text))
            for match in TYPE.finditer(text):
                end = text.find(f"\n{match[1]}}}", match.end())
                self.bodies[match[2]].append(text[match.end() : end if end >= 0 else None])

    def has_member(self, name, member):
        pattern = rf"\binit\b" if member == "init" else rf"\b(?:func|var|let|case) `?{member}\b"
        return any(re.search(pattern, body) for body in self.bodies[name])

    def functions(self, name, function):
        """The bodies of a type's functions with a name."""
        head = r"\binit\b" if function == "init" else rf"\bfunc {function}\b"
        for body in self.bodies[name]:
            for match in re.finditer(rf"^( *)[^\n]*{head}", body, re.M):
                end = body.find(f"\n{match[1]}}}", match.end())
                line = body.find("\n", match.end())
                one_line = body[match.end() : line].rstrip().endswith("}")
                yield body[match.end() : line if one_line else end if end >= 0 else None]


def place(text, name, function, start):
    """Where, after `start`, the first call ends: after its arguments."""
    word = rf"\b{name}(?:\.init)?\(" if function == "init" else rf"\b{function}\b"
    best = None
    for match in re.finditer(word, text):
        end = match.end() - (function == "init")
        if text[end : end + 1] == "(":
            depth = 0
            for index in range(end, len(text)):
                depth += (text[index] == "(") - (text[index] == ")")
                if depth == 0:
                    end = index
                    break
        if end > start and (best is None or end < best):
            best = end
    return best


def tree(block):
    """(depth, type, function) of each line."""
    for line in block.splitlines():
        if not line.strip():
            continue
        match = re.match(r"( *)([A-Z]\w*)\.(\w+)(?:  +\S.*)?$", line)
        if not match or len(match[1]) % 2:
            yield None, line, None
        else:
            yield len(match[1]) // 2, match[2], match[3]


def findings_of_walk(block, code):
    lines = list(tree(block))
    for depth, name, function in lines:
        if depth is None:
            yield f"no line of a walk: {name.strip()}"
        elif not code.has_member(name, function):
            yield f"no function {name}.{function}"
    for index, (depth, name, function) in enumerate(lines):
        if depth is None:
            continue
        called = []
        for below, *child in lines[index + 1 :]:
            if below is None or below <= depth:
                break
            if below == depth + 1:
                called.append(child)
        if called and not any(is_in_order(body, called) for body in code.functions(name, function)):
            names = ", ".join(".".join(child) for child in called)
            yield f"{name}.{function} does not call in this order: {names}"


def is_in_order(body, called):
    start = -1
    for name, function in called:
        start = place(body, name, function, start)
        if start is None:
            return False
    return True


def findings_of_layers(block):
    targets = package.sources()
    used = {
        name: [other for other in target.uses if other in targets]
        for name, target in targets.items()
    }
    place_of = {}
    for row, line in enumerate(reversed(re.sub(r"\n +", " ", block).splitlines())):
        wing, *names = line.split()
        for column, name in enumerate(names):
            if name in place_of:
                yield f"{name} stands twice in the layers"
            if name in targets and targets[name].wing != wing:
                yield f"{name} is drawn in {wing} and is in {targets[name].wing}"
            place_of[name] = (row, column)
    for name in sorted(used.keys() - place_of.keys()):
        yield f"the target {name} is not in the layers"
    for name in sorted(place_of.keys() - used.keys()):
        yield f"there is no target {name}"
    for name, others in sorted(used.items()):
        for other in others:
            if name not in place_of or other not in place_of:
                continue
            (row, column), (below, left) = place_of[name], place_of[other]
            if below > row or (below == row and left >= column):
                yield f"{name} depends on {other}, which is drawn above it or to the right"


def findings_of_names(text, code):
    targets = package.sources()
    for name in sorted(set(re.findall(r"`([^`\n]+)`", text))):
        if re.fullmatch(r"[\w.+-]+(/[\w.+-]+)+|\w+\.(py|sh|md|swift)", name):
            if not pathlib.Path(name).exists():
                yield f"no file {name}"
        elif match := re.fullmatch(r"([A-Z]\w*[a-z]\w*)(?:\.(\w+)(?:\([\w:]*\))?)?", name):
            if match[1] in targets and not match[2]:
                continue
            if match[1] not in code.declared:
                yield f"no type {name}"
            elif match[2] and not code.has_member(match[1], match[2]):
                yield f"no member {name}"


def findings():
    text, code = PAGE.read_text(encoding="utf-8"), Code()
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 100:
            yield f"line {number} has {len(line)} columns"
    kinds = collections.Counter()
    for kind, block in BLOCK.findall(text):
        kinds[kind] += 1
        if kind == "layers":
            yield from findings_of_layers(block)
        elif kind == "walk":
            yield from findings_of_walk(block, code)
        elif kind == "nouns":
            for name in re.findall(r"\b[A-Z][a-z]+[A-Z]\w*", block):
                if name not in code.declared:
                    yield f"no type {name}"
    for kind in ("layers", "walk", "nouns"):
        if not kinds[kind]:
            yield f"there is no block of the kind {kind}"
    yield from findings_of_names(BLOCK.sub("", text), code)


if __name__ == "__main__":
    found = [f"{PAGE}: {finding}" for finding in findings()]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
