#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds errors whose code is lost where one layer translates another's.

Where a coded error is at hand (in the catch of a `do throws(…)`, or as the parameter of a function
that translates it), a coded error that is made there must carry it as `underlying:`, so that
`fullCode`, which logs hold, names both. What has the same code, or one of its own for each code,
loses nothing.
"""
import re
import sys

import package

ALIAS = re.compile(r"typealias (\w+) = CodedError<")
MADE = re.compile(r"(?<![.\w])(?:(\w+)|self\.init)\(")
# A code without a label comes first; what gets the whole error translates it itself.
CODE_FIRST = re.compile(r"\(\s*(?:\.\w+|error\.\w+|code(?!:)|is\w+ \?)")
# The one code that may arrive here is named just before.
ONE_CODE = re.compile(r"error\.code == \.\w+\s*\?\s*$")
KEEPS = re.compile(r"\bunderlying:|\bSelf\.code\(|\brawValue: error\.code|^\(\s*error\.code,")


def end(text, start):
    """The position after the bracket that closes the one at start; strings and comments are skipped."""
    pairs = {"(": ")", "{": "}"}
    opened, closed, depth, at = text[start], pairs[text[start]], 0, start
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at)
            if at < 0:
                return len(text)
        elif text[at] == '"':
            at = string_end(text, at)
            continue
        elif text[at] == opened:
            depth += 1
        elif text[at] == closed:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)


def string_end(text, at):
    if text.startswith('"""', at):
        return text.find('"""', at + 3) + 3
    at += 1
    while at < len(text) and text[at] != '"':
        if text.startswith("\\(", at):
            at = end(text, at + 1)
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def places(text, coded):
    """The blocks in which a coded error is at hand: where they begin and end."""
    for match in re.finditer(r"\bdo (?:throws\((\w+)\) )?\{", text):
        # Without a type any error may arrive.
        if match[1] is None or match[1] in coded:
            done = end(text, match.end() - 1)
            while caught := re.match(r"\s*catch[^{]*\{", text[done:]):
                begin = done + caught.end() - 1
                done = end(text, begin)
                # `catch is` has no error at hand.
                if not re.match(r"\s*catch is ", caught[0]):
                    yield begin, done
    for match in re.finditer(r"\bcatch let error as (\w+) \{", text):
        if match[1] in coded:
            yield match.end() - 1, end(text, match.end() - 1)
    for match in re.finditer(r"(?:\bfunc \w+|\binit)(?:<[^>]*>)?\(", text):
        closed = end(text, match.end() - 1)
        given = re.search(r"\b(?:error|failure|cause)\w*: (\w+)\b", text[match.end():closed])
        body = re.match(r"[^{}\n]*(?:\n[^{}\n]*)?\{", text[closed:])
        if given and given[1] in coded and body:
            begin = closed + body.end() - 1
            yield begin, end(text, begin)


def findings(path, coded):
    # Lines of comments become blanks, so that places stay.
    text = re.sub(r"(?m)^ *//.*$", lambda line: " " * len(line[0]), path.read_text(encoding="utf-8"))
    found = {}
    for begin, finish in places(text, coded):
        for match in MADE.finditer(text, begin, finish):
            start = match.end() - 1
            arguments = text[start:end(text, start)]
            if match[1] is not None and match[1] not in coded:
                continue
            if ONE_CODE.search(text, begin, match.start()):
                continue
            if CODE_FIRST.match(arguments) and not KEEPS.search(arguments):
                found[text.count("\n", 0, start) + 1] = " ".join(arguments.split())
    return [f"{path}:{line}: {arguments[:90]}" for line, arguments in sorted(found.items())]


def main():
    # Not the command line, which ends with one code, nor the checks of other people's stores.
    sources = [
        path for name, target in package.sources().items() for path in package.files(target)
        if name != "signet" and not name.endswith("Testing")
    ]
    coded = {name for path in sources for name in ALIAS.findall(path.read_text(encoding="utf-8"))}
    found = [line for path in sources for line in findings(path, coded)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
