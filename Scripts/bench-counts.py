#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Reads what signet-counts counted and compares it with the committed thresholds (part of bench-check.sh)."""

import json
import math
import os
import sys
from pathlib import Path

# A threshold is the count times SLACK. A count below HINT times the threshold is worth a new file.
SLACK = 1.05
HINT = 0.85
# Refusing a token must not cost more than verifying a good one, including libcrypto's work.
REFUSED, GOOD = "hs256.refuse.id.typed", "hs256.verify.id.typed"
# A stranger's encrypted token costs at most so many times a good one of the same key and size.
WORST_ENCRYPTED = 2
# An encrypted token whose key is wrong and one whose tag is wrong count alike, up to this share: random keys and RSA's
# blinding, and at AES key wrap what libcrypto needs to note an error, beside few other instructions.
ALIKE = {"a256kw": 0.05, "ecdhes": 0.02, "rsaoaep256": 0.01}

# Callgrind's name for code that belongs to no object: the jumps by which a stripped libcrypto calls itself.
UNKNOWN = "???"


def is_libcrypto(path):
    return path.rsplit("/", 1)[-1].startswith("libcrypto.so")


def read_dump(path):
    """The name of one of callgrind's dumps, its instructions, and how many of them libcrypto caused.

    libcrypto's are those of every call into it from outside, including what it calls itself: its memcpy does not count as ours.
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
                # A call that names no object stays inside the caller's object.
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
    dumps = {}
    for path in folder.glob("dump.*"):
        name, *counts = read_dump(path)
        dumps[name] = counts
    allocations = {}
    for line in (folder / "allocations").read_text().splitlines():
        name, iterations, ours, libcrypto = line.split()
        allocations[name] = (int(ours) / int(iterations), int(libcrypto) / int(iterations))
    results = {}
    for line in (folder / "counted").read_text().splitlines():
        name, iterations = line.split()
        total, libcrypto = ((twice - once) / int(iterations)
                            for once, twice in zip(dumps[f"{name} 1"], dumps[f"{name} 2"]))
        results[name] = (total - libcrypto, libcrypto, *allocations[name])
    return results


def limit_of(allocations):
    """The limit for allocations: one that happens only now and then is rounded up."""
    return math.ceil(allocations - 1e-9)


def write(path, about, results):
    lines = [
        f'  "{name}": {{"instructions": {math.ceil(ours * SLACK)}, "allocations": {limit_of(mallocs)}, '
        f'"libcryptoAllocations": {limit_of(inside)}}}'
        for name, (ours, _, mallocs, inside) in results.items()
    ]
    head = "".join(f' "{key}": {json.dumps(value)},\n' for key, value in about.items())
    path.write_text("{\n" + head + ' "operations": {\n' + ",\n".join(lines) + "\n }\n}\n")
    print(f"bench-check: wrote {path}: {len(results)} operations")


def compare(about, thresholds, results):
    """Prints the table; returns what is wrong, and what is worth a new file."""
    limits = thresholds["operations"]
    problems, hints = [], []
    same = all(thresholds[key] == about[key] for key in ("architecture", "swift"))
    if not same:
        message = (f"the thresholds are for {thresholds['architecture']} and Swift {thresholds['swift']}, "
                   f"this is {about['architecture']} and Swift {about['swift']}: they are not compared")
        (problems if os.environ.get("SIGNET_REQUIRE_COUNTS") else hints).append(message)
    print(f"{'':26}  instructions: ours, limit, libcrypto   allocations: ours, limit, libcrypto")
    for name, (ours, libcrypto, mallocs, inside) in results.items():
        limit = limits.get(name)
        if limit is None:
            problems.append(f"{name} has no threshold")
            continue
        print(f"{name:26}  {ours:18.0f} {limit['instructions']:6} {libcrypto:10.0f}"
              f"  {mallocs:18.4g} {limit['allocations']:6} {inside:10.4g}")
        if not same:
            continue
        if ours > limit["instructions"]:
            problems.append(f"{name}: {ours:.0f} instructions, at most {limit['instructions']}")
        if limit_of(mallocs) > limit["allocations"]:
            problems.append(f"{name}: {mallocs:g} allocations, at most {limit['allocations']}")
        # libcrypto's own differ by a fraction between processors: RSA has other code where there is
        # AVX-512.
        if thresholds["libcrypto"] == about["libcrypto"] and inside > limit["libcryptoAllocations"] + 1:
            problems.append(
                f"{name}: {inside:g} allocations in libcrypto, at most {limit['libcryptoAllocations']}")
        if ours < limit["instructions"] * HINT or limit_of(mallocs) < limit["allocations"]:
            hints.append(f"{name} costs less than its threshold says")
    problems += [f"{name} has a threshold and was not counted" for name in limits if name not in results]
    refused, good = sum(results[REFUSED][:2]), sum(results[GOOD][:2])
    if refused > good:
        problems.append(f"a refusal takes {refused:.0f} instructions in all, a good token {good:.0f}")
    return problems + compare_encrypted(results), hints


def compare_encrypted(results):
    """Prints refused encrypted tokens beside good ones; returns which cost too much, or tell where they failed."""
    problems = []
    totals = {name: sum(counts[:2]) for name, counts in results.items() if name.startswith("jwe.")}
    for name in (name for name in totals if ".refuse." in name):
        kind, change = name.split(".")[2:]
        times = totals[name] / totals[f"jwe.open.{kind}"]
        print(f"{name:26}  {totals[name]:10.0f} instructions in all, {times:.2f} x a good token")
        if times > WORST_ENCRYPTED:
            problems.append(f"{name} takes {times:.2f} x a good token, at most {WORST_ENCRYPTED}")
        if change == "key":
            share = totals[name] / totals[f"jwe.refuse.{kind}.tag"] - 1
            print(f"{'':26}  {share:+.2%} beside one refused at its tag")
            if abs(share) > ALIKE[kind]:
                problems.append(f"{name} differs by {share:+.2%} from one refused at its tag, at most {ALIKE[kind]:.0%}")
    return problems


def main():
    mode, architecture, swift, libcrypto, path, folder = sys.argv[1:]
    path, results = Path(path), read_run(Path(folder))
    about = {"architecture": architecture, "swift": swift, "libcrypto": libcrypto}
    if mode == "--update":
        write(path, about, results)
    problems, hints = compare(about, json.loads(path.read_text()), results)
    for text in hints:
        print(f"bench-check: {text} (bench-check.sh --update keeps the gain)", file=sys.stderr)
    for text in problems:
        print(f"bench-check: {text}", file=sys.stderr)
    if problems:
        sys.exit("bench-check: find the loss, or write down why it is worth it and run bench-check.sh --update")
    print(f"bench-check: {len(results)} operations, none above its threshold")


if __name__ == "__main__":
    main()
