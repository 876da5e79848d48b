#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Tests of releasing.py, in a repository of their own whose Makefile only notes what it is asked for.
`make lint` runs them."""

import contextlib
import io
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import releasing

FILES = {
    "Makefile": "docs release-check deb test-deb reproducible:\n\t@echo $@ $$SIGNET_TAGS >>.build/asked; test ! -e .build/fail-$@\n"
                "\t@mkdir -p .build/dist; echo package >.build/dist/a.deb\n",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\nNothing has been released yet. The first\nhas this.\n\n- A line.\n",
    "README.md": '.package(url: "file:///srv/signet", revision: "0123")\n',
    releasing.NUMBER: 'let current = "0.1.0"\n',
    releasing.LIST: releasing.TABLE,
    "SECURITY.md": "# Security\n",
    ".gitignore": ".build/\n",
}


class InARepository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        variables = {
            "SIGNET_WYCHEPROOF": folder.name, "SOURCE_DATE_EPOCH": "1767225600", "GIT_CONFIG_GLOBAL": "/dev/null",
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
        for patch in (unittest.mock.patch.dict(os.environ, variables), unittest.mock.patch("os.geteuid", lambda: 0)):
            patch.start()
            self.addCleanup(patch.stop)
        self.git("init", "-q", "-b", "main")
        (self.root / ".build").mkdir()
        for path, text in FILES.items():
            self.write(path, text)
        self.commit()

    def git(self, *arguments):
        return subprocess.run(
            ["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-qm", "A change")

    def release(self, version="0.1.0", is_dry=False):
        """The status, or what the program ended with, and what it printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                status = releasing.Release(version, self.root, is_dry).go()
            except SystemExit as end:
                status = end.code
        return status, printed.getvalue()

    def asked(self):
        path = self.root / ".build" / "asked"
        return path.read_text().split("\n")[:-1] if path.exists() else []

    def test_a_version_is_committed_checked_built_and_tagged(self):
        self.assertEqual(self.release()[0], 0)
        self.assertEqual(
            self.asked(), ["docs", "release-check", "deb 0.1.0", "test-deb 0.1.0", "reproducible 0.1.0"])
        self.assertEqual(
            (self.root / "CHANGELOG.md").read_text(),
            "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n- A line.\n")
        self.assertIn(
            '.package(url: "file:///srv/signet", from: "0.1.0")', (self.root / releasing.DEPENDING).read_text())
        self.assertEqual(self.git("log", "-1", "--format=%s %cI"), "Release 0.1.0 2026-01-01T00:00:00+00:00")
        self.assertEqual(self.git("cat-file", "-t", "0.1.0"), "tag")
        self.assertEqual(self.git("rev-parse", "0.1.0^{commit}"), self.git("rev-parse", "HEAD"))
        listed = subprocess.run(
            ["sha256sum", "--check", "SHA256SUMS"], cwd=self.root / ".build" / "dist", check=True,
            capture_output=True, text=True).stdout
        self.assertEqual(listed, "a.deb: OK\nsignet-0.1.0.tar.gz: OK\n")
        self.assertIn("a tag never moves", self.release()[1])

    def test_a_step_that_fails_says_what_to_do_and_is_where_the_next_run_begins(self):
        (self.root / ".build" / "fail-release-check").touch()
        status, _ = self.release()
        self.assertIn("failed: make release-check", status)
        self.assertIn("Commit what mends it. Then give the same command again", status)
        self.assertEqual(self.git("tag"), "")
        (self.root / ".build" / "fail-release-check").unlink()
        self.assertEqual(self.release()[0], 0)
        self.assertEqual(self.asked()[:3], ["docs", "release-check", "release-check"])
        self.assertEqual(self.git("log", "--format=%s"), "Release 0.1.0\nA change")

    def test_what_is_in_the_way_is_listed_at_once_and_nothing_is_done(self):
        self.write(releasing.LIST, releasing.TABLE + "| `host.example` | `README.md` `gone.md` | the owner |\n")
        self.write("README.md", "host.example\n")
        self.write("other.yml", "host.example, and img.shields.io\n")
        self.write("SECURITY.md", "0123 4567 89AB CDEF 0123  4567 89AB CDEF 0123 4567\n")
        self.write("CHANGELOG.md", "\n## Unreleased\n\n## 0.0.9 - 2025-01-01\n\n- A line.\n")
        self.commit()
        self.git("switch", "-qc", "other")
        self.write("new", "")
        for version, finding in [("0.1.0", "nothing under"), ("0.2.0", "another number"), ("1.0", "three numbers")]:
            os.environ["SIGNET_WYCHEPROOF"] = "/nowhere"
            status, printed = self.release(version)
            self.assertEqual(status, 1)
            for line in [
                finding, "not the branch main", "1 files are not committed", "README.md shows no '.package",
                "SIGNET_WYCHEPROOF must", "SECURITY.md names a key", "README.md has the placeholder 'host.example', for which there is: the owner",
                "other.yml has the placeholder", "gone.md has no 'host.example' any more",
                "other.yml has 'host.example', and the table", "other.yml shows what only a host has",
            ]:
                self.assertIn(line, printed)
        self.assertEqual((self.asked(), self.git("log", "-1", "--format=%s")), ([], "A change"))

    def test_a_table_that_cannot_be_read_refuses(self):
        for text in ["", "\n| Placeholder | Where |\n|---|---|\n", releasing.TABLE + "| host.example | README.md | the owner |\n"]:
            self.write(releasing.LIST, text)
            self.commit()
            self.assertIn("no table of placeholders", self.release()[0])
        self.assertEqual(self.git("tag"), "")

    def test_a_dry_run_shows_the_steps_and_changes_nothing(self):
        status, printed = self.release(is_dry=True)
        self.assertEqual(status, 0)
        for step, _ in releasing.Release.STEPS:
            self.assertIn(f". {step.__name__}: ", printed)
        self.assertEqual((self.asked(), self.git("status", "--porcelain"), self.git("tag")), ([], "", ""))


class ThisRepository(unittest.TestCase):
    @unittest.skipUnless(releasing.Release("0.1.0").git("rev-parse", "--show-toplevel"), "there is no Git here")
    def test_the_table_is_true_and_each_row_refuses_a_release(self):
        release = releasing.Release("0.1.0")
        rows, refusals = list(release.rows()), "\n".join(release.placeholders())
        self.assertEqual(list(release.untrue_rows(rows)), [])
        for text, _, who in rows:
            self.assertIn(f"has the placeholder '{text}', for which there is: {who}", refusals)


if __name__ == "__main__":
    unittest.main()
