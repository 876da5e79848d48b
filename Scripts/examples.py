#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Compares the examples of the documents with code that is compiled.

Each ```swift block of a Markdown file (including the articles of the .docc catalogues) and of a doc
comment in Sources must be, line by line, part of a file in Snippets or in Examples/*/Sources. `make
snippets` builds and runs the former, the examples' own targets the latter. Indentation and blank
lines do not count. A block must close each bracket that it opens. A block that cannot be part of a
file (a Package.swift line, say) is fenced ```swift no-snippet; a doc comment has no such block.

    Scripts/examples.py          findings, one per line; fails if there is one
"""

import pathlib
import re
import sys

CODE = ["Snippets/*.swift", "Examples/*/Sources/**/*.swift"]
OPENING = re.compile(r"\s*```swift\s*")
# Any other spelling would escape the comparison.
ESCAPING = re.compile(r"\s*(?:`{3,}|~{3,})\s*swift\b", re.I)
EXCEPTED = re.compile(r"\s*```swift no-snippet\s*")
CLOSING = re.compile(r"\s*```\s*")
COMMENT = re.compile(r"\s*///")


def squeezed(lines):
    """The lines that are not blank, without indentation, with a line break before and after each."""
    return "\n" + "".join(f"{line.strip()}\n" for line in lines if line.strip())


def documents():
    """Each Markdown file, and each source file's doc comments, as numbered lines."""
    for path in sorted(pathlib.Path(".").rglob("*.md")):
        if not any(part.startswith(".") for part in path.parts):
            yield path, list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    for path in sorted(pathlib.Path("Sources").rglob("*.swift")):
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        yield path, [
            (number, COMMENT.sub("", line, count=1)) for number, line in lines if COMMENT.match(line)
        ]


def blocks(lines):
    """The number of the first line, and the lines, of each block to compare."""
    start, block = None, []
    for number, line in lines:
        if start is None and OPENING.fullmatch(line):
            start, block = number, []
        elif start is None and ESCAPING.match(line) and not EXCEPTED.fullmatch(line):
            yield number, [f"a fence of another form: {line}"]
        elif start is not None and CLOSING.fullmatch(line):
            yield start, block
            start = None
        elif start is not None:
            block.append(line)
    if start is not None:
        yield start, ["a block that does not end"]


def is_whole(block):
    """Whether a reader can copy it. Brackets in texts count as well, so they need a partner there."""
    code = "".join(block)
    return all(code.count(opening) == code.count(closing) for opening, closing in ("{}", "()", "[]"))


def main():
    for pattern in [*CODE, "Sources/**/*.swift"]:
        if not any(pathlib.Path(".").glob(pattern)):
            sys.exit(f"examples: no file is {pattern}")
    code = [
        squeezed(path.read_text(encoding="utf-8").splitlines())
        for pattern in CODE
        for path in sorted(pathlib.Path(".").glob(pattern))
    ]
    count, findings = 0, []
    for path, lines in documents():
        for number, block in blocks(lines):
            count += 1
            if not "".join(block).strip() or not any(squeezed(block) in text for text in code):
                findings.append(f"{path}:{number}: this example is part of no file that is compiled")
            elif not is_whole(block):
                findings.append(f"{path}:{number}: this example leaves a bracket open")
    print("\n".join(findings) if findings else f"examples: {count} are part of {len(code)} files")
    return 1 if findings else 0


sys.exit(main())
