#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Runs the checks of this package and reports what each cost in processor time.

    gate.py ci               what CI runs: lint, test, then the steady parts that the last day's commits touch
    gate.py release          lint, test and every part
    gate.py part NAME ...    these parts; all of them without a name
    gate.py plan             what 'ci' would run here, and why

    --since COMMIT   with ci and plan: every part touched since this commit, steady or not, whatever it costs
    --record         afterwards, write the measured cost of each part into Scripts/parts.ini

A part is a section of Scripts/parts.ini. CI runs the steady parts that the commits touched, in the
order of that file, as long as their last known costs fit into BUDGET together, and one more steady
part in turn, so that each runs now and then. Of a part in quarters one is run, and all by 'release'.
gate_test.py has the cases.
"""

import collections
import configparser
import os
import re
import resource
import subprocess
import sys
import threading
import time

import package

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "Scripts", "parts.ini")
# Seconds of processor time: for all touched parts together, and for the one in turn.
BUDGET = 15 * 60
LONGEST = 15 * 60
DAY = 24 * 60 * 60
QUARTERS = 4
COUNTS = re.compile(rb"Test run with (\d+) tests? .*?(passed|failed) after")
# Lines that say why a step failed. They are repeated at the end, because logs are often read from there, and cut.
COMPLAINT = re.compile(
    rb"^(\xe2\x9c\x98|\s*\xe2\x86\xb3|gate:|stacks:|fatal)|error: |FAILED|\*\*\* |Traceback")
COMPLAINTS = 40


class Part:
    def __init__(self, section, folders):
        self.name = section.name
        self.cost = section.getint("cost")
        self.steady = section.get("steady", "")
        self.cause = section.get("cause", "")
        self.places = tuple(
            package.located(place, folders) for place in section.get("touched", "").split())
        self.command = section.get("run", "")

    @property
    def is_steady(self):
        return self.steady == "yes"

    def fault(self):
        """What is wrong with the section; None for a good one."""
        if not self.cost or not self.places or not self.command:
            return "needs cost, touched and run"
        if self.cost > LONGEST:
            return f"costs more than {LONGEST} s: split it"
        if self.steady not in ("yes", "no"):
            return "needs steady = yes or steady = no"
        if self.is_steady == bool(self.cause):
            return "needs a cause with steady = no, and none with steady = yes"
        return None

    def commands(self, quarter):
        """What to run: of a part in quarters this one, or all of them for None."""
        if "{quarter}" not in self.command:
            return [self.command]
        return [
            self.command.replace("{quarter}", str(number))
            for number in ([quarter] if quarter else range(1, QUARTERS + 1))]

    def is_touched(self, files):
        return files is None or any(file.startswith(self.places) for file in files)


def parts(text):
    table = configparser.ConfigParser(interpolation=None)
    table.read_string(text, "Scripts/parts.ini")
    folders = package.targets()
    rows = [Part(table[name], folders) for name in table.sections()]
    faults = [f"[{part.name}] {part.fault()}" for part in rows if part.fault()]
    if not rows or faults:
        sys.exit("gate: Scripts/parts.ini: " + ("; ".join(faults) or "no part"))
    return rows


def git(*arguments):
    try:
        result = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, errors="surrogateescape")
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def has_history():
    # A prefix means an archive inside another repository.
    return git("rev-parse", "--is-shallow-repository") == "false" and git("rev-parse", "--show-prefix") == ""


def number_of_turn():
    """The number of commits or, without history, of the hour."""
    return int(has_history() and git("rev-list", "--count", "HEAD") or time.time() // 3600)


def changed_files():
    """The files that the last day's commits changed, counted back from the newest; None if unknown."""
    if not has_history():
        return None
    newest = git("log", "-1", "--format=%ct")
    listing = newest and git(
        "log", f"--since-as-filter={int(newest) - DAY}", "--diff-merges=first-parent", "--no-renames", "-z",
        "--format=", "--name-only")
    return None if listing is None else set(listing.split("\0")) - {""}


def changed_since(commit):
    """The files in which the work tree differs from this commit."""
    start = git("rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}")
    changed = start and git("diff", "--no-renames", "-z", "--name-only", start)
    added = git("ls-files", "-z", "--others", "--exclude-standard")
    if not start or changed is None or added is None:
        sys.exit(f"gate: --since: Git knows no commit {commit} here; name one that 'git log' lists")
    return set((changed + "\0" + added).split("\0")) - {""}


def commit_before(since):
    """What lint compares public declarations with: this commit, or the last one before the last day's."""
    if since or not has_history():
        return since
    newest = git("log", "-1", "--format=%ct")
    return newest and git("rev-list", "-1", "--first-parent", f"--before={int(newest) - DAY - 1}", "HEAD")


def choice_of_ci(all_parts, files, turn):
    """The parts to run, each with the reason, and the parts not to run, after a change of these files."""
    chosen, left = [], []
    total = 0
    for part in all_parts:
        if not part.is_touched(files):
            left.append((part, "not touched"))
        elif not part.is_steady:
            left.append((part, "unsteady"))
        elif total + part.cost > BUDGET:
            left.append((part, "does not fit"))
        else:
            total += part.cost
            chosen.append((part, "history is missing" if files is None else "touched"))
    # A part that is already chosen passes its turn on.
    steady = [part for part in all_parts if part.is_steady]
    start = turn % max(1, len(steady))
    for part in steady[start:] + steady[:start]:
        if all(part is not other for other, _ in chosen):
            chosen.append((part, "in turn"))
            left = [(other, why) for other, why in left if other is not part]
            break
    return chosen, left


