#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks the prose of the Markdown files and of the documentation comments (`///`) in Sources: 100
columns, and no words that read as translated.

Tables, code and headings may be wider, and so may a word that cannot be broken. Words in code are
not checked, and no columns in Sources: the formatter's rule holds there.

    Scripts/prose.py                findings, one per line; fails if there is one
    Scripts/prose.py --wrap FILE…   wraps the paragraphs that have a line above 100 columns
"""

import pathlib
import re
import sys
import textwrap

COLUMNS = 100
# Words to avoid, and what to write instead.
WORDS = {
    r"anew": "again, or a new …",
    r"dear": "expensive",
    r"wholly": "completely",
    r"(in front|ahead|in spite) thereof|thereof": "of it",
    r"excepted (is|are)": "exceptions: …",
    r"named off": "turned off by name",
    r"(?<![\w-])nobody's (task|business)": "name the actor",
    r"(^|(?<=[.:;] ))(who|what) (?!is|are|does|do|was|can|may|must|happens|this )[a-z]+s (?!\?)[^?.;]*? (gets|has|is|takes|needs|loses|reads)": (
        "a noun, not a relative clause as the subject"
    ),
}
FENCE = re.compile(r"\s*(`{3,}|~{3,})")
APART = re.compile(r"\s*(\||#|<|\[[^\]]+\]: )")
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)]) +")
# A wrapped line must not begin with text that would make it an item, a heading or a table.
GLUED = re.compile(r" (?=(?:[-+*#>|=]|\d+[.)])(?: |$))")


def documents():
    for path in sorted(pathlib.Path(".").rglob("*.md")):
        if not any(part.startswith(".") for part in path.parts):
            yield path


def paragraphs(lines):
    """The indexes of the first line and of the one after the last, for each paragraph and list item."""
    start, fence = None, None
    for index, line in enumerate([*lines, ""]):
        opening = FENCE.match(line)
        if fence is not None:
            fence = None if opening and opening[1].startswith(fence) else fence
            continue
        breaks = not line.strip() or bool(opening) or bool(APART.match(line))
        if start is not None and (breaks or ITEM.match(line)):
            yield start, index
            start = None
        if opening:
            fence = opening[1]
        elif not breaks and start is None:
            start = index


def wrapped(lines):
    item = ITEM.match(lines[0])
    first = item[0] if item else re.match(r"\s*", lines[0])[0]
    rest = " " * len(first)
    text = " ".join(line.strip() for line in lines)[len(first.lstrip()) :].strip()
    return textwrap.wrap(
        GLUED.sub("\u0000", text), COLUMNS, initial_indent=first, subsequent_indent=rest,
        break_long_words=False, break_on_hyphens=False,
    )


def wrap(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for start, end in reversed(list(paragraphs(lines))):
        part = lines[start:end]
        if any(len(line) > COLUMNS for line in part) and not any(line.endswith("  ") for line in part):
            lines[start:end] = [line.replace("\u0000", " ") for line in wrapped(part)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def findings(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for start, end in paragraphs(lines):
        for number in range(start, end):
            line = lines[number]
            if len(line) > COLUMNS and " " in line.strip()[:COLUMNS].lstrip("-*0123456789. "):
                yield f"{path}:{number + 1}: {len(line)} columns"
    for number, word, advice in words_to_avoid(lines):
        yield f"{path}:{number}: '{word}': {advice}"


def words_to_avoid(lines):
    """The number of the first line of each paragraph with such a word, the word, and the advice."""
    for start, end in paragraphs(lines):
        prose = re.sub(r"`[^`]*`", "…", " ".join(line.strip() for line in lines[start:end]))
        for pattern, advice in WORDS.items():
            if found := re.search(rf"(?<!\w)(?:{pattern})(?!\w)", prose, re.I):
                yield start + 1, found[0].strip(), advice


def sources():
    for ending in ("swift", "h"):
        yield from sorted(pathlib.Path("Sources").rglob(f"*.{ending}"))


def comments(path):
    """The documentation comments of a file: the number of the line before each, and its lines."""
    comment = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate([*lines, ""]):
        if text := re.match(r"\s*///(?: |$)(.*)", line):
            comment.append(text[1])
        elif comment:
            yield number - len(comment), comment
            comment = []


def main():
    if sys.argv[1:2] == ["--wrap"]:
        for name in sys.argv[2:]:
            wrap(pathlib.Path(name))
        return 0
    found = [finding for path in documents() for finding in findings(path)]
    for path in sources():
        for before, lines in comments(path):
            for number, word, advice in words_to_avoid(lines):
                found.append(f"{path}:{before + number}: '{word}': {advice}")
    print("\n".join(found) if found else "prose: clean")
    return 1 if found else 0


sys.exit(main())
