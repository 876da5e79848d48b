# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""What one row of session-losses.py counts, and what all of its runs share."""

import concurrent.futures
import dataclasses
import threading
import traceback

from .provider import Provider

# How many runs go on at a time. Most of the time they wait.
LANES = 8


class SessionLost(Exception):
    """The session is over before the end of a run."""


@dataclasses.dataclass
class Bench:
    signet: str
    folder: str
    provider: Provider
    is_quick: bool
    is_verbose: bool


class Row:
    def __init__(self, name, bench):
        self.name, self.bench, self.lock, self.faults = name, bench, threading.Lock(), []
        self.runs = self.exchanges = self.refused = self.lost = 0

    def add(self, **counts):
        with self.lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def fault(self, text):
        """Notes what is not a lost session, and still must not be."""
        with self.lock:
            self.faults.append(text)

    def each(self, items, body):
        """Calls the body with each item, some at a time. An exception is a fault."""
        def guarded(item):
            try:
                body(item)
            except SessionLost:
                self.add(runs=1, lost=1)
            except Exception as error:  # pylint: disable=broad-except
                place = traceback.extract_tb(error.__traceback__)[-1]
                self.fault(f"{item}: {error} ({place.name}, line {place.lineno})")
        with concurrent.futures.ThreadPoolExecutor(LANES) as pool:
            list(pool.map(guarded, items))

    def sample(self, items, step=8):
        """All items, or with --quick some."""
        return list(items)[::step if self.bench.is_quick else 1]

    def count(self, full, quick):
        return quick if self.bench.is_quick else full
