#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks Documentation/REQUIREMENTS.md, and the tests that other pages name, against the tree.

Each row of the five source documents must be there once, in order, with a state. The table of sums
must be right. A row that is done, or done in part, must name a test, and what it names must exist:

- `Suite/function` is a test, in Tests or in an example's Tests;
- `Name` or `Name.member`, with a capital letter first, is a type of Sources, Tests or an example;
- a path that ends in .swift, .sh, .py or .md is a file, and may hold `*`.

In every page, a column headed "Test" at the end of a table names tests, as `Suite` or
`Suite/function`; all of them must exist.

    Scripts/requirements.py          findings, one per line; fails if there is one
"""

import collections
import pathlib
import re
import sys

PAGE = pathlib.Path("Documentation/REQUIREMENTS.md")
# How many rows each source document has, S0-1 and so on, and the rows M1 and so on that a second
# reading of them added. The documents themselves are not part of the repository.
ROWS = {"S0-": 64, "S1-": 30, "S2-": 35, "S3-": 53, "S4-": 18, "M": 9}
STATES = ["done", "in part", "planned", "out of scope"]
ROW = re.compile(
    r"\*\*(S\d+-|M)(\d+)\*\* (?:(done|out of scope)"
    r"|(in part|planned): (?:open|issue \d+, [A-Za-z ]+))\. \S"
)
TEST = re.compile(r"`([A-Z]\w*)/(\w+)`")
TYPE = r"\b(?:struct|class|enum|actor|protocol|extension|typealias) (?:\w+\.)*"
MEMBER = r"\b(?:func|var|let|case|init) "


def items(text):
    """The items of the lists, each as one line."""
    for item in re.split(r"\n(?=- |\n|#)", text):
        if item.lstrip().startswith("- "):
            yield " ".join(item.split())[2:]


class Types:
    """The bodies of the declarations and extensions of each type in some folders."""

    def __init__(self, *folders):
        self.bodies = collections.defaultdict(list)
        for folder in folders:
            paths = list(pathlib.Path(".").glob(f"{folder}/**/*.swift"))
            if not paths:
                sys.exit(f"requirements: no Swift file is in {folder}")
            for path in paths:
                self.read(path.read_text(encoding="utf-8"))

    def read(self, text):
        for match in re.finditer(rf"^( *)(?:\S.*)?{TYPE}(\w+)", text, re.M):
            end = text.find(f"\n{match[1]}}}", match.end())
            self.bodies[match[2]].append(text[match.end() : end if end >= 0 else None])

    def contain(self, name, pattern):
        return any(re.search(pattern, body, re.S) for body in self.bodies.get(name, []))


def findings_of_rows(text):
    found, sums = [], collections.Counter()
    for item in items(text):
        if not re.match(r"\*\*[SM]\d", item):
            continue
        match = ROW.match(item)
        if not match:
            yield f"no row, or no state: {item[:60]}"
            continue
        source, row, state = match[1], int(match[2]), match[3] or match[4]
        found.append((source, row))
        sums[source, state] += 1
        if state in ("done", "in part") and not TEST.search(item):
            yield f"{source}{row} is {state} and names no test"
        if (state == "in part") != ("Missing: " in item):
            yield f"{source}{row} is {state}: 'Missing: ' is for what is there in part"

    wanted = [(source, row) for source, rows in ROWS.items() for row in range(1, rows + 1)]
    for (source, row), count in collections.Counter(found).items():
        if count > 1:
            yield f"{source}{row} is there {count} times"
    yield from (f"{source}{row} is not there" for source, row in wanted if (source, row) not in found)
    yield from (f"{source}{row} is no row" for source, row in found if (source, row) not in wanted)
    if [row for row in wanted if row in found] != found:
        yield "the rows are not in order"

    for label, sources in [(source.rstrip("-"), [source]) for source in ROWS] + [("all", ROWS)]:
        figures = [sum(sums[source, state] for source in sources) for state in STATES]
        line = f"| {label} | " + " | ".join(map(str, [*figures, sum(figures)])) + " |"
        if line not in text.splitlines():
            yield f"the sums have to be: {line}"


def has_test(tests, suite, function):
    return tests.contain(suite, rf"@Test\b(?:(?!\bfunc\b).)*\bfunc {function}\b")


def named_tests(text):
    """The names in the tables of a page whose last column is headed "Test"."""
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        cells = [line.split("|")[-2] for line in table.splitlines()]
        if cells[0].strip() == "Test":
            yield from re.findall(r"`([^`]+)`", " ".join(cells))


def findings_of_tests():
    tests = Types("Tests", "Examples/*/Tests")
    for page in sorted(PAGE.parent.glob("*.md")):
        for name in sorted(set(named_tests(page.read_text(encoding="utf-8")))):
            suite, _, function = name.partition("/")
            if not (has_test(tests, suite, function) if function else suite in tests.bodies):
                yield f"{page}: no test {name}"


def findings_of_names(text):
    tests = Types("Tests", "Examples/*/Tests")
    types = Types("Sources", "Tests", "Examples/*/Sources")
    for name in sorted(set(re.findall(r"`([^`\n]+)`", text))):
        if match := TEST.fullmatch(f"`{name}`"):
            if not has_test(tests, match[1], match[2]):
                yield f"no test {name}"
        elif re.fullmatch(r"[\w.*/+-]+\.(swift|sh|py|md)", name):
            if not list(pathlib.Path(".").glob(name)):
                yield f"no file {name}"
        elif match := re.fullmatch(r"([A-Z]\w*[a-z]\w*)(?:\.(\w+)(?:\([\w:]*\))?)?", name):
            if not types.contain(match[1], rf"{MEMBER}{match[2]}\b" if match[2] else ""):
                yield f"no type {name}"


def findings():
    text = PAGE.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 100:
            yield f"line {number} has {len(line)} columns"
    yield from findings_of_rows(text)
    yield from findings_of_names(text)


if __name__ == "__main__":
    found = [f"{PAGE}: {finding}" for finding in findings()] + list(findings_of_tests())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
