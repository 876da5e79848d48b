#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds what reads the system's time in Tests, outside the files that Scripts/test-clocks.txt names.

A test whose fixture has one time and whose verifier has another fails on a busy machine. So every
clock in Tests is given, and that includes what reads the system's time unless it is given a clock:

- initialisers and static functions of Sources with a default 'clock:' or 'time:', or a default
  'options:' with a clock in it;
- TokenVerificationOptions() and KeySetOptions(), whose clock is set in the lines after.

What keeps items (InMemoryStore, VaultOptions, SecretServiceOptions) is left out: no fixture states
the time of an item.
"""

import os
import re
import sys

import package

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = "Scripts/test-clocks.txt"
# Waiting, in `wait(timeout: .now() + 600)`, is a watchdog; ThreadClock and ManualClock are no match.
SWIFT = re.compile(
    r"TimeSource\.system\b|\b(?:clock|time|source): \.system\b|TimeSource = \.system\b"
    r"|\bTimeSource\((?!\s*now:)|\bDate\(\)|\bDate\.now\b|\bDate\(timeIntervalSinceNow"
    r"|\b(?:Continuous|Suspending|Utc|UTC)Clock\b|\bSystemClock\.(?!pause)|\bDispatch(?:Wall)?Time\.now"
    r"|\bclock_gettime\b|\bgettimeofday\b|\btime\(nil\)|\bItemTime\.current\b")
OTHER = re.compile(r"\btime\.(?:time|monotonic)\w*\(|\b(?:datetime|date)\.(?:now|utcnow|today)\(|\bclock_gettime\b")
OPTIONS = ("TokenVerificationOptions", "KeySetOptions")
MADE = r"\b(?:%s)(?:\(\)| = \.init\(\))" % "|".join(OPTIONS)
DEFAULT = re.compile(
    r"\b(clock|time): TimeSource = \.system\b|\b(options): (?:%s) = " % "|".join(OPTIONS))
STORES = ("InMemoryStore",)
# How many lines after `XOptions()` its clock is set.
REACH = 6


def files(folder, *endings):
    for place, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(endings):
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, ROOT), file.read()


def without_comments(text):
    return re.sub(r'(?m)(^|[^:"])//.*$', r"\1", re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text))


def makers():
    """Calls that read the system's time by default, with the label that gives them another."""
    found = {}
    for path, text in files("Sources", ".swift"):
        kind = os.path.basename(path)[:-len(".swift")].split("+")[0]
        text = without_comments(text)
        for default in DEFAULT.finditer(text):
            before = list(re.finditer(r"\b(static func (\w+)|func \w+|init\??)(?:<[^>]*>)?\(", text[:default.start()]))
            if not before or kind in STORES:
                continue
            if before[-1][1].startswith("init"):
                call = rf"(?<![\w.]){kind}(?:\.init)?\("
            elif before[-1][2]:
                call = rf"(?<!\w){kind}\.{before[-1][2]}\("
            else:
                continue
            found.setdefault(call, set()).add(default[1] or default[2])
    return found


def arguments(text, start):
    depth, end = 1, start
    while end < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start:end]


def reads(text, calls):
    """The places in a Swift file at which the system's time is read, with their kinds."""
    for match in SWIFT.finditer(text):
        yield match.start(), match[0].strip(" (\n")
    for call, labels in calls.items():
        for match in re.finditer(call, text):
            given = arguments(text, match.end())
            if not any(re.search(rf"\b{label}: ", given) for label in labels):
                yield match.start(), f"{match[0]}…) without {' or '.join(sorted(labels))}"
    for match in re.finditer(MADE, text):
        if not re.search(r"\.clock = ", "\n".join(text[match.end():].split("\n")[:REACH])):
            yield match.start(), f"{match[0]} without a clock after it"


def main():
    with open(os.path.join(ROOT, LIST), encoding="utf-8") as file:
        rows = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    listed, findings, folders = {}, [], package.targets()
    for row in rows:
        name, _, why = row.partition(": ")
        path = package.located(name, folders)
        if not why or path in listed:
            findings.append(f"{LIST}: not 'path: why', or twice: {row}")
        listed[path] = why
    calls = makers()
    if not calls:
        findings.append("Sources: no call reads the system's time by default, so none was looked for")
    found = {}
    for path, text in files("Tests", ".swift", ".py", ".c"):
        if path.endswith(".swift"):
            text = without_comments(text)
            found[path] = [(text.count("\n", 0, at) + 1, what) for at, what in reads(text, calls)]
        else:
            found[path] = [(text.count("\n", 0, m.start()) + 1, m[0]) for m in OTHER.finditer(text)]
    for path, places in sorted(found.items()):
        if places and path not in listed:
            findings += [f"{path}:{line}: {what}" for line, what in sorted(places)]
    if not found:
        findings.append("Tests: no file was read")
    for path in listed:
        if not found.get(path):
            findings.append(f"{LIST}: {path} reads no time: take it out")
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
