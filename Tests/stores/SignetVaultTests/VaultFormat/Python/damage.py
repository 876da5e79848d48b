# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The damaged vaults: what somebody who can write the file may do to it, and in part somebody who has the keys too.

Each says what must come of it at each level. `open` and `unlock` are the code of an error, after which there is no more:

    lazy, strict    of the item `key`: "value" (the right one), "absent", "older:HEX" (one it had before), or a code
    list            a strict list of everything: "complete", or a code
    verify          "clean", or a place that must be among those of the findings
"""

import random
import sqlite3
from dataclasses import dataclass, field
from typing import Callable

import signetv1 as format
from signetv1 import ItemKey, RawKey, Slot, lp, pad, padded_length, u8, u16, u32, u64
from vaults import ALICE, ATTACKER, BOB, LONG, MALLORY, PASSPHRASE, raw

DAMAGED = []
FINE = {"lazy": "value", "strict": "value", "list": "complete", "verify": "clean"}


@dataclass
class Damage:
    name: str
    description: str
    apply: Callable
    base: str = "several"
    key: ItemKey = ALICE
    method: dict = field(default_factory=raw)
    expected: dict = field(default_factory=dict)


def damaged(name, description, apply, *, base="several", key=ALICE, method=None, open=None, unlock=None, **levels):
    expected = {"open": open} if open else {"unlock": unlock} if unlock else {**FINE, **levels}
    DAMAGED.append(Damage(name, description, apply, base, key, method or raw(), expected))


def row_is_damaged(place="item"):
    """What comes of a row that is not authentic."""
    return {"lazy": "corrupt", "strict": "corrupt", "list": "corrupt", "verify": place}


VALUE_IS_DAMAGED = {"lazy": "corrupt", "strict": "corrupt", "verify": "value"}


def sums_differ(lazy, place="bucket"):
    """What comes of rows that are authentic but not those of now."""
    return {"lazy": lazy, "strict": "corrupt", "list": "corrupt", "verify": place}


def older(value):
    return f"older:{value.hex()}"


# --- Rows moved, deleted, put back ------------------------------------------------------------------------------

COLUMNS = "grp,kid,gen,v,meta,vt"


def swap(desk, one, other, columns, table="item", key="id"):
    names = columns.split(",")
    rows = [desk.sql(f"SELECT {columns} FROM {table} WHERE {key}=?", id)[0] for id in (one, other)]
    assignments = ",".join(f"{name}=?" for name in names)
    for id, row in zip((one, other), reversed(rows)):
        desk.sql(f"UPDATE {table} SET {assignments} WHERE {key}=?", *row, id)


def transplant(desk, keep_kid):
    source = desk.earlier("other")
    other = format.Vault.open(desk.shop.path("other"))
    other.unlock(RawKey(bytes.fromhex(raw()["rawKey"])))
    id = other.ring.item_id(ALICE)
    group, kid, gen, v, meta, vt = source.execute(f"SELECT {COLUMNS} FROM item WHERE id=?", (id,)).fetchone()
    value = source.execute("SELECT b FROM val WHERE v=?", (v,)).fetchone()[0]
    other.close()
    source.close()
    mine = desk.row(ALICE)
    kid, group = (mine.kid, mine.group) if keep_kid else (kid, group)
    desk.sql("UPDATE item SET grp=?,kid=?,gen=?,meta=?,vt=? WHERE id=?", group, kid, gen, meta, vt, mine.id)
    desk.sql("UPDATE val SET b=? WHERE v=?", value, mine.v)


def move_rows():
    damaged(
        "value-pointer-swap", "The values of two items are exchanged by their pointers.",
        lambda desk: swap(desk, desk.id(ALICE), desk.id(BOB), "v"), **VALUE_IS_DAMAGED,
    )  # fmt: skip
    damaged(
        "value-swap", "The values of two items are exchanged in their rows of val.",
        lambda desk: swap(desk, desk.row(ALICE).v, desk.row(BOB).v, "b", "val", "v"), **VALUE_IS_DAMAGED,
    )  # fmt: skip
    damaged(
        "value-and-vt-swap", "The values of two items are exchanged with what stands for them in the rows.",
        lambda desk: swap(desk, desk.id(ALICE), desk.id(BOB), "v,vt"), lazy="corrupt", strict="corrupt",
        list="corrupt", verify="value",
    )  # fmt: skip
    damaged(
        "shared-value", "Two items name one row of val.",
        lambda desk: desk.sql("UPDATE item SET v=? WHERE id=?", desk.row(BOB).v, desk.id(ALICE)),
        **VALUE_IS_DAMAGED,
    )  # fmt: skip
    damaged(
        "row-swap", "The contents of two items of one bucket are exchanged.",
        lambda desk: swap(desk, desk.id(ALICE), desk.id(desk.shop.neighbour), COLUMNS), **row_is_damaged(),
    )  # fmt: skip
    damaged(
        "row-swap-across", "The contents of two items of two buckets are exchanged.",
        lambda desk: swap(desk, desk.id(ALICE), desk.id(BOB), COLUMNS), **row_is_damaged(),
    )  # fmt: skip
    damaged("transplant", "The row and value of the same name in another vault.", lambda desk: transplant(desk, False),
            **row_is_damaged())  # fmt: skip
    damaged("transplant-with-kid", "The same, made to name this vault's key and group.",
            lambda desk: transplant(desk, True), **row_is_damaged())  # fmt: skip

    def delete(desk, *tables):
        v = desk.row(ALICE).v
        if "bucket" in tables:
            desk.sql("DELETE FROM bucket WHERE n=?", desk.bucket(ALICE))
        if "val" in tables:
            desk.sql("DELETE FROM val WHERE v=?", v)
        if "item" in tables:
            desk.sql("DELETE FROM item WHERE id=?", desk.id(ALICE))

    damaged("delete-row", "An item's row is deleted, its value stays.", lambda desk: delete(desk, "item"),
            **sums_differ("absent"))  # fmt: skip
    damaged("delete-row-and-value", "An item is deleted.", lambda desk: delete(desk, "item", "val"),
            **sums_differ("absent"))  # fmt: skip
    damaged("delete-value", "A value is deleted.", lambda desk: delete(desk, "val"), **VALUE_IS_DAMAGED)
    damaged("delete-bucket", "A bucket is deleted.", lambda desk: delete(desk, "bucket"), strict="corrupt",
            verify="bucket")  # fmt: skip
    damaged("delete-row-value-and-bucket", "An item is deleted with its bucket.",
            lambda desk: delete(desk, "item", "val", "bucket"), **sums_differ("absent", "state"))  # fmt: skip
    damaged("delete-for-the-neighbour", "An item is deleted; asked for is another of its bucket.",
            lambda desk: delete(desk, "item", "val"), key="neighbour", **sums_differ("value"))  # fmt: skip
    damaged("delete-elsewhere", "An item is deleted; asked for is one of another bucket.",
            lambda desk: delete(desk, "item", "val"), key=BOB, list="corrupt", verify="bucket")  # fmt: skip
    damaged("empty-item", "The table of items is emptied.", lambda desk: desk.sql("DELETE FROM item"),
            **sums_differ("absent"))  # fmt: skip
    damaged("empty-all", "Items, values and buckets are emptied.",
            lambda desk: [desk.sql(f"DELETE FROM {table}") for table in ("item", "val", "bucket")],
            **sums_differ("absent", "state"))  # fmt: skip
    damaged("empty-bucket", "The table of buckets is emptied.", lambda desk: desk.sql("DELETE FROM bucket"),
            strict="corrupt", verify="bucket")  # fmt: skip
    damaged("orphan-value", "A value that no item has.", lambda desk: desk.sql("INSERT INTO val(b) VALUES(x'00')"),
            verify="value")  # fmt: skip


def roll_back():
    def back(desk, snapshot, key, *parts):
        desk.roll_back_item(snapshot, key)
        if "bucket" in parts:
            desk.put_back(snapshot, "bucket", "n=?", desk.bucket(key))
        if "state" in parts:
            desk.put_back(snapshot, "state", "k=1")

    earlier = older(b"hunter1")
    damaged("roll-back-row", "A row and its value as they were.", lambda desk: back(desk, "before", ALICE),
            **sums_differ(earlier))  # fmt: skip
    damaged("roll-back-row-and-bucket", "The same with its bucket.",
            lambda desk: back(desk, "before", ALICE, "bucket"), **sums_differ(earlier, "state"))  # fmt: skip
    damaged("roll-back-row-bucket-and-state", "The same with the state: other buckets are newer.",
            lambda desk: back(desk, "before", ALICE, "bucket", "state"),
            **sums_differ(earlier, "state"))  # fmt: skip
    damaged("roll-back-last-write", "The vault's last writing is taken back whole: only an anchor notices.",
            lambda desk: back(desk, "before-last", BOB, "bucket", "state"), key=BOB,
            lazy=older(b"old secret of bob"), strict=older(b"old secret of bob"))  # fmt: skip
    damaged("resurrect", "A removed item is put back.", lambda desk: back(desk, "before", MALLORY), key=MALLORY,
            **sums_differ(older(b"to be removed")))  # fmt: skip
    damaged("resurrect-with-bucket", "A removed item is put back with its bucket.",
            lambda desk: back(desk, "before", MALLORY, "bucket"), key=MALLORY,
            **sums_differ(older(b"to be removed"), "state"))  # fmt: skip
    damaged("old-state", "The state as it was.", lambda desk: desk.put_back("before", "state", "k=1"),
            **sums_differ("value", "state"))  # fmt: skip
    damaged("old-bucket", "A bucket as it was.",
            lambda desk: desk.put_back("before", "bucket", "n=?", desk.bucket(ALICE)), strict="corrupt",
            verify="bucket")  # fmt: skip

    def old_slot(desk, *tables):
        desk.sql("DELETE FROM slot")
        for table in ("slot", *tables):
            desk.put_back("before-change", table, "1")

    for name, tables in (("slot", ()), ("slot-and-head", ("head",))):
        damaged(f"old-{name}", "The slot of before a change of the passphrase, opened by the old one.",
                lambda desk, tables=tables: old_slot(desk, *tables), base="changed",
                method={"passphrase": "old passphrase"}, unlock="corrupt")  # fmt: skip
    damaged("old-slot-and-head-new-passphrase", "The same, opened by the new one.",
            lambda desk: old_slot(desk, "head"), base="changed", method={"passphrase": "new passphrase"},
            unlock="authenticationFailure")  # fmt: skip
    damaged("old-slot-head-and-state", "The same with the state: the buckets are newer.",
            lambda desk: old_slot(desk, "head", "state"), base="changed", method={"passphrase": "old passphrase"},
            **sums_differ("value", "state"))  # fmt: skip


# --- Columns ----------------------------------------------------------------------------------------------------

COLUMN_EXPECTATIONS = {
    "head.b": {"open": "corrupt"},
    "slot.id": {"open": "corrupt"},
    "slot.b": {"open": "corrupt"},
    "ring.kid": {"open": "corrupt"},
    "ring.b": {"open": "corrupt"},
    "item.id": sums_differ("absent", "item"),
    "item.grp": row_is_damaged(),
    "item.kid": row_is_damaged(),
    "item.meta": row_is_damaged(),
    "item.vt": row_is_damaged(),
    "val.b": VALUE_IS_DAMAGED,
    "bucket.b": {"strict": "corrupt", "verify": "bucket"},
    "state.b": {"open": "corrupt"},
}


def set_null(desk, name):
    table, column, condition, value = desk.cell(name)
    sql = desk.one("SELECT sql FROM sqlite_schema WHERE name=?", table).decode()
    desk.with_schema(
        table, sql.replace(" NOT NULL", ""),
        lambda: desk.sql(f"UPDATE {table} SET {column}=NULL WHERE {condition}", value),
    )  # fmt: skip


def as_text(desk, name):
    table, column, condition, value = desk.cell(name)
    desk.sql(f"UPDATE {table} SET {column}=CAST({column} AS TEXT) WHERE {condition}", value)


def columns():
    for name, expected in COLUMN_EXPECTATIONS.items():
        label = name.replace(".", "-")
        damaged(f"{label}-text", f"TEXT in {name}.", lambda desk, name=name: as_text(desk, name), **expected)
        for kind, change in {
            "integer": lambda _: 5,
            "real": lambda _: 5.5,
            "without-octets": lambda _: b"",
            "short": lambda octets: octets[:-1],
            "long": lambda octets: octets + b"\0",
            "huge": lambda octets: octets + bytes(50_000),
        }.items():
            damaged(f"{label}-{kind}", f"{name}: {kind.replace('-', ' ')}.",
                    lambda desk, name=name, change=change: desk.change(name, change), **expected)  # fmt: skip
        if name not in ("slot.id", "ring.kid", "item.id"):
            damaged(f"{label}-null", f"NULL in {name}.", lambda desk, name=name: set_null(desk, name),
                    **expected)  # fmt: skip
    for name in ("item.gen", "item.v"):
        label = name.replace(".", "-")
        values = {"real": 7.5, "text": "seven", "blob": b"\x07", "negative": -1, "lowest": -(2**63), "highest": 2**63 - 1}
        for kind, value in values.items():
            expected = row_is_damaged()
            if kind == "highest" and name == "item.v":
                expected = VALUE_IS_DAMAGED
            damaged(f"{label}-{kind}", f"{name}: {kind}.",
                    lambda desk, name=name, value=value: desk.change(name, value), **expected)  # fmt: skip
        damaged(f"{label}-null", f"NULL in {name}.", lambda desk, name=name: set_null(desk, name), **row_is_damaged())

    def negative_v(desk):
        v = desk.row(ALICE).v
        desk.sql("UPDATE val SET v=-7 WHERE v=?", v)
        desk.sql("UPDATE item SET v=-7 WHERE v=?", v)

    damaged("negative-v", "A row of val with a negative number, and the item that names it.", negative_v,
            **row_is_damaged())  # fmt: skip
    for value in (-1, 4096, 2**40):
        damaged(f"bucket-n-{value}", f"A bucket becomes number {value}.",
                lambda desk, value=value: desk.change("bucket.n", value), strict="corrupt", verify="bucket")  # fmt: skip
    expected = {"open": "corrupt"}
    for table in ("head", "state"):
        damaged(f"{table}-absent", f"No row in {table}.", lambda desk, t=table: desk.sql(f"DELETE FROM {t}"), **expected)
        damaged(f"{table}-k-2", f"{table}.k is 2.", lambda desk, t=table: desk.sql(f"UPDATE {t} SET k=2"), **expected)
        damaged(f"{table}-twice", f"Two rows in {table}.",
                lambda desk, t=table: desk.sql(f"INSERT INTO {t} SELECT 2,b FROM {t}"), **expected)  # fmt: skip

    group = ItemKey("another service", "alice")
    damaged("grp-changed", "A row claims to be of another service's group.",
            lambda desk: desk.change("item.grp", desk.ring.group(group)), **row_is_damaged())  # fmt: skip
    damaged("kid-changed", "A row names a key that is not in the ring.",
            lambda desk: desk.change("item.kid", bytes(16)), **row_is_damaged())  # fmt: skip
    damaged("kid-of-the-names", "A row names the key of names.",
            lambda desk: desk.change("item.kid", format.kid_of(desk.ring.names, desk.root.vault_id)),
            **row_is_damaged())  # fmt: skip
    damaged("gen-changed", "A row's gen is one more.", lambda desk: desk.change("item.gen", lambda gen: gen + 1),
            **row_is_damaged())  # fmt: skip
    damaged("vt-changed", "vt has another bit.", lambda desk: desk.flip("item.vt", 3), lazy="corrupt",
            strict="corrupt", list="corrupt", verify="value")  # fmt: skip

    def other_key(desk):
        kids = [kid for (kid,) in desk.sql("SELECT DISTINCT kid FROM item")]
        first = ItemKey("example.com", "account 0")
        mine = desk.row(first).kid
        desk.sql("UPDATE item SET kid=? WHERE id=?", next(kid for kid in kids if kid != mine), desk.id(first))

    damaged("kid-of-the-other-key", "Amid a rotation, a row names the other data key.", other_key, base="rotating",
            key=ItemKey("example.com", "account 0"), **row_is_damaged())  # fmt: skip


def bits():
    for name, expected, skipped in (
        ("item.meta", row_is_damaged(), 0), ("val.b", VALUE_IS_DAMAGED, 0), ("ring.b", {"unlock": "corrupt"}, 0),
        ("state.b", {"unlock": "corrupt"}, 8), ("bucket.b", {"strict": "corrupt", "verify": "bucket"}, 8),
    ):  # fmt: skip
        for kind, at in (("nonce", 0), ("ciphertext", 24), ("tag", None)):
            damaged(f"{name.replace('.', '-')}-bit-in-{kind}", f"One bit of {name} differs.",
                    lambda desk, name=name, at=-1 if at is None else skipped + at: desk.flip(name, at),
                    **expected)  # fmt: skip
    damaged("bucket-gen", "A bucket's gen is another.", lambda desk: desk.flip("bucket.b", 7), strict="corrupt",
            verify="bucket")  # fmt: skip
    damaged("bucket-gen-highest", "A bucket's gen is 2^63.", lambda desk: desk.flip("bucket.b", 0, 7),
            strict="corrupt", verify="bucket")  # fmt: skip
    damaged("state-gen", "The state's gen is another.", lambda desk: desk.flip("state.b", 7), unlock="corrupt")
    damaged("state-gen-highest", "The state's gen is beyond 2^63.", lambda desk: desk.flip("state.b", 0, 7),
            unlock="corrupt")  # fmt: skip
    damaged("bucket-swap", "Two buckets are exchanged.",
            lambda desk: swap(desk, desk.bucket(ALICE), desk.bucket(BOB), "b", "bucket", "n"), strict="corrupt",
            verify="bucket")  # fmt: skip


# --- Head, slots, ring ------------------------------------------------------------------------------------------


def heads():
    # A slot's keys are made with the head's vault_id: with another one no key fits.
    for name, at, outcome in (
        ("magic", 0, {"open": "corrupt"}), ("version", 9, {"open": "corrupt"}), ("suite", 11, {"open": "corrupt"}),
        ("vault-id", 12, {"unlock": "authenticationFailure"}), ("created", 35, {"unlock": "corrupt"}), ("created-2-63", 28, {"open": "corrupt"}),
        ("epoch", 39, {"open": "corrupt"}), ("epoch-2", 38, {"unlock": "corrupt"}), ("commit", 40, {"unlock": "corrupt"}),
        ("mac", 103, {"unlock": "corrupt"}),
    ):  # fmt: skip
        damaged(f"head-{name}", f"One bit of the head's {name.split('-2')[0]} differs.",
                lambda desk, at=at, bit=7 if name == "created-2-63" else 0: desk.flip("head.b", at, bit),
                **outcome)  # fmt: skip


def junk_slot(desk, type, params, id=None):
    """Well formed, but nobody has its key."""
    random = desk.randomness.octets
    id = id or random(16)
    return id, u8(type) + u8(1) + u16(len(params)) + id + params + random(32 + 72)


def insert_slots(desk, *slots):
    for slot in slots:
        desk.sql("INSERT INTO slot VALUES(?,?)", *slot)


def slots():
    scrypt = bytes(32) + u8(10) + u32(8) + u32(1)
    limits = {
        "scrypt-log-n-31": (1, bytes(32) + u8(31) + u32(8) + u32(1)),
        "scrypt-log-n-21": (1, bytes(32) + u8(21) + u32(8) + u32(1)),
        "scrypt-log-n-9": (1, bytes(32) + u8(9) + u32(8) + u32(1)),
        "scrypt-log-n-0": (1, bytes(32) + u8(0) + u32(8) + u32(1)),
        "scrypt-r": (1, bytes(32) + u8(10) + u32(2**31) + u32(1)),
        "scrypt-r-0": (1, bytes(32) + u8(10) + u32(0) + u32(1)),
        "scrypt-p": (1, bytes(32) + u8(10) + u32(8) + u32(2**31)),
        "scrypt-short-salt": (1, bytes(31) + u8(10) + u32(8) + u32(1)),
        "argon2id-memory": (2, bytes(32) + u32(2**32 - 1) + u32(1) + u32(1)),
        "argon2id-little-memory": (2, bytes(32) + u32(19455) + u32(1) + u32(1)),
        "argon2id-passes": (2, bytes(32) + u32(19456) + u32(17) + u32(1)),
        "argon2id-no-passes": (2, bytes(32) + u32(19456) + u32(0) + u32(1)),
        "argon2id-lanes": (2, bytes(32) + u32(19456) + u32(1) + u32(5)),
        "argon2id-no-lanes": (2, bytes(32) + u32(19456) + u32(1) + u32(0)),
        "pbkdf2-iterations": (3, bytes(32) + u32(2**32 - 1)),
        "pbkdf2-iterations-over": (3, bytes(32) + u32(10_000_001)),
        "pbkdf2-iterations-under": (3, bytes(32) + u32(99_999)),
        "raw-key-with-parameters": (4, b"\0"),
        "tpm2": (5, b""),
        "secret-service-with-parameters": (6, b"\0"),
        "external-empty-name": (7, lp(b"") + lp(b"wrapped")),
        "external-long-name": (7, lp(b"n" * 129) + lp(b"wrapped")),
        "external-bad-utf8": (7, lp(b"\xff") + lp(b"wrapped")),
        "external-nothing-wrapped": (7, lp(b"name") + lp(b"")),
        "external-too-much-wrapped": (7, lp(b"name") + lp(bytes(4097))),
        "external-trailing": (7, lp(b"name") + lp(b"wrapped") + b"\0"),
        "external-length": (7, lp(b"name") + u32(2**32 - 1) + b"wrapped"),
        "type-0": (0, b""),
        "type-8": (8, b""),
        "type-255": (255, b""),
    }
    for name, (type, params) in limits.items():
        damaged(f"slot-{name}", "A slot beyond the limits: refused before anything is derived.",
                lambda desk, type=type, params=params: insert_slots(desk, junk_slot(desk, type, params)),
                open="corrupt")  # fmt: skip
    damaged("slots-33", "33 slots.", lambda desk: insert_slots(desk, *(junk_slot(desk, 4, b"") for _ in range(31))),
            open="corrupt")  # fmt: skip
    damaged("slots-9-passphrases", "Nine slots with passphrases.",
            lambda desk: insert_slots(desk, *(junk_slot(desk, 1, scrypt) for _ in range(8))),
            open="corrupt")  # fmt: skip
    damaged("slots-none", "No slot.", lambda desk: desk.sql("DELETE FROM slot"), open="corrupt")

    def other_version(desk):
        id, b = junk_slot(desk, 4, b"")
        insert_slots(desk, (id, b[:1] + u8(2) + b[2:]))

    def other_length(desk):
        id, b = junk_slot(desk, 4, b"")
        insert_slots(desk, (id, b[:2] + u16(1) + b[4:]))

    damaged("slot-version", "A slot of version 2.", other_version, open="corrupt")
    damaged("slot-parameter-length", "A slot whose parameters end elsewhere.", other_length, open="corrupt")
    damaged("slot-id-differs", "A slot whose id is not the one inside.",
            lambda desk: insert_slots(desk, (bytes(16), junk_slot(desk, 4, b"")[1])), open="corrupt")  # fmt: skip

    passphrase = {"passphrase": PASSPHRASE.decode()}
    wrong = "authenticationFailure"
    for suffix, method, outcome in (("", passphrase, wrong), ("-other-slot", raw(), "corrupt")):
        damaged(f"kdf-downgrade{suffix}", "scrypt's cost is lowered from 2^11 to 2^10.",
                lambda desk: desk.flip("slot.b", 20 + 32, 0), method=method, unlock=outcome)  # fmt: skip
        damaged(f"slot-salt{suffix}", "A bit of a slot's salt.", lambda desk: desk.flip("slot.b", 20), method=method,
                unlock=outcome)  # fmt: skip
        damaged(f"slot-commit{suffix}", "A bit of a slot's commit.", lambda desk: desk.flip("slot.b", 61),
                method=method, unlock=outcome)  # fmt: skip
        damaged(f"slot-sealed{suffix}", "A bit of the root key that a slot seals.",
                lambda desk: desk.flip("slot.b", -20), method=method, unlock="corrupt")  # fmt: skip
        damaged(f"removed-slot{suffix}", "The passphrase's slot is removed.",
                lambda desk: desk.sql("DELETE FROM slot WHERE id=?", desk.slot(1).id), method=method,
                unlock=outcome)  # fmt: skip
    damaged("wrong-passphrase", "A good vault, a wrong passphrase.", lambda desk: None,
            method={"passphrase": "Correct horse"}, unlock=wrong)  # fmt: skip
    damaged("wrong-raw-key", "A good vault, a wrong key.", lambda desk: None, method=raw(ATTACKER),
            unlock=wrong)  # fmt: skip

    def added(desk, rk=None):
        make = (desk.root.vault_id, 4, b"", ATTACKER, rk or desk.randomness.octets(32))
        slot = Slot.make(desk.randomness, desk.randomness.octets(16), *make)
        insert_slots(desk, (slot.id, slot.octets))

    damaged("added-slot", "A slot of the attacker's own, correctly formed; the owner unlocks.", added,
            unlock="corrupt")  # fmt: skip
    damaged("added-slot-attacker", "The same; the attacker unlocks.", added, method=raw(ATTACKER), unlock="corrupt")
    damaged("added-slot-right-root", "A slot that seals the right root key, but the head's code is without it.",
            lambda desk: added(desk, desk.root.rk), method=raw(ATTACKER), unlock="corrupt")  # fmt: skip
    damaged("added-junk-slot", "A slot that nobody opens.",
            lambda desk: insert_slots(desk, junk_slot(desk, 4, b"")), unlock="corrupt")  # fmt: skip


def rings():
    def delete(desk, purpose):
        kids = {
            "N": format.kid_of(desk.ring.names, desk.root.vault_id),
            "S": format.kid_of(desk.ring.sums, desk.root.vault_id),
            "D": next(iter(desk.ring.data)),
        }
        desk.sql("DELETE FROM ring WHERE kid=?", kids[purpose])

    for purpose in "NSD":
        damaged(f"ring-without-{purpose}", f"The ring's key {purpose} is deleted.",
                lambda desk, p=purpose: delete(desk, p), unlock="corrupt")  # fmt: skip
        damaged(f"ring-without-{purpose}-sealed", "The same, head and state made to fit with the right keys.",
                lambda desk, p=purpose: (delete(desk, p), desk.reseal_head()), unlock="corrupt")  # fmt: skip
        damaged(f"ring-added-{purpose}", f"A key {purpose} is added to the ring, correctly sealed.",
                lambda desk, p=purpose: desk.add_ring_key(ord(p)), unlock="corrupt")  # fmt: skip
    for purpose in "NSX":
        damaged(f"ring-added-{purpose}-sealed", f"A second key, {purpose}, with a head and a state that fit.",
                lambda desk, p=purpose: (desk.add_ring_key(ord(p)), desk.reseal_head()), unlock="corrupt")  # fmt: skip
    damaged("ring-added-D-sealed", "A second data key with head and state that fit: that is a valid vault.",
            lambda desk: (desk.add_ring_key(ord("D")), desk.reseal_head()))  # fmt: skip
    damaged("ring-kid-differs", "A key under another kid than its own, sealed for it.",
            lambda desk: (desk.add_ring_key(ord("D"), kid=b"k" * 16), desk.reseal_head()), unlock="corrupt")  # fmt: skip
    damaged("ring-sealed-for-another", "A key sealed for another kid.",
            lambda desk: (desk.add_ring_key(ord("D"), sealed_for=b"k" * 16), desk.reseal_head()),
            unlock="corrupt")  # fmt: skip
    damaged("ring-swap", "Two keys of the ring are exchanged.",
            lambda desk: swap(desk, *(kid for (kid,) in desk.sql("SELECT kid FROM ring LIMIT 2")), "b", "ring", "kid"),
            unlock="corrupt")  # fmt: skip

    def many(desk):
        for number in range(1022):
            desk.sql("INSERT INTO ring VALUES(?,?)", number.to_bytes(16, "big"), bytes(73))

    damaged("ring-1025", "1025 keys in the ring.", many, open="corrupt")


def states():
    """With the right keys: what a faulty writer might leave."""
    damaged("active-unknown", "The state's active key is not in the ring.",
            lambda desk: desk.reseal_state(active=bytes(16)), unlock="corrupt")  # fmt: skip
    damaged("active-is-names", "The state's active key is that of names.",
            lambda desk: desk.reseal_state(active=format.kid_of(desk.ring.names, desk.root.vault_id)),
            unlock="corrupt")  # fmt: skip
    damaged("state-names-another-head", "The state is of another head.",
            lambda desk: desk.reseal_state(head_hash=bytes(32)), unlock="corrupt")  # fmt: skip
    wrong = {"list": "corrupt", "verify": "state"}
    damaged("state-count", "The state counts one item too many.",
            lambda desk: desk.reseal_state(count=lambda n: n + 1), **wrong)  # fmt: skip
    damaged("state-count-highest", "The state counts 2^63 - 1 items.",
            lambda desk: desk.reseal_state(count=2**63 - 1), **wrong)  # fmt: skip
    damaged("state-count-beyond", "The state counts 2^63 items.",
            lambda desk: desk.reseal_state(count=2**63), unlock="corrupt")  # fmt: skip
    damaged("state-count-0", "The state counts no items.", lambda desk: desk.reseal_state(count=0), **wrong)
    damaged("state-acc", "The state's sum of items is wrong.", lambda desk: desk.reseal_state(acc=bytes(32)), **wrong)
    damaged("state-acc-b", "The state's sum of buckets is wrong.",
            lambda desk: desk.reseal_state(acc_b=bytes(32)), strict="corrupt", verify="state")  # fmt: skip
    damaged("last-generation", "gen is the highest there is: reading is as ever, writing ends.",
            lambda desk: desk.reseal_state(gen=2**63 - 1))  # fmt: skip
    for count in (0, 1, 2**32 - 1):
        damaged(f"bucket-count-{count}", f"A bucket of two counts {count}, the state being sealed with it.",
                lambda desk, count=count: desk.reseal_bucket(desk.bucket(ALICE), count, bytes(32)), strict="corrupt",
                verify="bucket")  # fmt: skip

    def needless(desk):
        taken = {n for (n,) in desk.sql("SELECT n FROM bucket")}
        desk.reseal_bucket(next(n for n in range(4096) if n not in taken), 0, bytes(32))

    damaged("bucket-needless", "A bucket without items, the state being sealed with it.", needless, verify="bucket")


# --- Metadata and padding, sealed with the right keys -----------------------------------------------------------


def metadata(version=b"\1", names=None, label=b"", comment=b"", created=0, modified=0, type=b"bytes", count=None,
             attributes=(), end=b""):  # fmt: skip
    names = names or ALICE_NAMES
    return b"".join(
        [version, *map(lp, names), lp(label), lp(comment), u64(created), u64(modified), lp(type)]
        + [u32(len(attributes) if count is None else count)]
        + [lp(name) + lp(value) for name, value in attributes]
        + [end]
    )


ALICE_NAMES = [text.encode() for text in ("generic", "", "example.com", "alice")]


def metadatas():
    own = metadata()
    malformed = {
        "version-0": metadata(b"\0"),
        "version-2": metadata(b"\2"),
        "without-octets": b"",
        "cut": own[:-1],
        "trailing-octet": metadata(end=b"\0"),
        "other-account": metadata(names=[*ALICE_NAMES[:3], b"bob"]),
        "other-service": metadata(names=[*ALICE_NAMES[:2], b"example.org", b"alice"]),
        "other-group": metadata(names=[b"generic", b"g", *ALICE_NAMES[2:]]),
        "other-class": metadata(names=[b"token", *ALICE_NAMES[1:]]),
        "names-shifted": metadata(names=[b"generic", b"", b"example.comalice", b""]),
        "label-too-long": metadata(label=b"l" * 1025),
        "comment-too-long": metadata(comment=b"c" * 4097),
        "type-too-long": metadata(type=b"t" * 65),
        "type-empty": metadata(type=b""),
        "created-2-63": metadata(created=2**63),
        "modified-2-63": metadata(modified=2**63),
        "label-not-utf8": metadata(label=b"\xff"),
        "label-overlong": metadata(label=b"\xc0\x80"),
        "label-surrogate": metadata(label=b"\xed\xa0\x80"),
        "label-beyond-unicode": metadata(label=b"\xf4\x90\x80\x80"),
        "label-cut-utf8": metadata(label=b"\xe2\x82"),
        "comment-not-utf8": metadata(comment=b"\x80"),
        "type-not-utf8": metadata(type=b"\xfe"),
        "attribute-not-utf8": metadata(attributes=[(b"\xff", b"")]),
        "attribute-value-not-utf8": metadata(attributes=[(b"a", b"\xff")]),
        "attribute-without-name": metadata(attributes=[(b"", b"v")]),
        "attribute-name-too-long": metadata(attributes=[(b"n" * 129, b"")]),
        "attribute-value-too-long": metadata(attributes=[(b"a", b"v" * 4097)]),
        "attributes-unsorted": metadata(attributes=[(b"b", b""), (b"a", b"")]),
        "attributes-twice": metadata(attributes=[(b"a", b"1"), (b"a", b"2")]),
        "attributes-65": metadata(attributes=[(b"%02d" % n, b"") for n in range(65)]),
        "attributes-fewer-than-counted": metadata(count=1),
        "attributes-more-than-counted": metadata(count=0, attributes=[(b"a", b"")]),
        "attributes-counted-2-32": metadata(count=2**32 - 1),
        "length-2-32": b"\1" + u32(2**32 - 1) + own[5:],
        "too-long": metadata(attributes=[(b"%02d" % n, b"v" * 4096) for n in range(16)], comment=b"c" * 4096),
    }
    for name, octets in malformed.items():
        damaged(f"metadata-{name}", "Metadata against the rules, sealed with the right keys.",
                lambda desk, octets=octets: desk.reseal(ALICE_NAMES, meta=pad(octets)), **row_is_damaged())  # fmt: skip
    # Nobody can ask for these by name: they stand under the id that their own names give.
    names = {
        "class-unknown": [b"secret", b"", b"s", b"a"],
        "class-empty": [b"", b"", b"s", b"a"],
        "class-capital": [b"Generic", b"", b"s", b"a"],
        "service-empty": [b"generic", b"", b"", b"a"],
        "service-too-long": [b"generic", b"", b"s" * 1025, b"a"],
        "group-too-long": [b"generic", b"g" * 256, b"s", b"a"],
        "account-too-long": [b"generic", b"", b"s", b"a" * 1025],
        "account-not-utf8": [b"generic", b"", b"s", b"\xff"],
    }
    for name, texts in names.items():
        damaged(f"metadata-{name}", "An item that nobody can ask for, sealed with the right keys.",
                lambda desk, texts=texts: desk.reseal(texts, meta=pad(metadata(names=texts))), list="corrupt",
                verify="item")  # fmt: skip


def paddings():
    value, long = b"hunter2", bytes(5120)
    of = {
        "not-zero": (ALICE, pad(value)[:-1] + b"\1"),
        "first-octet-not-zero": (ALICE, lp(value) + b"\x80" + bytes(52)),
        "too-much": (ALICE, pad(value) + bytes(64)),
        "length-too-large": (ALICE, u32(61) + bytes(60)),
        "length-2-32": (ALICE, u32(2**32 - 1) + bytes(60)),
        "nothing": (ALICE, b""),
        "three-octets": (ALICE, bytes(3)),
        "without-padding": (ALICE, lp(value)),
        "not-padme": (LONG, lp(long).ljust(-(-len(lp(long)) // 64) * 64, b"\0")),
        "padme-too-much": (LONG, pad(long) + bytes(padded_length(5377) - 5376)),
    }
    for name, (key, octets) in of.items():
        damaged(f"padding-{name}", "A value with padding against the rules, sealed with the right keys.",
                lambda desk, key=key, octets=octets: desk.reseal(key.texts(), value=octets), key=key,
                **VALUE_IS_DAMAGED)  # fmt: skip
    own = metadata()
    for name, octets in {
        "not-zero": pad(own)[:-1] + b"\1", "too-much": pad(own) + bytes(64), "nothing": b"",
        "length-2-32": u32(2**32 - 1) + pad(own)[4:], "without-padding": lp(own),
    }.items():  # fmt: skip
        damaged(f"metadata-padding-{name}", "Metadata with padding against the rules, sealed with the right keys.",
                lambda desk, octets=octets: desk.reseal(ALICE_NAMES, meta=octets), **row_is_damaged())  # fmt: skip


# --- The database -----------------------------------------------------------------------------------------------


def schemas():
    for name, sql in {
        "trigger": "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM slot; END",
        "view": "CREATE VIEW w AS SELECT * FROM item",
        "table": "CREATE TABLE extra(x)",
        "index": "CREATE INDEX more ON item(gen)",
        "no-index": "DROP INDEX item_grp",
        "no-table": "DROP TABLE bucket",
        "column": "ALTER TABLE item ADD COLUMN extra",
        "renamed-column": "ALTER TABLE item RENAME COLUMN vt TO tv",
    }.items():
        damaged(f"schema-{name}", f"{sql}.", lambda desk, sql=sql: (desk.vault.lock(), desk.sql(sql)), open="corrupt")

    def text(desk, table, change):
        sql = desk.one("SELECT sql FROM sqlite_schema WHERE name=?", table).decode()
        columns = desk.sql("SELECT * FROM sqlite_schema WHERE name=?", table)[0]
        desk._rewrite_schema(table, (*columns[:4], change(sql)))

    damaged("schema-space", "One space more in a statement of the schema.",
            lambda desk: text(desk, "item", lambda sql: sql.replace("(", " (", 1)), open="corrupt")  # fmt: skip
    damaged("schema-collation", "A column with a collation.",
            lambda desk: text(desk, "item", lambda sql: sql.replace("grp BLOB", "grp BLOB COLLATE NOCASE")),
            open="corrupt")  # fmt: skip
    damaged("schema-default", "A column with a default value.",
            lambda desk: text(desk, "val", lambda sql: sql.replace("NOT NULL", "NOT NULL DEFAULT x'00'")),
            open="corrupt")  # fmt: skip
    damaged("schema-not-sql", "A statement that is none.", lambda desk: text(desk, "val", lambda sql: "CREATE nonsense"),
            open="corrupt")  # fmt: skip

    for name, pragma in {
        "application-id": "application_id=1", "application-id-0": "application_id=0", "user-version": "user_version=2",
        "user-version-0": "user_version=0",
    }.items():  # fmt: skip
        damaged(name, f"PRAGMA {pragma}.", lambda desk, pragma=pragma: desk.sql(f"PRAGMA {pragma}"), open="notAVault")

    def reindexed(desk):
        id, group = desk.id(ALICE), desk.row(ALICE).group
        desk.sql("UPDATE item SET grp=? WHERE id=?", bytes(16), id)
        desk.with_schema("item_grp", None, lambda: desk.sql("UPDATE item SET grp=? WHERE id=?", group, id))

    damaged("index-differs", "The index has another grp than the row.", reindexed, verify="database")


def files():
    """The file as a whole; these are made from octets, without SQLite's help."""

    def becomes(octets):
        def apply(desk):
            desk.close()
            desk.path.write_bytes(octets)

        return apply

    def plain(desk):
        desk.close()
        desk.path.unlink()
        database = sqlite3.connect(desk.path)
        database.executescript("CREATE TABLE note(text); INSERT INTO note VALUES('hello');")
        database.close()

    def without_tables(desk):
        desk.close()
        desk.path.unlink()
        database = sqlite3.connect(desk.path)
        for pragma in ("page_size=4096", "journal_mode=WAL", f"application_id={format.APPLICATION_ID}", "user_version=1"):
            database.execute(f"PRAGMA {pragma}").fetchall()
        database.close()

    def cut(length):
        def apply(desk):
            desk.close()
            octets = desk.path.read_bytes()
            desk.path.write_bytes(octets[: length if length >= 0 else len(octets) + length])

        return apply

    none = {"open": "notAVault"}
    damaged("file-empty", "No octets.", becomes(b""), base="nothing", **none)
    damaged("file-text", "A text.", becomes(b"This is no vault.\n" * 300), base="nothing", **none)
    damaged("file-random", "Random octets.", becomes(random.Random(1).randbytes(2048)), base="nothing", **none)
    damaged("file-sqlite", "An SQLite database of somebody else.", plain, base="nothing", **none)
    damaged("file-without-tables", "A database with the vault's numbers and no tables.", without_tables, base="nothing",
            open="corrupt")  # fmt: skip
    damaged("file-cut-100", "SQLite's header alone.", cut(100), open="corrupt")
    damaged("file-cut-page", "The first page alone.", cut(4096), open="corrupt")
    damaged("file-without-last-page", "The last page is cut off.", cut(-4096), open="corrupt")

    def pragmas(*statements):
        def apply(desk):
            desk.vault.close()
            for statement in statements:
                desk.sql(statement)

        return apply

    damaged("journal-mode", "The database was taken out of WAL mode.", pragmas("PRAGMA journal_mode=DELETE"),
            open="corrupt")  # fmt: skip
    damaged("page-size", "Pages of 8192 octets.",
            pragmas("PRAGMA journal_mode=DELETE", "PRAGMA page_size=8192", "VACUUM", "PRAGMA journal_mode=WAL"),
            open="corrupt")  # fmt: skip

    def utf16(desk):
        source = format.connect(desk.shop.path("several"))
        desk.close()
        desk.path.unlink()
        target = sqlite3.connect(desk.path, isolation_level=None)
        target.execute("PRAGMA encoding='UTF-16le'")
        target.execute("PRAGMA journal_mode=WAL")
        target.execute(f"PRAGMA application_id={format.APPLICATION_ID}")
        target.execute("PRAGMA user_version=1")
        for type, name, _, sql in format.SCHEMA:
            target.execute(sql)
            if type == "table":
                for row in source.execute(f"SELECT * FROM {name}"):
                    target.execute(f"INSERT INTO {name} VALUES({','.join('?' * len(row))})", row)
        target.close()
        source.close()

    damaged("encoding", "Texts in UTF-16.", utf16, open="corrupt")

    def duplicate(desk):
        alice, neighbour = desk.id(ALICE), desk.id(desk.shop.neighbour)
        desk.close()
        octets = desk.path.read_bytes()
        assert octets.count(alice) == 2  # in the table and in its index
        desk.path.write_bytes(octets.replace(alice, neighbour))

    damaged("id-twice", "In the table's own pages, one item gets the id of its neighbour.", duplicate,
            **sums_differ("absent", "item"))  # fmt: skip


