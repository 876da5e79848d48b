#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Tests of api.py: what its list holds, and what it wants of the changelog. `make lint` runs them."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import api
import package


def symbol(path, signature, kind="property", identifier=None, extends=None, constraints=()):
    found = {
        "kind": {"identifier": f"swift.{kind}"},
        "identifier": {"precise": identifier or path + signature},
        "pathComponents": path.split("."),
        "declarationFragments": [{"spelling": signature}],
    }
    if extends:
        found["swiftExtension"] = {"extendedModule": extends, "constraints": list(constraints)}
    return found


def conforms(source, protocol, constraints=()):
    return {
        "kind": "conformsTo", "source": source, "target": protocol, "targetFallback": f"Swift.{protocol}",
        "swiftConstraints": list(constraints)}


SAME = {"kind": "sameType", "lhs": "Domain", "rhs": "KeyDomain"}
SENDABLE = {"kind": "conformance", "lhs": "Claims", "rhs": "Sendable"}
COPYABLE = {"kind": "conformance", "lhs": "Claims", "rhs": "Copyable"}
GRAPH = {
    "module": {"name": "Keys"},
    "symbols": [
        symbol("Key", "struct Key<Claims> where Claims : Any", "struct", "key"),
        symbol("Key.size", "let size: Int"),
        symbol("Key.make(_:)", "static func make(_ size:\n    Int) throws(KeyError) -> Key", "type.method"),
        symbol("Key.==(_:_:)", "static func == (a: Key, b: Key) -> Bool", "func.op"),
        symbol("Key.hash(into:)", "func hash(into hasher: inout Hasher)", "method"),
        symbol("Key.hash()", "func hash() -> [UInt8]", "method"),
        symbol("Key.init(from:)", "init(from decoder: any Decoder) throws", "init"),
        symbol("Key.encode(to:)", "func encode(to encoder: any Encoder) throws", "method"),
        symbol("Key.!=(_:_:)", "static func != (a: Self, b: Self) -> Bool", "func.op", "a::SYNTHESIZED::key"),
        symbol("Key.init(rawValue:)", "init?(rawValue: String)", "init"),
        symbol("Key.Use", "enum Use", "enum", "use"),
        symbol("Key.Use.sign", "case sign", "enum.case"),
        symbol("Key.Use.init(rawValue:)", "init?(rawValue: String)", "init"),
        symbol("Store", "protocol Store : Sendable", "protocol", "store"),
        symbol("Store.read()", "func read()", "method"),
        symbol("Store.read()", "func read()", "method", "default", extends="Keys"),
    ],
    "relationships": [
        conforms("key", "Hashable"), conforms("key", "Copyable"), conforms("use", "Equatable"),
        conforms("key", "Sendable", [COPYABLE, SENDABLE]), conforms("store", "Sendable"),
    ],
}
OTHERS = {
    "module": {"name": "Keys"},
    "symbols": [
        symbol("Error.Code", "extension Error.Code where …", "extension", "block", "Base", [SAME]),
        symbol("Error.Code.lost", "static var lost: Code { get }", "type.property", None, "Base", [SAME]),
        symbol("Error", "extension Error", "extension", "described", "Base"),
    ],
    "relationships": [conforms("described", "Described")],
}
LIST = """
Keys
    extension Error: Described
    extension Error.Code where Domain == KeyDomain | static var lost: Code { get }
    extension Key: Sendable where Claims : Sendable
    struct Key<Claims>: Hashable where Claims : Any
    Key | enum Use: Equatable
    Key.Use | case sign
    Key | func hash() -> [UInt8]
    Key | init?(rawValue: String)
    Key | static func make(_ size: Int) throws(KeyError) -> Key
    Key | let size: Int
    protocol Store : Sendable
    Store | func read()
    extension Store | func read()
"""


