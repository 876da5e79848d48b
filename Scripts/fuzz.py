#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Runs libFuzzer over the targets of FuzzTargets (Documentation/FUZZING.md), and prints a row for each.

    Scripts/fuzz.py [--seconds N] [--asan] [--keep] [TARGET…]

    --seconds   how long each target runs, 60 by default, in one process
    --asan      with AddressSanitizer too, in a build of its own
    --keep      writes the smallest inputs that reach the same edges into FuzzTargets/Corpora

Without TARGET all run. What a target finds stays in .build/fuzz-corpora/TARGET, where the next run
begins; an input that breaks a target is named at once, and this fails.
"""

import argparse
import base64
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import package

FOLDER = package.ROOT / ".build" / "fuzz-corpora"
KEPT = package.ROOT / package.located("FuzzTargets/Corpora")
# The longest input in bytes, and how many bytes of inputs are kept of a target.
MAXIMUM_BYTE_COUNT = 4096
MAXIMUM_KEPT_BYTE_COUNT = 90_000


def build(with_asan):
    scratch = ".build/fuzz-asan" if with_asan else ".build/fuzz"
    flags = subprocess.run(
        ["Scripts/bootstrap.sh", "--flags"], cwd=package.ROOT, capture_output=True, text=True, check=True).stdout.split()
    command = ["swift", "build", "--sanitize", "fuzzer", "-c", "release", "--product", "Fuzzers",
               "--scratch-path", scratch, *flags]
    if with_asan:
        command += ["--sanitize", "address"]
    environment = dict(os.environ, SIGNET_FUZZ="1")
    subprocess.run(command, cwd=package.ROOT, env=environment, check=True, stdout=sys.stderr)
    return package.ROOT / scratch / "release" / "Fuzzers"


def names():
    text = (package.ROOT / package.located("FuzzTargets/FuzzTarget+All.swift")).read_text(encoding="utf-8")
    return re.findall(r"\w+", re.search(r"all = \[(.*?)\]", text, re.S)[1])


def fuzzer(program, target, *arguments, **variables):
    """A run of libFuzzer: its exit status, its report and its processor time."""
    # The vault's target opens a file for each input: in memory, where the system has such a folder.
    memory = {"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {}
    environment = dict(os.environ, SIGNET_FUZZ_TARGET=target, **memory, **variables)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *map(str, arguments)], env=environment, cwd=FOLDER / target,
                          stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, seconds


def prepare(program, target):
    """The folder of a target's inputs, with its seeds and those that are kept."""
    inputs = FOLDER / target / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    status, report, _ = fuzzer(program, target, SIGNET_FUZZ_SEEDS=str(inputs))
    if status != 0:
        sys.exit(f"fuzz: {target} has no seeds:\n{report}")
    kept = KEPT / f"{target}.txt"
    if kept.exists():
        for number, line in enumerate(kept.read_text(encoding="ascii").splitlines()):
            (inputs / f"kept-{number}").write_bytes(base64.b64decode(line))
    return inputs


def keep(program, target, inputs):
    smallest = FOLDER / target / "smallest"
    shutil.rmtree(smallest, ignore_errors=True)
    smallest.mkdir()
    status, report, _ = fuzzer(program, target, "-merge=1", smallest, inputs)
    if status != 0:
        sys.exit(f"fuzz: the inputs of {target} were not merged, and stay as they are:\n{report[-2000:]}")
    chosen, total = [], 0
    for content in sorted((path.read_bytes() for path in smallest.iterdir()), key=lambda text: (len(text), text)):
        total += len(content)
        if total <= MAXIMUM_KEPT_BYTE_COUNT:
            chosen.append(base64.b64encode(content).decode() + "\n")
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{target}.txt").write_text("".join(chosen), encoding="ascii")


def last(pattern, report):
    return (re.findall(pattern, report) or ["0"])[-1]


def run(program, target, options):
    inputs = prepare(program, target)
    status, report, seconds = fuzzer(
        program, target, f"-max_total_time={options.seconds}", f"-max_len={MAXIMUM_BYTE_COUNT}", "-timeout=20",
        "-rss_limit_mb=4096", "-print_final_stats=1", inputs)
    (FOLDER / target / "log").write_text(report, encoding="utf-8")
    patterns = (r"stat::number_of_executed_units: (\d+)", r"signet: accepted (\d+)", r"cov: (\d+)", r"corp: (\d+)")
    numbers = [f"{int(last(pattern, report)):,}" for pattern in patterns]
    print(f"| {' | '.join([target, *numbers])} | {seconds:.0f} s |", flush=True)
    if status != 0:
        lines = re.findall(r"^(?:signet:|SUMMARY|Test unit|Fatal|==).*", report, re.M)[:8]
        print(f"fuzz: {target} broke; the log is {FOLDER / target / 'log'}", *lines, sep="\n", file=sys.stderr)
    elif options.keep:
        keep(program, target, inputs)
    return status == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--asan", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    options = parser.parse_args()
    known = names()
    if unknown := [name for name in options.targets if name not in known]:
        parser.error(f"there is no target {unknown[0]}: {' '.join(known)}")
    program = build(options.asan)
    print("| target | executions | accepted | edges | corpus | processor time |\n|---|---|---|---|---|---|", flush=True)
    return 0 if all([run(program, target, options) for target in options.targets or known]) else 1


sys.exit(main())
