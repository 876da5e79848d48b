#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds identifiers of Sources and Tests with a word that CONTRIBUTING.md's glossary retires.

Its last column lists the words in backquotes. An identifier is split at capitals and underscores and
compared in lower case: `desk` is found in `LoginFixture` and `desk_path`, and not in `desktop`. Two words
are found side by side: `session holder` in `sessionHolder`. Comments and strings are left out.

    Scripts/retired-words.py
"""

import re
import sys

import package

ALLOWED = {"lanes"}  # Argon2's (RFC 9106)
PROSE = re.compile(r'//[^\n]*|(#*)""" *\n.*?"""\1|(#+)"[^\n]*?"\2|"(?:\\.|[^"\\\n])*"', re.DOTALL)
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def retired():
    """What to write instead, by the retired words."""
    text = (package.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \|[^|]*\|([^|]*)\|$", text.partition("\n## Glossary\n")[2].partition("\n## ")[0], re.M)
    return {
        word: term for term, words in rows for word in re.findall(r"`([^`]+)`", words)
    } or sys.exit("CONTRIBUTING.md: the glossary retires no word")


def main():
    words, found = retired(), 0
    for target in package.targets().values():
        if target.folder.parts[0] not in ("Sources", "Tests"):
            continue
        for path in package.files(target):
            text = (package.ROOT / path).read_text(encoding="utf-8")
            code = PROSE.sub(lambda prose: re.sub(r"[^\n]", " ", prose[0]), text)
            for number, line in enumerate(code.split("\n"), 1):
                for name in re.findall(r"[A-Za-z_]\w*", line):
                    parts = [part.lower() for part in PART.findall(name)]
                    for word in parts + [" ".join(pair) for pair in zip(parts, parts[1:])]:
                        if word in words and name not in ALLOWED:
                            print(f"{path}:{number}: {name}: not '{word}', but {words[word]}")
                            found += 1
    return 1 if found else 0


sys.exit(main())