def logs():
    """-wal beside the vault: what a killed process leaves, and what may be done to that."""

    def left(change=lambda octets: octets, snapshot="before-last"):
        return lambda desk: desk.leave_wal(snapshot, change, lambda vault: vault.set(BOB, b"new secret of bob"))

    last_is_lost = {"key": BOB, "lazy": older(b"old secret of bob"), "strict": older(b"old secret of bob")}
    damaged("wal-left", "The last transaction is in a -wal only, as it is after a kill.", left(), key=BOB)
    damaged("wal-cut", "The -wal lacks its last octet: its transaction never happened, as after a loss of power.",
            left(lambda octets: octets[:-1]), **last_is_lost)  # fmt: skip
    damaged("wal-bit", "One bit of the -wal differs: as before.",
            left(lambda octets: octets[:-1] + bytes([octets[-1] ^ 1])), **last_is_lost)  # fmt: skip
    damaged("wal-header", "One bit of the header of the -wal differs: as before.",
            left(lambda octets: octets[:12] + b"\xff" + octets[13:]), **last_is_lost)  # fmt: skip

    def of_another(desk):
        desk.leave_wal("other", write=lambda vault: vault.set(BOB, b"of another vault"))
        desk.path.write_bytes(desk.shop.path("several").read_bytes())

    damaged("wal-of-another-vault", "The -wal of another vault, which SQLite takes for this one's.", of_another,
            open="corrupt")  # fmt: skip


for make in (move_rows, roll_back, columns, bits, heads, slots, rings, states, metadatas, paddings, schemas, files, logs):
    make()
assert len({damage.name for damage in DAMAGED}) == len(DAMAGED)
