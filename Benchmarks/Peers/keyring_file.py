#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Times python-keyring with the encrypted file of keyrings.alt: keyring_file.py FOLDER SECONDS.

Prints a line for each size of 1, 1 000, 10 000, 100 000 items that is reached in so many seconds, and one for the last size:
name, items, write median and 95th percentile, read median and 95th percentile; nanoseconds.
"""

import os
import random
import sys
import time

from keyrings.alt.file import EncryptedKeyring

SIZES = (1, 1_000, 10_000, 100_000)
SAMPLES = 40


def key(index):
    return f"service-{index // 100:09d}.example", f"user-{index:09d}"


def value(index):
    """300 characters: this backend takes text only."""
    return f"{index:09d}" + "v" * 291


def spread(times):
    times = sorted(times)
    return times[len(times) // 2], times[min(len(times) - 1, len(times) * 95 // 100)]


def measure(ring, count):
    writes, reads = [], []
    for _ in range(SAMPLES):
        index = random.randrange(count)
        start = time.perf_counter_ns()
        ring.set_password(*key(index), value(index))
        between = time.perf_counter_ns()
        found = ring.get_password(*key(index))
        reads.append(time.perf_counter_ns() - between)
        writes.append(between - start)
        if found != value(index):
            sys.exit("keyring: a wrong answer")
    print("keyring", count, *spread(writes), *spread(reads), flush=True)


def main():
    folder, seconds = sys.argv[1], float(sys.argv[2])
    ring = EncryptedKeyring()
    ring.file_path = os.path.join(folder, "crypted_pass.cfg")
    ring.keyring_key = "a passphrase of the benchmark"
    deadline = time.monotonic() + seconds
    count = 0
    while count < SIZES[-1] and time.monotonic() < deadline:
        ring.set_password(*key(count), value(count))
        count += 1
        if count in SIZES:
            measure(ring, count)
    if count not in SIZES:
        measure(ring, count)


main()
