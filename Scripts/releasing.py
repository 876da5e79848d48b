#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Releases a version, up to the tag. Documentation/RELEASING.md has what people do before and after.

    releasing.py VERSION          `make release VERSION=0.1.0`
    releasing.py VERSION --dry    the same plan, and what is in its way; nothing is changed

It begins with what costs nothing: the work tree, the numbers, the changelog, this machine, and each
placeholder of the table in RELEASING.md. It lists all that is in the way, and refuses. Then come the
steps, each of which may fail, and says what to do. The same command goes on from there: what has
passed for a commit does not run again for it. Nothing is pushed. releasing_test.py has the cases.
"""

import gzip
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = "Documentation/RELEASING.md"
NUMBER = "Sources/tools/SignetAudit/Evidence/SignetVersion.swift"
# It shows how a package depends on this one.
DEPENDING = "README.md"
DEPENDENCY = re.compile(r'(\.package\(url: "[^"]+", )(?:revision|from): "[^"]*"')
TABLE = "\n| Placeholder | Where | Who decides |\n|---|---|---|\n"
ROW = re.compile(r"\| `([^`]+)` \| ((?:`[^`]+`,? ?)+)\| (.+) \|")
# What only a host has, so no file may show it before there is one.
CLAIMS = r"shields\.io|/badge\.svg|swiftpackageindex\.com/[a-zA-Z]|github\.com/[a-zA-Z-]+/signet"
FIRST = re.compile(r"\nNothing has been released yet\.[^\n]*(?:\n[^\n]+)*\n")


class Release:
    def __init__(self, version, root=ROOT, is_dry=False):
        self.version, self.root, self.is_dry = version, pathlib.Path(root), is_dry
        self.dist = self.root / ".build" / "dist"
        self.date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))

    def git(self, *arguments):
        """Git's answer; nothing if it fails."""
        answer = subprocess.run(
            ["git", "-c", "core.quotePath=false", *arguments], cwd=self.root, capture_output=True, text=True)
        return answer.stdout.strip() if answer.returncode == 0 else ""

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    # What costs nothing. Each yields what is in the way.

    def tree(self):
        if self.git("branch", "--show-current") != "main":
            yield "this is not the branch main: git switch main"
        if changed := self.git("status", "--porcelain"):
            yield f"{len(changed.splitlines())} files are not committed: commit or remove them"
        if self.git("rev-parse", "--is-shallow-repository") != "false":
            yield "the clone has no history: git fetch --unshallow"
        if self.git("tag", "--list", self.version):
            yield f"the tag {self.version} is there, and a tag never moves: take the next number"

    def numbers(self):
        if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", self.version):
            yield f"VERSION is three numbers, as in 0.1.0, not '{self.version}'"
        elif f'current = "{self.version}"' not in self.read(NUMBER):
            yield f"{NUMBER} has another number: set {self.version} there, and commit it"
        if not DEPENDENCY.search(self.read(DEPENDING)):
            yield f"{DEPENDING} shows no '.package(url: …)', in which the number would be set"

    def changelog(self):
        text = self.read("CHANGELOG.md")
        section = text.partition("\n## Unreleased\n")[2].partition("\n## ")[0]
        if not section.strip() and not self.is_in_changelog(text):
            yield "CHANGELOG.md has nothing under '## Unreleased': say what is different for whom"

    def is_in_changelog(self, text):
        return f"\n## {self.version} - " in text

    def rows(self):
        """Of the table in RELEASING.md: the placeholder, the files that have it, and who decides."""
        _, is_there, rest = self.read(LIST).partition(TABLE)
        for line in rest.partition("\n\n")[0].splitlines() if is_there else ["no table"]:
            match = ROW.fullmatch(line)
            if not match:
                sys.exit(f"release: {LIST} has no table of placeholders, or what is no row of it: {line}")
            yield match[1], set(re.findall(r"`([^`]+)`", match[2])), match[3]

    def files_with(self, *pattern):
        listed = self.git("grep", "--untracked", "-lI", *pattern, "--", ".", f":!{LIST}", ":!Scripts/releasing*")
        return set(listed.split("\n")) - {""}

    def placeholders(self):
        rows = list(self.rows())
        for text, _, who in rows:
            for path in sorted(self.files_with("-F", "-e", text)):
                yield f"{path} has the placeholder '{text}', for which there is: {who}"
        yield from self.untrue_rows(rows)

    def untrue_rows(self, rows):
        """Where the table and the files differ. `make lint` wants it true at any time."""
        for text, listed, _ in rows:
            found = self.files_with("-F", "-e", text)
            for path in sorted(listed - found):
                yield f"{path} has no '{text}' any more: take it from the table in {LIST}"
            for path in sorted(found - listed):
                yield f"{path} has '{text}', and the table in {LIST} does not say so"
        if rows:
            for path in sorted(self.files_with("-E", "-e", CLAIMS)):
                yield f"{path} shows what only a host has ({CLAIMS}), and the table has placeholders"

    def machine(self):
        if os.geteuid() != 0:
            yield "make deb, test-deb and reproducible need root"
        if not os.path.isdir(os.environ.get("SIGNET_WYCHEPROOF", "")):
            yield "SIGNET_WYCHEPROOF must name the folder testvectors_v1 of a checkout of Wycheproof"
        if re.search(r"\b([0-9A-F]{4} {0,2}){10}\b", self.read("SECURITY.md")) and not self.git("config", "user.signingkey"):
            yield "SECURITY.md names a key, and Git knows none: git config user.signingkey"

    # The steps. Each returns nothing; a command that fails ends the program with the advice.

    def run(self, command, advice, **variables):
        print(f"release: {command}", flush=True)
        # Without what make passes on, and no VERSION for programs that know one of their own.
        kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "VERSION")}
        if subprocess.run(["bash", "-c", command], cwd=self.root, env={**kept, **variables}).returncode != 0:
            sys.exit(f"release: failed: {command}\nrelease: {advice} Then give the same command again.")

    def commit(self):
        text = self.read("CHANGELOG.md")
        if self.is_in_changelog(text):
            return
        heading = f"\n## Unreleased\n\n## {self.version} - {time.strftime('%Y-%m-%d', self.date)}\n"
        texts = {"CHANGELOG.md": FIRST.sub("", text.replace("\n## Unreleased\n", heading, 1), 1)}
        texts[DEPENDING] = DEPENDENCY.sub(rf'\g<1>from: "{self.version}"', self.read(DEPENDING), 1)
        for path, new in texts.items():
            (self.root / path).write_text(new, encoding="utf-8")
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", self.date)
        self.run(
            f"git commit -q -m 'Release {self.version}' -- {' '.join(texts)}",
            "Git says why. 'git checkout -- .' undoes what was written.",
            GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)

    def api(self):
        self.run("make docs", "If the list differs, api.py says how to write it. Commit what mends it.")

    def check(self):
        self.run(
            "make release-check", "Its last lines say what failed. Commit what mends it.",
            SIGNET_REQUIRE_INTEROP="1", SIGNET_REQUIRE_COUNTS="1")

    def artefacts(self):
        shutil.rmtree(self.dist, ignore_errors=True)
        self.run("make deb test-deb reproducible", "The lines above say why.", SIGNET_TAGS=self.version)
        name = f"signet-{self.version}"
        tar = subprocess.run(
            ["git", "archive", "--format=tar", f"--prefix={name}/", "HEAD"], cwd=self.root, check=True,
            capture_output=True).stdout
        (self.dist / f"{name}.tar.gz").write_bytes(gzip.compress(tar, mtime=0))
        sums = (
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(self.dist.iterdir())
            if path.name.endswith((".deb", ".cdx.json", ".tar.gz")))
        (self.dist / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")

    def tag(self):
        if changed := self.git("status", "--porcelain"):
            sys.exit(f"release: a step has changed files: {changed}\nrelease: commit or undo that. Then give it again.")
        key = self.git("config", "user.signingkey")
        if key:
            self.run(
                f"gpg --yes --armor --local-user {shlex.quote(key)} --detach-sign {self.dist}/SHA256SUMS",
                "gpg says why.")
        else:
            print("release: Git knows no key (user.signingkey), so nothing is signed")
        self.run(
            f"git tag {'--sign' if key else '--annotate'} -m 'Signet {self.version}' {self.version}", "Git says why.")

    CHECKS = (tree, numbers, changelog, machine, placeholders)
    STEPS = (
        (commit, "CHANGELOG.md and README.md get the number, in a commit"),
        (api, "make docs: the list of public declarations is what the code declares"),
        (check, "make release-check: lint, the tests and every part"),
        (artefacts, "make deb test-deb reproducible, the sources, SHA256SUMS, in .build/dist"),
        (tag, "the signature of SHA256SUMS and the tag"),
    )

    # The expensive ones, which do not run again for the same commit.
    KEPT = (api, check, artefacts)

    def go(self):
        print(f"release: {self.version}, in {len(self.STEPS)} steps; nothing is pushed")
        for number, (step, what) in enumerate(self.STEPS, 1):
            print(f"release: {number}. {step.__name__}: {what}")
        found = [f"{check.__name__}: {line}" for check in self.CHECKS for line in check(self)]
        if found:
            print("release: refused. In the way is:", *found, sep="\n  - ")
            return 1
        if self.is_dry:
            print("release: nothing is in the way, and nothing was done")
            return 0
        for step, _ in self.STEPS:
            note, head = self.root / ".build" / "release" / step.__name__, self.git("rev-parse", "HEAD")
            if step in self.KEPT and note.is_file() and note.read_text() == head:
                print(f"release: {step.__name__} has passed for this commit")
                continue
            step(self)
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(head)
        print(f"release: {self.version} is tagged. What comes now: {LIST}, 'After the tag'")
        return 0


def main(arguments):
    words = [word for word in arguments if word != "--dry"]
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    return Release(words[0], is_dry="--dry" in arguments).go()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
