#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Proves that no disturbance here costs a session of `signet login`. Prints one line a row, and ends
with "0 sessions lost" or with another status than 0.

session-losses.py [--quick] [--row NAME]... [--signet PROGRAM] [--verbose]

The OpenID provider on loopback (losses/provider.py) is as strict as any: a refresh token is good
once, from the moment its request arrives, and using it again ends its family. Its tokens grow by 1 to
8 KiB a time up to the longest that Signet takes, then shrink again. Access tokens live for 1 s, so
every call exchanges.

A run signs in, disturbs `signet token`, mends everything, and calls `signet token` again. The session
is lost if a call ends with status 4. Columns: runs, exchanges that the provider made, calls that got
no token although the session stays (status 3 or 5), sessions lost.

The rows that mount file systems need root, and have a mount namespace of their own. A row that cannot
run says why; with SIGNET_REQUIRE_INTEROP=1 that is a failure. The row 'kill' is the one loss that no
client can prevent (Documentation/SESSIONS.md), and does not count.
"""

import argparse
import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from losses import keyring
from losses.home import DUE, EXPIRED, Home
from losses.provider import PATIENCE, Provider
from losses.row import LANES, Bench, Row

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
APART = "SIGNET_SESSION_LOSSES_APART"
KIB = 1024


def disk_full(row, has_reader=False):
    """Full before the call."""
    def body(free):
        with Home(row, has_disk=True) as home, home.old_reader(has_reader):
            time.sleep(DUE)
            home.token()
            time.sleep(EXPIRED)
            with home.full(free):
                home.token()
                time.sleep(EXPIRED)
                home.token()
            home.settle()
    row.each(row.sample(range(0, 641 * KIB, 4 * KIB)), body)


def disk_full_reader(row):
    """The same with a reader that has an old snapshot."""
    disk_full(row, has_reader=True)


def disk_filled(row):
    """Full from the moment at which the provider is asked, three times."""
    def body(item):
        free, has_reader = item
        with Home(row, has_disk=True) as home, home.old_reader(has_reader):
            for _ in range(3):
                time.sleep(EXPIRED)
                with contextlib.ExitStack() as until_answered:
                    with home.asking() as process:
                        until_answered.enter_context(home.full(free))
                    home.token(process)
            home.settle()
    row.each(itertools.product(row.sample(range(0, 65 * KIB, 4 * KIB)), (False, True)), body)


def read_only(row):
    """The folder of the vault is read-only; that of the state is not."""
    def body(item):
        _, has_reader = item
        with Home(row, has_disk=True) as home, home.old_reader(has_reader):
            time.sleep(EXPIRED)
            with home.read_only():
                home.token()
                time.sleep(EXPIRED)
                home.token()
            home.settle()
    row.each(itertools.product(range(row.count(10, 2)), (False, True)), body)


def locked(row, lock, unlock, has_keyring=False):
    """The vault's key is out of reach, before the call or from the moment the provider is asked."""
    def body(item):
        _, is_asking = item
        with Home(row, has_keyring=has_keyring) as home:
            time.sleep(EXPIRED)
            with home.asking() if is_asking else contextlib.nullcontext() as process:
                lock(home)
            home.token(process)
            time.sleep(EXPIRED)
            home.token()
            unlock(home)
            home.settle()
    row.each(itertools.product(range(row.count(10, 2)), (False, True)), body)


def key_gone(row):
    locked(row, lambda home: os.rename(home.key, home.key + ".away"),
           lambda home: os.rename(home.key + ".away", home.key))


def keyring_locked(row):
    locked(row, lambda home: home.keyring.restart(is_locked=True),
           lambda home: home.keyring.restart(is_locked=False), has_keyring=True)


def busy_before(row):
    """Another process has the vault's write lock for a minute, which begins before the call."""
    def body(_):
        with Home(row) as home:
            time.sleep(EXPIRED)
            with home.busy(row.count(60, 12)) as end:
                home.token()
                while time.monotonic() < end:
                    time.sleep(1)
                    home.token()
            home.settle()
    row.each(range(LANES), body)


def busy_during(row):
    """The same minute begins while the provider is asked."""
    def body(_):
        with Home(row) as home:
            time.sleep(EXPIRED)
            with contextlib.ExitStack() as until_free:
                with home.asking() as process:
                    until_free.enter_context(home.busy(row.count(60, 12)))
            home.token(process)
            home.settle()
    row.each(range(LANES), body)


def in_homes(row, items, body):
    """Calls the body with a home and each item. A home whose session is lost is replaced."""
    items = list(items)

    def lane(start):
        left = items[start::LANES]
        while left:
            with Home(row) as home:
                home.family.delay = 0.15
                is_there = True
                while left and is_there:
                    time.sleep(DUE)
                    body(home, left.pop())
                    is_there = home.settle(DUE)
    row.each(range(LANES), lane)


def signalled(number):
    """A row: the signal at every 10 ms, counted from the start and from the request's arrival."""
    def play(row):
        in_homes(row, itertools.product((False, True), row.sample(range(0, 301, 10))), body)

    def body(home, item):
        from_arrival, milliseconds = item
        home.family.arrived.clear()
        process = home.start("token")
        while from_arrival and process.poll() is None and not home.family.arrived.wait(0.01):
            pass
        time.sleep(milliseconds / 1000)
        # Twice, as by someone who does not wait.
        process.send_signal(number)
        time.sleep(0.005)
        process.send_signal(number)
        if number == signal.SIGTSTP:
            deadline = time.monotonic() + PATIENCE
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.2)
                process.send_signal(signal.SIGCONT)
        if home.token(process) not in (0, 4, -number, 128 + number):
            home.row.fault(f"{home.client}: status {process.returncode} after {number.name}")
    return play


