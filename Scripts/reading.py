#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Counts how Sources reads: what a call says, and whether a sentence names its subject.

    Scripts/reading.py labels      parameters without a label that are not the first
    Scripts/reading.py tuples      assignments of a tuple to names that exist
    Scripts/reading.py sentences   targets whose comments point, or open, above the bounds
    Scripts/reading.py figures     the figures of every target; never fails

By regular expression, so repeatable and not exact. Operators, enum cases, types of functions, and a
closure that is the last parameter need no label.
"""

import re
import sys

import package

# Functions whose parameters can be exchanged without a change of meaning.
SYMMETRICAL = {
    "areEqual", "areSame", "bytesAreEqual", "commonDivisor", "constantTimeEqual", "isProduct", "isSame",
    "product", "sum"}
# An error's code is followed by its message, or by the operation that failed.
CODES, MESSAGES = {"code", "kind"}, {"message", "operation"}
# Types of functions behind a name.
CLOSURES = {"ListCall"}

POINTING = re.compile(
    r"\b(another|other|others|one|ones|those|these|both|rest|former|latter|such)\b", re.I)
OPENING = re.compile(r"(As|What|Else|Who|Of) ")
# Hundredths of the words of documentation, and of the comment lines.
MOST_POINTING, MOST_OPENING = 2.0, 1.5

SIGNATURE = re.compile(r"(?<![.\w])(func\s+(\w+)|init[?!]?)\s*(?:<[^{}()]*>)?\(")
PARAMETER = re.compile(r"(?:@\w+\s+)*_ (\w+): (.*?)(?: = .*)?$", re.S)
TUPLE = re.compile(r"^\s*(?:(?:let|var) )?\([\w., ]+\) = \(", re.M)


def parameters(text):
    """The parts between commas that stand outside of brackets."""
    found, depth, part = [], 0, ""
    for character in text:
        depth += (character in "([<{") - (character in ")]}")
        depth -= character == ">" and not part.endswith("-")
        if character == "," and depth == 0:
            found.append(part.strip())
            part = ""
        else:
            part += character
    return found + ([part.strip()] if part.strip() else [])


def without_comments(text):
    return re.sub(r"(?m)(^|\s)//.*$", r"\1", text)


def signatures(text):
    """The line, the name and the parameters of each function and initialiser."""
    for match in SIGNATURE.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        yield text.count("\n", 0, match.start()) + 1, match[2] or "init", parameters(text[match.end() : end - 1])


def unlabelled(name, parts):
    """The names of the parameters that lack a label, the first excepted."""
    found = [PARAMETER.match(part) for part in parts]
    names = {match[1] for match in found if match}
    if name in SYMMETRICAL or names & CODES and names & MESSAGES:
        return []
    last = found[-1] if found else None
    if last and ("->" in last[2] or last[2].split()[-1] in CLOSURES):
        found.pop()
    return [match[1] for match in found[1:] if match]


def texts():
    for target in package.sources().values():
        for path in package.files(target):
            yield target.name, path, (package.ROOT / path).read_text(encoding="utf-8")


def labels():
    for _, path, text in texts():
        for line, name, parts in signatures(without_comments(text)):
            for parameter in unlabelled(name, parts):
                yield f"{path}:{line}: {name} has no label for '{parameter}'"


def tuples():
    for _, path, text in texts():
        for match in TUPLE.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, match.end()) + 1}: {match[0].strip()}"


def figures():
    """For each target: its pointing words and its openings, in hundredths."""
    counts = {}
    for target, _, text in texts():
        count = counts.setdefault(target, [0, 0, 0, 0])
        for line in map(str.strip, text.splitlines()):
            comment = line.lstrip("/").strip()
            if line.startswith("//") and comment:
                count[2] += bool(OPENING.match(comment))
                count[3] += 1
            if line.startswith("///"):
                count[0] += len(POINTING.findall(comment))
                count[1] += len(re.findall(r"\w+", comment))
    for target, (points, words, opens, lines) in sorted(counts.items()):
        yield target, 100 * points / max(words, 1), 100 * opens / max(lines, 1)


def sentences():
    for target, pointing, opening in figures():
        if pointing > MOST_POINTING:
            yield f"{target}: {pointing:.2f} of 100 words of documentation point, above {MOST_POINTING}"
        if opening > MOST_OPENING:
            yield f"{target}: {opening:.2f} of 100 comment lines open with As, What, Else, Who or Of, above {MOST_OPENING}"


def main(what=""):
    if what == "figures":
        for target, pointing, opening in figures():
            print(f"{target}: pointing {pointing:.2f}, openings {opening:.2f}")
        return 0
    rules = {"labels": labels, "tuples": tuples, "sentences": sentences}
    if what not in rules:
        sys.exit(f"usage: reading.py {' | '.join([*rules, 'figures'])}")
    found = list(rules[what]())
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
