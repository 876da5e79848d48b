#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Compares the octets that Documentation/VAULT-FORMAT.md shows with those of the tests.

A block ```octets FILE TABLE shows the column `b` of the only row of a fixture's table: the place of
the first octet, the octets, what they are. The known answers are those of VaultKnownAnswerTests.

    Scripts/vault-format.py      findings, one per line; fails if there is one
"""

import pathlib
import re
import sqlite3
import sys

import package

PAGE = pathlib.Path("Documentation/VAULT-FORMAT.md")
TESTS = pathlib.Path(package.located("SignetVaultTests/VaultFormat"))
BLOCK = re.compile(r"^```octets (\S+) (\w+)\n(.*?)^```$", re.M | re.S)
LINE = re.compile(r" *(\d+)  ((?:[0-9a-f]{2})+)  +\S.*| *(\d+)  ((?:[0-9a-f]{2})+)")


def row_of(file, table):
    path = (TESTS / "Fixtures" / file).resolve()
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        rows = database.execute(f"SELECT b FROM {table}").fetchall()
    return rows[0][0] if len(rows) == 1 else None


def findings():
    text = PAGE.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    if not blocks:
        yield "no block of octets"
    for file, table, block in blocks:
        octets = b""
        for line in block.splitlines():
            match = LINE.fullmatch(line)
            if not match or int(match[1] or match[3]) != len(octets):
                yield f"{file} {table}: not at octet {len(octets)}: {line.strip()}"
                break
            octets += bytes.fromhex(match[2] or match[4])
        if octets != row_of(file, table):
            yield f"{file} {table}: not the octets of the file"
    tests = (TESTS / "VaultKnownAnswerTests.swift").read_text(encoding="utf-8")
    answers = re.findall(r"\b[0-9a-f]{10,64}\b", text[text.index("## Known answers") :])
    if not answers:
        yield "no known answers"
    yield from (f"no test has the known answer {line}" for line in answers if line not in tests)


if __name__ == "__main__":
    found = [f"{PAGE}: {finding}" for finding in findings()]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
