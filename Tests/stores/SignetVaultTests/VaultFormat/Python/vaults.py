# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The good vaults: what is in them, and snapshots of earlier moments for whoever rolls something back."""

import shutil

from signetv1 import (
    ARGON2ID, External, ItemKey, Passphrase, PBKDF2, Randomness, RawKey, SECRET_SERVICE, Vault, bucket_of, xor,
)  # fmt: skip

RAW = bytes(range(0x40, 0x60))
ATTACKER = b"\xaa" * 32
PASSPHRASE = b"correct horse"

ALICE = ItemKey("example.com", "alice")
BOB = ItemKey("example.com", "bob")
MALLORY = ItemKey("example.com", "mallory")
NOBODY = ItemKey("example.com", "nobody")
EMPTY = ItemKey("example.com", "", "token")
DETAILS = ItemKey("mail.example.com", "carol", "internet", "team")
LONG = ItemKey("certificates", "chain", "certificate")
OCTETS = ItemKey("binary", "octets", "key")


def clock():
    """One second a call, from a moment long ago."""
    now = 1_700_000_000_000
    while True:
        now += 1000
        yield now


class Workshop:
    """Makes vaults in a folder; the same octets every time."""

    def __init__(self, folder):
        self.folder = folder
        self.catalogue = {}

    def path(self, name):
        return self.folder / f"{name}.vault"

    def create(self, name, method):
        ticks = clock()
        return Vault.create(self.path(name), method, Randomness(name.encode()), lambda: next(ticks))

    def snapshot(self, vault, name):
        """The vault as it is now, under another name."""
        vault.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        shutil.copyfile(vault.path, self.path(name))

    def finish(self, vault, name, description, methods, absent=()):
        entries = [vault.get(item.key, "strict") for item in vault.all_items()]
        report = vault.verify()
        assert not report.findings, report.findings
        state = vault._open_state(vault.root, vault._read_head(), vault.ring)
        self.catalogue[name] = {
            "name": name, "description": description, "vaultID": vault.root.vault_id.hex(),
            "generation": state.gen, "slotCount": len(vault.slots()), "dataKeyCount": len(vault.ring.data),
            "methods": methods, "entries": entries, "absent": list(absent),
        }  # fmt: skip
        vault.close()


def raw(key=RAW):
    return {"rawKey": key.hex()}


def empty(shop):
    vault = shop.create("empty", RawKey(RAW))
    shop.finish(vault, "empty", "A new vault.", [raw()], [NOBODY])


def neighbour_of(vault, key):
    """A name whose item falls into the same bucket."""
    wanted = bucket_of(vault.ring.item_id(key))
    number = 0
    while True:
        candidate = ItemKey("example.com", f"neighbour-{number}")
        if bucket_of(vault.ring.item_id(candidate)) == wanted:
            return candidate
        number += 1


def several(shop):
    """Its history: all items but Bob's last writing; `before`; Alice is written again and Mallory goes; Bob is written again."""
    vault = shop.create("several", RawKey(RAW))
    vault.add_slot(Passphrase(PASSPHRASE, log_n=11))
    vault.set(ALICE, b"hunter1", value_type="string")
    vault.set(BOB, b"old secret of bob")
    shop.neighbour = neighbour_of(vault, ALICE)
    vault.set(shop.neighbour, b"in the same bucket as alice")
    vault.set(EMPTY, b"")
    vault.set(OCTETS, bytes(range(256)), value_type="key.symmetric")
    vault.set_many(
        [
            (ItemKey("Gr\u00fc\u00dfe", "\U0001f511"), "\u00e4 composed".encode(), {"value_type": "string"}),
            (ItemKey("Gru\u0308\u00dfe", "\U0001f511"), "a\u0308 decomposed".encode(), {"value_type": "string"}),
            (ItemKey("nul", "a\0b"), b"a name with a zero octet", {}),
        ]
    )
    vault.set(LONG, bytes(n * 7 % 251 for n in range(5120)), label="5 KiB")
    vault.set(
        DETAILS, b"{}", label="Mail", comment="two\nlines \u2013 and a dash", value_type="json",
        attributes={"port": "993", "Z": "", "\u00e9": "last by octets", "a" * 128: "v"},
    )  # fmt: skip
    vault.set(MALLORY, b"to be removed")
    shop.snapshot(vault, "before")
    vault.set(ALICE, b"hunter2")
    vault.remove(MALLORY)
    shop.snapshot(vault, "before-last")
    vault.set(BOB, b"new secret of bob")
    methods = [raw(), {"passphrase": PASSPHRASE.decode()}]
    shop.finish(vault, "several", "Items of every kind, two slots.", methods, [MALLORY, NOBODY])


