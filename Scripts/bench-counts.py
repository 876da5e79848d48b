#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Reads what signet-counts counted and holds it against the committed thresholds (part of bench-check.sh)."""

import json
import math
import os
import sys
from pathlib import Path

# A threshold is what was counted and this much more; fewer than HINT of the threshold asks for a new file.
SLACK = 1.05
HINT = 0.85
# What libcrypto's own arithmetic differs by from number to number, where two of its runs are compared.
ARITHMETIC = 0.02
# Of a lookup among many keys: a hash table's places are not all equally near.
LOOKUP = 1.05
# Issue 5, all allocations, libcrypto's too.
GOALS = {"hs256.verify.id.typed": 16, "hs256.verify.id.registered": 4}

# Callgrind's name for what belongs to no object: the jumps by which a stripped libcrypto calls itself.
UNKNOWN = "???"


def is_libcrypto(path):
    return path.rsplit("/", 1)[-1].startswith("libcrypto.so")


def read_dump(path):
    """The name of one dump of callgrind's, its instructions, and how many of them libcrypto caused.

    libcrypto's are those of every call into it from outside, what it calls itself included: its memcpy is not ours.
    """
    name, total, libcrypto = None, 0, 0
    current = callee = ""
    is_call = False
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line[:1].isdigit():
                cost = int(line.split()[1])
                if not is_call:
                    total += cost
                elif is_libcrypto(callee) and not is_libcrypto(current) and current != UNKNOWN:
                    libcrypto += cost
                # A call that names no object is one inside the caller's.
                is_call, callee = False, current
            elif line.startswith("ob="):
                current = callee = line[3:].strip()
            elif line.startswith("cob="):
                callee = line[4:].strip()
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith("desc: Trigger: Client Request: "):
                name = line.split(": ", 3)[3].strip()
    return name, total, libcrypto


def read_run(folder):
    """Operation -> (instructions of ours, of libcrypto; allocations of ours, of libcrypto), each for one operation."""
    counts = {}
    for line in (folder / "counted").read_text().splitlines():
        name, iterations = line.split()
        counts[name] = [int(iterations), {}, None]
    for path in folder.glob("dump.*"):
        name, total, libcrypto = read_dump(path)
        if name is None:
            continue
        operation, part = name.rsplit(" ", 1)
        counts[operation][1][part] = (total, libcrypto)
    for line in (folder / "allocations").read_text().splitlines():
        name, iterations, ours, libcrypto = line.split()
        counts[name][2] = (int(ours) / int(iterations), int(libcrypto) / int(iterations))
    results = {}
    for name, (iterations, dumps, allocations) in counts.items():
        (total1, libcrypto1), (total2, libcrypto2) = dumps["1"], dumps["2"]
        total, libcrypto = (total2 - total1) / iterations, (libcrypto2 - libcrypto1) / iterations
        results[name] = (total - libcrypto, libcrypto, *allocations)
    return results


def refusals(results):
    """Each refused token and the good one that it may not cost more than."""
    for name in results:
        parts = name.split(".")
        if parts[1] == "refuse":
            yield name, f"{parts[0]}.verify.{parts[2]}.{parts[4]}"


def lookups(results):
    """The same work with many keys and with few."""
    for few, many in ((".ring3.one", ".ring100000.one"), (".ring100.many", ".ring100000.many"), (".set3", ".set10000")):
        for name in results:
            if name.endswith(many):
                yield name, name[: -len(many)] + few


def allocations(value):
    """As a limit: those that happen now and then are rounded up."""
    return math.ceil(value - 1e-9)


def write(path, about, results):
    lines = [
        f'  "{name}": {{"instructions": {math.ceil(ours * SLACK)}, "allocations": {allocations(mallocs)}, '
        f'"libcryptoAllocations": {allocations(inside)}}}'
        for name, (ours, _, mallocs, inside) in results.items()
    ]
    head = "".join(f' "{key}": {json.dumps(value)},\n' for key, value in about.items())
    path.write_text("{\n" + head + ' "operations": {\n' + ",\n".join(lines) + "\n }\n}\n")
    print(f"bench-check: wrote {path}: {len(results)} operations")


def grouped(value):
    return f"{value:,.0f}".replace(",", " ")