class List(unittest.TestCase):
    def test_a_list_has_what_is_declared_and_not_what_follows_from_a_conformance(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = pathlib.Path(folder, "Keys")
            keys.mkdir()
            for name, graph in (("Keys", GRAPH), ("Keys@Base", OTHERS)):
                keys.joinpath(f"{name}.symbols.json").write_text(json.dumps(graph), encoding="utf-8")
            found = api.listing(folder)
        self.assertEqual(
            sorted(api.modules(found)["Keys"]), sorted(line[4:] for line in LIST.splitlines() if line[:1] == " "))
        self.assertEqual(api.top_types(found), {"Key", "Store"})
        self.assertIn("KeyError", api.top_types("Keys\n    @frozen final class KeyError\n"))

    def test_this_tree_has_a_list_of_each_product(self):
        listed = api.modules((package.ROOT / api.LISTING).read_text(encoding="utf-8"))
        # An underscore says that a product is no API.
        names = {product["name"] for product in package.dump()["products"] if product["name"][0] != "_"}
        self.assertEqual(set(listed) ^ names, set())
        self.assertEqual([module for module, lines in listed.items() if not lines], [])


class Changelog(unittest.TestCase):
    def findings(self, old, new, old_log, new_log):
        return list(api.changes(old, new, old_log, new_log))

    def test_a_change_of_the_list_is_one_of_the_changelog(self):
        old, new = "A\n    struct Key\n", "A\n    struct Key\n    Key | let size: Int\n"
        self.assertEqual(self.findings(old, old, "- a\n", "- a\n"), [])
        self.assertEqual(self.findings(old, old, "- a\n", "- b\n"), [])
        self.assertEqual(self.findings(old, new, "- a\n", "- b\n"), [])
        (found,) = self.findings(old, new, "- a\n", "- a\n")
        self.assertIn("CHANGELOG.md has not", found)

    def test_a_changed_line_names_each_type_that_is_new_or_gone(self):
        old, new = "A\n    struct Key\n    Key | struct Size\n", "A\n    struct Keys\n    Keys | struct Sizes\n"
        self.assertEqual(self.findings(old, new, "- `Key`\n", "- `Keys` is what\n  `Key` was\n"), [])
        for log, named in (
            ("- `Key`\n- `Keys`\n", "Key is gone"),
            ("- `Key`\n- no `Key`\n", "Keys is new"),
            ("- no `Key`, `KeysOfOthers`\n", "Keys is new"),
        ):
            (found,) = self.findings(old, new, "- `Key`\n", log)
            self.assertIn(named, found)
        self.assertEqual(self.findings(old, old.replace("A", "B"), "", "- moved\n"), [])

    def test_a_commit_is_compared_with_what_is_not_committed(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*command):
                subprocess.run(
                    ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *command], cwd=folder,
                    check=True, capture_output=True)

            def write(name, text):
                pathlib.Path(folder, name).parent.mkdir(exist_ok=True)
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")

            root, package.ROOT = package.ROOT, pathlib.Path(folder)
            since = os.environ.pop("SIGNET_SINCE", None)
            try:
                run("init", "-q")
                write(api.LISTING, "A\n    struct Key\n")
                write(api.CHANGELOG, "- `Key`\n")
                run("add", ".")
                run("commit", "-qm", "a")
                self.assertEqual(api.untold(), [])
                write(api.LISTING, "A\n    struct Lock\n")
                self.assertEqual(len(api.untold()), 3)
                run("commit", "-qam", "b")
                self.assertEqual(api.untold(), [])
                os.environ["SIGNET_SINCE"] = "HEAD~1"
                self.assertEqual(len(api.untold()), 3)
                write(api.CHANGELOG, "- `Lock`, for `Key`\n")
                self.assertEqual(api.untold(), [])
            finally:
                package.ROOT = root
                os.environ.pop("SIGNET_SINCE", None)
                if since is not None:
                    os.environ["SIGNET_SINCE"] = since


if __name__ == "__main__":
    unittest.main()