def other(shop):
    """Another vault with the same names: only for taking rows from."""
    vault = shop.create("other", RawKey(RAW))
    for key in (ALICE, BOB):
        vault.set(key, b"of another vault")
    vault.close()


def rotating(shop):
    vault = shop.create("rotating", RawKey(RAW))
    for number in range(9):
        vault.set(ItemKey("example.com", f"account {number}"), f"value {number}".encode())
    vault.rotate_data_key(batch=2, stop_after=2)
    assert len(vault.ring.data) == 2
    shop.finish(vault, "rotating", "Killed in the midst of a data-key rotation.", [raw()], [NOBODY])


def rooted(shop):
    vault = shop.create("rooted", RawKey(RAW))
    vault.add_slot(Passphrase(PASSPHRASE, log_n=10))
    dropped = RawKey(ATTACKER)
    vault.add_slot(dropped)
    vault.set(ALICE, b"hunter2")
    vault.set(BOB, b"another")
    vault.rotate_root([RawKey(RAW), Passphrase(PASSPHRASE)])
    vault.set(EMPTY, b"after the rotation")
    methods = [raw(), {"passphrase": PASSPHRASE.decode()}]
    shop.finish(vault, "rooted", "After a root rotation that dropped a slot.", methods, [NOBODY])


def slots(shop):
    """One of each kind that version 1 has."""
    vault = shop.create("slots", RawKey(RAW))
    vault.add_slot(Passphrase(b"by scrypt", log_n=10))
    vault.add_slot(Passphrase("b\u00ff pbkdf2".encode(), PBKDF2, iterations=100_000))
    vault.add_slot(Passphrase(b"by argon2id", ARGON2ID, memory=19456, passes=1, lanes=1))
    vault.add_slot(RawKey(b"\x07" * 32, SECRET_SERVICE))
    mask, key = b"\x5a" * 32, b"\x08" * 32
    vault.add_slot(External("kms:test", lambda wrapped: xor(wrapped, mask), xor(key, mask)))
    vault.set(ALICE, b"hunter2")
    methods = [
        raw(), {"passphrase": "by scrypt"}, {"passphrase": "b\u00ff pbkdf2"},
        {"passphrase": "by argon2id", "needs": "Argon2id"}, {"secretService": (b"\x07" * 32).hex()},
        {"external": "kms:test", "key": key.hex()},
    ]  # fmt: skip
    shop.finish(vault, "slots", "A slot of every kind.", methods, [NOBODY])


def full(shop):
    """As many slots as there may be."""
    vault = shop.create("full", RawKey(RAW))
    for number in range(8):
        vault.add_slot(Passphrase(b"passphrase %d" % number, log_n=10))
    for number in range(23):
        vault.add_slot(RawKey(bytes([number]) * 32))
    vault.set(ALICE, b"hunter2")
    shop.finish(vault, "full", "32 slots, 8 of them passphrases.", [raw(), raw(b"\x16" * 32)], [NOBODY])


def changed(shop):
    """A passphrase was changed: for putting the old slot back."""
    vault = shop.create("changed", Passphrase(b"old passphrase", log_n=10))
    old = vault.slots()[0].id
    vault.set(ALICE, b"hunter1")
    shop.snapshot(vault, "before-change")
    vault.replace_slot(old, Passphrase(b"new passphrase", log_n=10))
    vault.set(ALICE, b"hunter2")
    shop.finish(vault, "changed", "Its passphrase was changed.", [{"passphrase": "new passphrase"}], [NOBODY])


def limits(shop):
    """Everything as long as it may be, except the value, which would make the file large."""
    vault = shop.create("limits", RawKey(RAW))
    longest = ItemKey("s" * 1024, "\u00e9" * 512, "internet", "g" * 255)
    attributes = {f"{n:0128}": "" for n in range(64)}
    vault.set(longest, b"v" * 60, label="l" * 1024, comment="c" * 4096, attributes=attributes, value_type="t" * 64)
    for length in (61, 4091, 4092, 4093, 4096):
        vault.set(ItemKey("lengths", str(length)), bytes([length % 251]) * length)
    shop.finish(vault, "limits", "Longest names, and values about the edges of padding.", [raw()], [NOBODY])


def make_all(folder):
    shop = Workshop(folder)
    for make in (empty, several, other, rotating, rooted, slots, full, changed, limits):
        make(shop)
    return shop


__all__ = [name for name in globals() if not name.startswith("_")]