def choice_since(all_parts, files):
    return (
        [(part, "touched") for part in all_parts if part.is_touched(files)],
        [(part, "not touched") for part in all_parts if not part.is_touched(files)])


def quarter_to_run(why, turn, steady_count):
    """The quarter to run of a part that has quarters; None for all of them."""
    if why == "release":
        return None
    # If the part is in turn, so many commits lie between two of its turns: each time round is another quarter.
    return (turn // steady_count if why == "in turn" else turn) % QUARTERS + 1


def plan(all_parts, since, turn):
    if since:
        return choice_since(all_parts, changed_since(since))
    return choice_of_ci(all_parts, changed_files(), turn)


class Run:
    """What was run, what it cost, and how it ended."""

    def __init__(self):
        self.rows = []
        self.tests = 0
        self.failed = 0
        self.complaints = []

    def step(self, name, command):
        """Runs a shell command and shows its output. Returns whether it succeeded."""
        print(f"gate: {name}: {command}", flush=True)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen(
            ["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        tests = 0
        told, last = [], collections.deque(maxlen=10)

        def show():
            nonlocal tests
            for line in process.stdout:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
                found = COUNTS.search(line)
                tests = max(tests, int(found[1])) if found else tests
                last.append(line)
                if COMPLAINT.search(line) and len(told) < COMPLAINTS:
                    told.append(line)

        reader = threading.Thread(target=show, daemon=True)
        reader.start()
        status = process.wait()
        reader.join(10)
        if reader.is_alive():
            print(f"gate: {name}: a process outlived it and holds its output", flush=True)
            status = status or 1
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.rows.append((name, cost, time.monotonic() - start, status))
        self.tests += tests
        self.failed += status != 0
        if status != 0:
            self.complaints.append((name, told or list(last)))
        return status == 0

    def finish(self, left):
        """Prints what failed, the table, and a last line that says how many tests were run."""
        for name, lines in self.complaints:
            print(f"\ngate: {name} failed:", flush=True)
            sys.stdout.buffer.write(b"".join(lines))
            sys.stdout.buffer.flush()
        print("\ngate: processor s  clock s")
        for name, cost, clock, status in self.rows:
            print(f"gate: {cost:11.0f} {clock:8.0f}  {name}{'' if status == 0 else '  FAILED'}")
        cost = sum(row[1] for row in self.rows)
        print(f"gate: {cost:11.0f} {sum(row[2] for row in self.rows):8.0f}  in all, on {processor()}")
        for reason in dict.fromkeys(why for _, why in left):
            names = ", ".join(f"{part.name} ({part.cost} s)" for part, why in left if why == reason)
            print(f"gate: not run: {reason}: {names}")
        print(f"{self.tests - min(self.failed, self.tests)} passed, {self.failed} failed")
        return 1 if self.failed else 0

    def record(self):
        with open(TABLE, encoding="utf-8") as file:
            text = file.read()
        for name, cost, _, status in self.rows:
            if status == 0:
                text = re.sub(rf"(?m)^(\[{name}\]\ncost = )\d+$", rf"\g<1>{cost:.0f}", text)
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return f"{len(names) or os.cpu_count()} cores, {names[0] if names else 'unknown'}"


def main(arguments):
    recording = "--record" in arguments
    words = [word for word in arguments if word != "--record"]
    since = None
    if "--since" in words:
        place = words.index("--since")
        since = (words[place + 1:place + 2] or [""])[0]
        del words[place:place + 2]
    verb, names = (words[0] if words else ""), words[1:]
    with open(TABLE, encoding="utf-8") as file:
        all_parts = parts(file.read())
    left, turn = [], number_of_turn()
    if since is not None and (not since or verb not in ("ci", "plan")):
        verb = ""
    if verb == "part" and set(names) <= {part.name for part in all_parts}:
        chosen = [(part, "asked for") for part in all_parts if not names or part.name in names]
    elif verb == "release" and not names:
        chosen = [(part, "release") for part in all_parts]
    elif verb in ("ci", "plan") and not names:
        chosen, left = plan(all_parts, since, turn)
    else:
        print(__doc__ + "\nParts: " + ", ".join(part.name for part in all_parts), file=sys.stderr)
        return 2
    for part, why in chosen:
        print(f"gate: will run {part.name} ({part.cost} s): {why}")
    if verb == "plan":
        for part, why in left:
            print(f"gate: would not run {part.name} ({part.cost} s): {why}")
        return 0
    # Variables that would narrow or change the gate if they came in from outside.
    for name in (
        "ARGS", "COUNTS", "PART", "SINCE", "MAKEFLAGS", "MFLAGS", "SIGNET_TEST_TARGETS", "SIGNET_FULL_EFFORT",
    ):
        os.environ.pop(name, None)
    # For Scripts/api.py.
    os.environ["SIGNET_SINCE"] = (commit_before(since) if verb == "ci" else None) or ""
    # The same value as in the Makefile: with another manifest, everything would be compiled again.
    os.environ["SIGNET_OPTIMIZED_EMAIL"] = "1"
    run = Run()
    # If one of these two fails, nothing after it is worth its time.
    if verb == "part" or (run.step("lint", "make lint") and run.step("test", "make test")):
        steady_count = sum(part.is_steady for part in all_parts)
        for part, why in chosen:
            for command in part.commands(quarter_to_run(why, turn, steady_count)):
                run.step(part.name, command)
    else:
        left = [(part, "lint or test failed") for part, _ in chosen] + left
    if verb != "part" and not run.failed and not run.tests:
        print("gate: no test was counted")
        run.failed = 1
    if recording:
        run.record()
    return run.finish(left)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
