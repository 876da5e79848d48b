#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Tests of gate.py's choice of parts. `make lint` runs them."""

import os
import subprocess
import tempfile
import unittest

import gate


def section(name, cost=100, more="steady = yes", touched=None):
    return f"[{name}]\ncost = {cost}\n{more}\ntouched = {touched or 'Sources/' + name}\nrun = true\n"


UNSTEADY = "steady = no\ncause = a clock of its own"
TABLE = section("a") + section("b", 500) + section("c", 500) + section("d", 60, UNSTEADY) + section("e")


def names(choice):
    return " ".join(f"{part.name}:{why.replace(' ', '-')}" for part, why in choice)


class Table(unittest.TestCase):
    def test_this_repository_has_a_good_table(self):
        with open(gate.TABLE, encoding="utf-8") as file:
            self.assertTrue(gate.parts(file.read()))

    def test_a_section_with_a_fault_is_named(self):
        for text, fault in [
            (section("a", more=""), "needs steady"),
            (section("a", more="steady = mostly"), "needs steady"),
            (section("a", more="steady = no"), "needs a cause"),
            (section("a", more="steady = no\ncause ="), "needs a cause"),
            (section("a", more="steady = yes\ncause = none"), "none with steady = yes"),
            (section("a", cost=901), "split it"),
            (section("a").replace("run = true", ""), "needs cost, touched and run"),
            ("", "no part"),
        ]:
            with self.assertRaises(SystemExit) as stop:
                gate.parts(section("good") + text if text else "")
            self.assertIn(fault, str(stop.exception))
            self.assertNotIn("[good]", str(stop.exception))


class Choice(unittest.TestCase):
    def test_ci_runs_touched_steady_parts_that_fit_and_a_steady_one_in_turn(self):
        parts = gate.parts(TABLE)
        for files, turn, chosen, left in [
            ({"README.md"}, 0, "a:in-turn", "b:not-touched c:not-touched d:not-touched e:not-touched"),
            ({"README.md"}, 7, "e:in-turn", "a:not-touched b:not-touched c:not-touched d:not-touched"),
            ({"Sources/d"}, 3, "e:in-turn", "a:not-touched b:not-touched c:not-touched d:unsteady"),
            ({"Sources/a"}, 0, "a:touched b:in-turn", "c:not-touched d:not-touched e:not-touched"),
            (
                {"Sources/a", "Sources/b/x", "Sources/c", "Sources/d", "Sources/e"}, 0,
                "a:touched b:touched e:touched c:in-turn", "d:unsteady"),
            (
                None, 3, "a:history-is-missing b:history-is-missing e:history-is-missing c:in-turn",
                "d:unsteady"),
        ]:
            found = gate.choice_of_ci(parts, files, turn)
            self.assertEqual((names(found[0]), names(found[1])), (chosen, left), files)

    def test_since_a_commit_every_touched_part_is_run(self):
        found = gate.choice_since(gate.parts(TABLE), {"Sources/b", "Sources/c", "Sources/d"})
        self.assertEqual(names(found[0]), "b:touched c:touched d:touched")
        self.assertEqual(names(found[1]), "a:not-touched e:not-touched")

    def test_each_quarter_has_its_turn_and_a_release_runs_all(self):
        whole, quarters = gate.parts(section("a") + section("b").replace("run = true", "run = {quarter} true"))
        self.assertEqual(whole.commands(None) + whole.commands(3), ["true", "true"])
        self.assertEqual(quarters.commands(gate.quarter_to_run("touched", 7, 24)), ["4 true"])
        self.assertEqual(
            quarters.commands(gate.quarter_to_run("release", 7, 24)), ["1 true", "2 true", "3 true", "4 true"])
        for steady_count in (23, 24, 25, 26):
            rounds = range(5, 5 + 8 * steady_count, steady_count)
            for why, turns in (("touched", range(9, 13)), ("asked for", range(4)), ("in turn", rounds)):
                found = {gate.quarter_to_run(why, turn, steady_count) for turn in turns}
                self.assertEqual(found, {1, 2, 3, 4}, (why, steady_count))

    def test_since_counts_commits_and_what_is_not_committed(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*command):
                subprocess.run(
                    ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *command], cwd=folder,
                    check=True, capture_output=True)

            def write(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)

            root, gate.ROOT = gate.ROOT, folder
            try:
                run("init", "-q")
                for name in ("before", "committed"):
                    write(name, name)
                    run("add", name)
                    run("commit", "-qm", name)
                write("before", "changed")
                write("new file", "")
                self.assertEqual(gate.changed_since("HEAD~1"), {"before", "committed", "new file"})
                self.assertEqual(gate.changed_since("HEAD"), {"before", "new file"})
                self.assertEqual(gate.commit_before("HEAD~1"), "HEAD~1")
                for commit in ("nothing", "", "--all"):
                    with self.assertRaises(SystemExit):
                        gate.changed_since(commit)
            finally:
                gate.ROOT = root

    def test_without_a_commit_a_change_is_compared_with_the_last_one_before_the_last_day(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*command, date="2026-01-01"):
                variables = dict(os.environ, GIT_COMMITTER_DATE=f"{date}T12:00:00Z")
                return subprocess.run(
                    ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *command], cwd=folder,
                    env=variables, check=True, capture_output=True, text=True).stdout.strip()

            root, gate.ROOT = gate.ROOT, folder
            try:
                run("init", "-q")
                for date, before in (("2026-01-01", ""), ("2026-01-03", "HEAD~1"), ("2026-01-04", "HEAD~2")):
                    run("commit", "-q", "--allow-empty", "-m", date, date=date)
                    found = gate.commit_before(None)
                    self.assertEqual(found, before and run("rev-parse", before), date)
            finally:
                gate.ROOT = root


if __name__ == "__main__":
    unittest.main()