def compare(about, thresholds, results):
    """Prints the table; returns what is wrong."""
    limits = thresholds["operations"]
    same = all(thresholds[key] == about[key] for key in ("architecture", "swift"))
    same_libcrypto = thresholds["libcrypto"] == about["libcrypto"]
    problems, hints = [], []
    if not same:
        message = (f"the thresholds are for {thresholds['architecture']} and Swift {thresholds['swift']}, "
                   f"this is {about['architecture']} and Swift {about['swift']}: they are not compared")
        (problems if os.environ.get("SIGNET_REQUIRE_COUNTS") else hints).append(message)
    width = max(map(len, results))
    head = f"{'operation':{width}}  {'ours':>9} {'limit':>9}  {'libcrypto':>9}  {'allocations':>11} {'limit':>5} {'libcrypto':>9}"
    print(f"{head}\n{'':{width}}  {'instructions':-^19}")
    for name, (ours, libcrypto, mallocs, inside) in results.items():
        limit = limits.get(name)
        verdict = "ok"
        if limit is None:
            verdict = "NO LIMIT"
            problems.append(f"{name} has no threshold")
        elif same:
            over = []
            if ours > limit["instructions"]:
                over.append(f"{grouped(ours)} instructions, at most {grouped(limit['instructions'])}")
            if allocations(mallocs) > limit["allocations"]:
                over.append(f"{mallocs:g} allocations, at most {limit['allocations']}")
            # libcrypto's own differ by a fraction between processors: RSA has other code where
            # there is AVX-512.
            if same_libcrypto and inside > limit["libcryptoAllocations"] + 1:
                over.append(f"{inside:g} allocations in libcrypto, at most {limit['libcryptoAllocations']}")
            if over:
                verdict = "ABOVE"
                problems.append(f"{name}: {'; '.join(over)}")
            elif ours < limit["instructions"] * HINT or allocations(mallocs) < limit["allocations"]:
                verdict = "less"
                hints.append(f"{name} costs less than its threshold says")
        print(f"{name:{width}}  {grouped(ours):>9} {grouped(limit['instructions']) if limit else '-':>9}"
              f"  {grouped(libcrypto):>9}  {mallocs:>11.4g} {limit['allocations'] if limit else '-':>5}"
              f" {inside:>9.4g}  {verdict}")
    for name in limits:
        if name not in results:
            problems.append(f"{name} has a threshold and was not counted")
    return problems, hints


def check_relations(results):
    problems = []
    for bad, good in refusals(results):
        cost, limit = sum(results[bad][:2]), sum(results[good][:2])
        # Where libcrypto checks a signature, it takes another number.
        if cost > limit + ARITHMETIC * min(results[bad][1], results[good][1]):
            problems.append(f"{bad} takes {grouped(cost)} instructions in all, a good token {grouped(limit)}")
    for many, few in lookups(results):
        if results[many][0] > results[few][0] * LOOKUP:
            problems.append(f"{many} takes {grouped(results[many][0])} instructions, {few} {grouped(results[few][0])}")
        if results[many][2] > results[few][2]:
            problems.append(f"{many} allocates {results[many][2]:g} times, {few} {results[few][2]:g}")
    return problems


def print_spread(first, second):
    worst = sorted(((abs(second[name][0] - values[0]) / values[0], name) for name, values in first.items()), reverse=True)
    print("bench-check: two runs differ in instructions of ours by at most "
          + ", ".join(f"{100 * part:.3f} % ({name})" for part, name in worst[:3]))
    changed = [name for name, values in first.items() if allocations(values[2]) != allocations(second[name][2])]
    print(f"bench-check: allocations differ in {len(changed)} of {len(first)} operations: {', '.join(changed) or 'none'}")


def main():
    mode, architecture, swift, libcrypto, path, *folders = sys.argv[1:]
    path = Path(path)
    runs = [read_run(Path(folder)) for folder in folders]
    about = {"architecture": architecture, "swift": swift, "libcrypto": libcrypto}
    if mode == "--update":
        write(path, about, runs[-1])
    if len(runs) > 1:
        print_spread(*runs)
    results = runs[-1]
    problems, hints = compare(about, json.loads(path.read_text()), results)
    problems += check_relations(results)
    for name, goal in GOALS.items():
        count = results[name][2] + results[name][3]
        print(f"bench-check: {name} allocates {count:g} times, libcrypto included; goal: at most {goal}: "
              f"{'reached' if count <= goal else 'missed'}")
    if hints:
        print("bench-check: " + "\nbench-check: ".join(hints), file=sys.stderr)
        print("bench-check: Scripts/bench-check.sh --update keeps the gain", file=sys.stderr)
    if problems:
        print("bench-check: " + "\nbench-check: ".join(problems), file=sys.stderr)
        print("bench-check: too much. Find the loss, or write down why it is worth it and run Scripts/bench-check.sh --update",
              file=sys.stderr)
        sys.exit(1)
    print(f"bench-check: {len(results)} operations, none above its threshold")


if __name__ == "__main__":
    main()
