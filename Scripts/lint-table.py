#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks that each rule of lint.sh finds what it is for.

Copies the tree, plants every violation of Scripts/lint-table.ini in the copy, and runs lint there.
Each line that a rule prints must be one that the table says of this rule, and each that it says must
be printed; a rule without a violation fails. So a rule that finds nothing is found, and so is a rule
that finds what another one is for.

    Scripts/lint-table.py            findings, one per line; fails if there is one
    Scripts/lint-table.py --keep     leaves the copies, and says where
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import package

TABLE = package.ROOT / "Scripts" / "lint-table.ini"
HEAD = "// Signet: security primitives for Swift on Linux\n// SPDX-License-Identifier: Apache-2.0\n\n"
# These read each file with a program that takes seconds, so their copy has one file of each folder.
SLOW = {"layout": "swift", "shell": "shellcheck"}
# It is this file.
APART = {"table"}
KEYS = {"new", "copies", "edit", "find", "put", "text", "times", "bare", "says", "more"}


def planted():
    """The sections of the table, as pairs of a rule and the keys with their lines."""
    found = []
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.fullmatch(r"\[(\w+)(?:: .+)?\]", line):
            found.append((match[1], {}))
        elif (match := re.fullmatch(r"(\w+) = ?(.*)", line)) and found and match[1] in KEYS:
            key = match[1]
            found[-1][1][key] = [match[2]]
        elif line.startswith("    ") and found and found[-1][1]:
            found[-1][1][key].append(line[4:])
        elif line.strip() and not line.startswith("#"):
            sys.exit(f"{TABLE.name}:{number}: neither a section nor a key: {line}")
    # Lint reads the table as well, so a tilde keeps from it what it would find here.
    return [
        (rule, {key: [line.replace("~", "") for line in lines] for key, lines in keys.items()})
        for rule, keys in found
    ]


class Copy:
    """A copy of some files of the tree, with a Git of its own. A file is the same one until it is written."""

    def __init__(self, files):
        (package.ROOT / ".build").mkdir(exist_ok=True)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="lint-table.", dir=package.ROOT / ".build"))
        self.files = files
        self.folders = package.targets()
        for file in files:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(package.ROOT / file, self.root / file)
            except OSError:
                shutil.copy(package.ROOT / file, self.root / file)
        # Rules may compare texts with those of a commit.
        texts = [file for file in files if file.endswith((".md", ".txt"))]
        for command in (
            ["init", "-q"], ["add", "--", *texts],
            ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "Before the violations"],
        ):
            subprocess.run(["git", *command], cwd=self.root, check=True)
        (self.root / ".build").mkdir()
        shutil.copy(package.CACHE, self.root / ".build")

    def write(self, path, text):
        target = self.root / path
        mode = target.stat().st_mode if target.exists() else 0o644
        target.unlink(missing_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)

    def plant(self, keys):
        text = "\n".join(keys.get("text", [])) + "\n"
        text *= int(keys.get("times", ["1"])[0])
        if "new" in keys:
            head = HEAD if keys["new"][0].endswith(".swift") and "bare" not in keys else ""
            path = package.located(keys["new"][0], self.folders)
            for number in range(int(keys.get("copies", ["1"])[0])):
                self.write(path.replace("#", str(number)), head + text)
        elif "edit" in keys:
            path = self.only(keys["edit"][0])
            old = (self.root / path).read_text(encoding="utf-8")
            if "find" in keys:
                new = re.sub(keys["find"][0], "\n".join(keys["put"]), old, count=1, flags=re.M)
                if new == old:
                    sys.exit(f"{TABLE.name}: {path} has nothing like {keys['find'][0]}")
            else:
                new = old.rstrip("\n") + "\n\n" + text
            self.write(path, new)

    def only(self, name):
        found = [file for file in self.files if f"/{file}".endswith(f"/{name}")]
        if name in found:
            return name
        return found[0] if len(found) == 1 else sys.exit(f"{TABLE.name}: {len(found)} files are {name}")

    def lint(self, rules):
        """What each rule prints."""
        # A commit that the copy does not have.
        variables = {name: value for name, value in os.environ.items() if name != "SIGNET_SINCE"}
        answer = subprocess.run(
            ["bash", self.root / "Scripts" / "lint.sh", "--rule", *rules], stdin=subprocess.DEVNULL,
            env=variables, capture_output=True, text=True)
        lines, rule = collections.defaultdict(list), None
        for line in answer.stderr.splitlines():
            if line.startswith("    ") and rule:
                lines[rule].append(line.strip())
            elif match := re.match(r"lint: (\w+): ", line):
                rule = match[1]
            elif not re.match(r"lint: \d+ kinds of finding", line):
                lines["lint"].append(line)
        return lines


def differences(printed, said, more):
    for rule in sorted(printed.keys() | said.keys()):
        for text in said[rule]:
            if not any(text in line for line in printed[rule]):
                yield f"{rule} does not find: {text}"
        if rule not in more:
            for line in printed[rule]:
                if not any(text in line for text in said[rule]):
                    yield f"{rule} finds what is not planted for it: {line}"


def main():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=package.ROOT,
        capture_output=True, text=True)
    if listed.returncode != 0:
        print("lint-table: not checked, because Git does not know this tree")
        return 0
    files = [file for file in listed.stdout.split("\0") if file and (package.ROOT / file).is_file()]
    names = subprocess.run(
        ["bash", package.ROOT / "Scripts" / "lint.sh", "--rules"], check=True, capture_output=True, text=True)
    rules = [rule for rule in names.stdout.split() if rule not in APART]
    plants, said, more = planted(), collections.defaultdict(list), set()
    for rule, keys in plants:
        said[rule] += keys.get("says", [])
        more |= {rule} if "more" in keys else set()
    findings = [f"{rule} has no violation" for rule in rules if not said[rule]]
    findings += [f"there is no rule {rule}" for rule in said if rule not in rules]
    places = ("Examples", *(target.folder for target in package.targets().values()))
    few = {next((file for file in files if re.match(rf"{place}/.*\.swift$", file)), "Makefile") for place in places}
    few |= {file for file in files if "/" not in file or file.startswith("Scripts/")}
    slow = [rule for rule in rules if rule in SLOW and shutil.which(SLOW[rule])]
    for copied, chosen in (
        (files, [rule for rule in rules if rule not in SLOW]),
        (sorted(few), slow),
    ):
        if not chosen:
            continue
        copy = Copy(copied)
        try:
            for rule, keys in plants:
                if rule in chosen:
                    copy.plant(keys)
            expected = collections.defaultdict(list, {rule: said[rule] for rule in chosen})
            findings += differences(copy.lint(chosen), expected, more)
        finally:
            if "--keep" in sys.argv:
                print(f"lint-table: {copy.root}")
            else:
                shutil.rmtree(copy.root)
    for rule in SLOW.keys() - set(slow):
        print(f"lint-table: {rule} is not checked, because {SLOW[rule]} is not installed")
    count = sum(map(len, said.values()))
    print("\n".join(findings) or f"lint-table: {len(rules)} rules find {count} violations, each its own")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