def time_limit(row):
    """`timeout 0.1 signet token`, of a provider that answers after 0.15 s; and longer, for a machine
    on which the request comes after 0.1 s."""
    limits = itertools.islice(itertools.cycle(("0.1", "0.2", "0.3")), row.count(120, 12))
    in_homes(row, limits, lambda home, limit: home.token(
        home.start("token", before=["timeout", limit])))


def two_states(row, has_keyring=False):
    """Two calls at once, with one vault and two state folders."""
    def body(_):
        with Home(row, has_keyring=has_keyring) as home:
            home.family.delay = 0.05
            other = os.path.join(home.path, "other")
            os.makedirs(os.path.join(other, "signet"), 0o700)
            if not has_keyring:
                shutil.copy(home.key, os.path.join(other, "signet"))
            for _ in range(row.count(20, 3)):
                time.sleep(DUE)
                for call in [home.start("token"), home.start("token", XDG_STATE_HOME=other)]:
                    home.token(call)
                if not home.settle(DUE):
                    break
    row.each(range(LANES), body)


def two_states_keyring(row):
    """The same where the vault's key is in the keyring."""
    two_states(row, has_keyring=True)


def shells(row):
    """8 shells that ask for tokens as fast as they can."""
    script = 'i=0; while [ $i -lt "$1" ]; do "$0" token >/dev/null || exit; i=$((i+1)); done'
    command = ["sh", "-c", script, row.bench.signet, str(row.count(100, 20))]
    with Home(row) as home:
        home.family.delay = 0.05
        running = [
            subprocess.Popen(command, env=home.environment, stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True) for _ in range(8)]
        for shell in running:
            _, errors = shell.communicate()
            if shell.returncode != 0:
                row.fault(f"a shell: status {shell.returncode}: {errors.strip()[:300]}")
        home.settle()


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP]
ROWS = {
    "disk-full": disk_full, "disk-full-reader": disk_full_reader, "disk-filled": disk_filled,
    "read-only": read_only, "key-gone": key_gone, "keyring-locked": keyring_locked,
    "busy-before": busy_before, "busy-during": busy_during,
    **{"signal-" + number.name[3:]: signalled(number) for number in SIGNALS},
    "two-states": two_states, "two-states-keyring": two_states_keyring, "shells": shells,
    "timeout": time_limit, "kill": signalled(signal.SIGKILL)}
MOUNTS = {"disk-full", "disk-full-reader", "disk-filled", "read-only"}
KEYRINGS = {"keyring-locked", "two-states-keyring"}
# While the disturbance lasts, these cannot but refuse a token now and then.
REFUSING = {"disk-full", "disk-full-reader", "read-only", "key-gone", "keyring-locked", "busy-before"}
# No client can prevent its losses.
DOCUMENTED = "kill"


def obstacle(name):
    """Why a row cannot run here; None if it can."""
    if name in MOUNTS and APART not in os.environ:
        return "only root can mount file systems"
    absent = [each for each in keyring.PROGRAMS if name in KEYRINGS and not shutil.which(each)]
    return f"no {' or '.join(absent)} on this machine" if absent else None


def line(*cells, note=""):
    print("{:20}{:>7}{:>11}{:>9}{:>6}".format(*cells) + note, flush=True)


def main(names, bench):
    lost = failures = 0
    line("row", "runs", "exchanges", "refused", "lost")
    for name in names:
        why = obstacle(name)
        if why:
            print(f"{name:20} skipped: {why}", flush=True)
            failures += os.environ.get("SIGNET_REQUIRE_INTEROP") == "1"
            continue
        row = Row(name, bench)
        # As an item of its own, so that an exception is a fault of the row.
        row.each([row], ROWS[name])
        if not row.runs or not row.exchanges or (name in REFUSING and not row.refused):
            row.fault("it disturbed nothing")
        note = "  no client can prevent it, and it does not count" if name == DOCUMENTED else ""
        line(name, row.runs, row.exchanges, row.refused, row.lost, note=note)
        for fault in row.faults[:10]:
            print(f"    {fault}", flush=True)
        failures += bool(row.faults)
        lost += 0 if name == DOCUMENTED else row.lost
    print(f"{lost} sessions lost" + (f", and {failures} rows failed or are missing" if failures else ""))
    return 1 if lost or failures else 0


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a sample of the runs")
    parser.add_argument("--row", action="append", choices=ROWS, help="only this one; may be repeated")
    parser.add_argument("--signet", help="the program; without it the one that was built here")
    parser.add_argument("--verbose", action="store_true", help="show each call without a token")
    return parser.parse_args()


def built():
    folder = subprocess.run(
        ["swift", "build", "--package-path", ROOT, "--show-bin-path"], check=True,
        stdout=subprocess.PIPE, text=True).stdout.strip()
    return os.path.join(folder, "signet")


def go_apart():
    """Begins again in a mount namespace of its own, if that is allowed."""
    way = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid() == 0 and APART not in os.environ and shutil.which(way[0]):
        if subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
            os.environ[APART] = "1"
            os.execvp(way[0], [*way, sys.executable, *sys.argv])


if __name__ == "__main__":
    WANTED = arguments()
    go_apart()
    # What is ignored here would be ignored by every program that begins here.
    for each in SIGNALS:
        signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    os.umask(0o077)
    with tempfile.TemporaryDirectory(prefix="signet-losses-") as FOLDER:
        SIGNET = os.path.abspath(WANTED.signet or built())
        BENCH = Bench(SIGNET, FOLDER, Provider(SIGNET, FOLDER), WANTED.quick, WANTED.verbose)
        STATUS = main(WANTED.row or list(ROWS), BENCH)
    sys.exit(STATUS)
