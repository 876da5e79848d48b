#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Makes Tests/stores/SignetVaultTests/VaultFormat/Fixtures: good vaults, damaged ones, and what must come of each.

    make-fixtures.py            writes them
    make-fixtures.py --check    compares those there with what it would write

NAME.vault    a good vault
damaged.json  each damaged one as what differs from a good one: its length, and octets (hexadecimal) at offsets; what is beyond the
              good one's end and not named is zero; `wal` is the file beside it, which begins as nothing
LEVELS.md     the damaged ones as a table for people: which level is the first to notice
manifest.json what is in the good ones, and what must come of the damaged ones at each level (damage.py says how to read it)

What the levels must find is written by hand in damage.py; it is compared here with what signetv1.py finds. The outcome for the
other items of a damaged vault is taken from signetv1.py, and may only be their right value or an error, unless damage.py says otherwise.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from signetv1 import Vault, VaultError, item_to_json, method_from  # noqa: E402

import damage as matrix  # noqa: E402
import vaults  # noqa: E402
from desk import Desk  # noqa: E402
from octets import difference, normalised  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"
GOOD = ("empty", "several", "rotating", "rooted", "slots", "full", "changed", "limits")


def key_to_json(key):
    return {"class": key.item_class, "group": key.group, "service": key.service, "account": key.account}


def vault_to_json(entry):
    items = [{**item_to_json(found.item), "value": found.value.hex()} for found in entry["entries"]]
    absent = [key_to_json(key) for key in entry["absent"]]
    return {**{k: v for k, v in entry.items() if k not in ("entries", "absent")}, "items": items, "absent": absent}


def outcome(body):
    try:
        return body()
    except VaultError as error:
        return error.code


class Examination:
    """What signetv1.py makes of a damaged vault."""

    def __init__(self, damage, path, good):
        self.damage, self.path = damage, path
        self.right = {found.item.key: found.value for found in good["entries"]}
        self.right.update({key: None for key in good["absent"]})
        self.others = []

    def run(self):
        try:
            vault = Vault.open(self.path)
        except VaultError as error:
            return {"open": error.code}
        with vault:
            try:
                vault.unlock(method_from(self.damage.method))
            except VaultError as error:
                return {"unlock": error.code}
            return self.levels(vault)

    def levels(self, vault):
        found = {level: self.read(vault, self.damage.key, level) for level in ("lazy", "strict")}
        found["list"] = outcome(lambda: self.listed(vault))
        findings = outcome(vault.verify).findings
        wanted = self.damage.expected.get("verify", "clean")
        places = {place for place, *_ in findings}
        found["verify"] = "clean" if not findings else wanted if wanted in places else f"found {sorted(places)}"
        for key in self.right:
            if key == self.damage.key:
                continue
            lazy, strict = (self.read(vault, key, level) for level in ("lazy", "strict"))
            if (lazy, strict) != ("value", "value"):
                self.others.append({"key": key_to_json(key), "lazy": lazy, "strict": strict})
        return found

    def read(self, vault, key, level):
        def body():
            entry = vault.get(key, level)
            value = None if entry is None else entry.value
            if value == self.right[key]:
                return "value"
            return "absent" if value is None else f"older:{value.hex()}"

        return outcome(body)

    def listed(self, vault):
        keys = sorted(item.key for item in vault.all_items())
        assert keys == sorted(key for key, value in self.right.items() if value is not None)
        return "complete"


def make(shop):
    files, bases, manifest = {}, {"nothing": b""}, {"vaults": [], "damaged": []}
    for name in GOOD:
        files[f"{name}.vault"] = bases[name] = normalised(shop.path(name).read_bytes())
        manifest["vaults"].append(vault_to_json(shop.catalogue[name]))
    patches, complaints = {}, []
    for damage in matrix.DAMAGED:
        if damage.key == "neighbour":
            damage.key = shop.neighbour
        base = damage.base
        desk = Desk(shop, "several" if base == "nothing" else base, damage.name)
        damage.apply(desk)
        desk.close()
        octets = normalised(desk.path.read_bytes())
        patches[damage.name] = {"base": base, "length": len(octets), "patches": difference(bases[base], octets)}
        desk.path.write_bytes(octets)
        if desk.wal is not None:
            patches[damage.name]["wal"] = {"length": len(desk.wal), "patches": difference(b"", desk.wal)}
            desk.wal_path.write_bytes(desk.wal)
        good = shop.catalogue["several" if base == "nothing" else base]
        examination = Examination(damage, desk.path, good)
        found = examination.run()
        if found != damage.expected:
            complaints.append(f"{damage.name}: expected {damage.expected}, found {found}")
        for other in examination.others:
            if other["strict"] not in ("value", "corrupt") or other["lazy"] not in lazily(damage):
                complaints.append(f"{damage.name}: {other}")
        manifest["damaged"].append(
            {
                "name": damage.name, "description": damage.description, "base": base, "method": damage.method,
                "key": key_to_json(damage.key), "expected": damage.expected, "others": examination.others,
            }  # fmt: skip
        )
    files["damaged.json"] = table(patches)
    files["LEVELS.md"] = levels()
    files["manifest.json"] = (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode()
    return files, complaints


def lazily(damage):
    """What a lazy read of an item that is not the one in question may say."""
    deletes = damage.name.startswith(("delete-", "empty-"))
    return ("value", "corrupt", "absent") if deletes else ("value", "corrupt")


def table(patches):
    lines = [f"{json.dumps(name)}: {json.dumps(patch, separators=(',', ':'))}" for name, patch in patches.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def levels():
    """For people: which level of reading is the first to notice what."""
    lines = ["<!-- Made by make-fixtures.py. -->", "", "| damaged vault | what was done | first noticed by |", "|---|---|---|"]
    for damage in matrix.DAMAGED:
        expected = damage.expected
        first = next((level for level in ("open", "unlock") if level in expected), None)
        readings = {"lazy": "a lazy read", "strict": "a strict read", "list": "a strict list", "verify": "verify"}
        noticed = [level for level in readings if expected.get(level) == "corrupt"]
        if expected.get("verify", "clean") != "clean":
            noticed.append("verify")
        if first is None and noticed:
            first = readings[noticed[0]]
        elif first is None:
            first = "nothing: it is a valid vault" if expected == matrix.FINE else "an anchor only"
        else:
            first = f"{first}: {expected[first]}"
        lines.append(f"| {damage.name} | {damage.description} | {first} |")
    return ("\n".join(lines) + "\n").encode()


def main():
    parser = argparse.ArgumentParser(description="Makes the vaults of the folder Fixtures beside Python.")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    arguments = parser.parse_args()
    # In memory where there is such a place: hundreds of vaults would wait for a disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="signet-fixtures-", dir=memory))
    try:
        files, complaints = make(vaults.make_all(folder))
    finally:
        shutil.rmtree(folder)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if arguments.check:
        there = {path.name: path.read_bytes() for path in FIXTURES.iterdir() if path.name != "README.md"}
        differing = sorted(name for name in there.keys() | files.keys() if there.get(name) != files.get(name))
        for name in differing:
            print(f"{name} is not what make-fixtures.py makes", file=sys.stderr)
        return bool(differing or complaints)
    for name, octets in files.items():
        (FIXTURES / name).write_bytes(octets)
    total = sum(map(len, files.values()))
    print(f"{len(GOOD)} good vaults, {len(matrix.DAMAGED)} damaged ones, {total} octets")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
