# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Where a vault is damaged: a copy of a good one, the keys to it, and a plain connection that checks nothing."""

import hashlib
import shutil

import signetv1 as format
from octets import normalised_wal
from signetv1 import Passphrase, Randomness, RawKey, Row, State, Vault, u8
from vaults import ALICE, RAW


class Desk:
    def __init__(self, shop, base, name):
        self.shop, self.randomness = shop, Randomness(name.encode())
        self.path, self.wal_path, self.wal = shop.folder / "damaged", shop.folder / "damaged-wal", None
        for leftover in shop.folder.glob("damaged*"):
            leftover.unlink()
        shutil.copyfile(shop.path(base), self.path)
        self.db = self._connect()
        self.vault = Vault.open(self.path, self.randomness, lambda: 1_800_000_000_000)
        self.vault.unlock(Passphrase(b"new passphrase") if base == "changed" else RawKey(RAW))
        self.ring, self.root = self.vault.ring, self.vault.root

    def close(self):
        self.vault.close()
        self.db.close()

    def _connect(self):
        database = format.connect(self.path)
        # Its default is a choice of whoever built SQLite, and the octets of fixtures are not to depend on that.
        database.execute("PRAGMA secure_delete=ON").fetchall()
        return database

    # What is there

    def sql(self, statement, *values):
        return self.db.execute(statement, values).fetchall()

    def one(self, statement, *values):
        return self.sql(statement, *values)[0][0]

    def id(self, key):
        return self.ring.item_id(key)

    def bucket(self, key):
        return format.bucket_of(self.id(key))

    def row(self, key):
        return self.vault._row(self.id(key))

    def slot(self, type):
        return next(slot for slot in self.vault.slots() if slot.type == type)

    def earlier(self, snapshot):
        """A connection to the vault as it was."""
        return format.connect(self.shop.path(snapshot))

    def cell(self, name):
        """Table, column, condition and its value of the row that stands for its kind."""
        table, column = name.split(".")
        row = self.row(ALICE)
        key, value = {
            "head": ("k", 1),
            "state": ("k", 1),
            "slot": ("id", self.slot(format.SCRYPT).id),
            "ring": ("kid", row.kid),
            "item": ("id", row.id),
            "val": ("v", row.v),
            "bucket": ("n", row.bucket),
        }[table]
        return table, column, f"{key}=?", value

    # Damaging

    def change(self, name, octets):
        """Puts another value into a cell: octets, or a function of those there."""
        table, column, condition, value = self.cell(name)
        if callable(octets):
            octets = octets(self.one(f"SELECT {column} FROM {table} WHERE {condition}", value))
        self.sql(f"UPDATE {table} SET {column}=? WHERE {condition}", octets, value)

    def flip(self, name, at, bit=0):
        def flipped(octets):
            changed = bytearray(octets)
            changed[at] ^= 1 << bit
            return bytes(changed)

        self.change(name, flipped)

    def put_back(self, snapshot, table, condition, *values):
        """Rows as they were in a snapshot."""
        earlier = self.earlier(snapshot)
        for columns in earlier.execute(f"SELECT * FROM {table} WHERE {condition}", values):
            marks = ",".join("?" * len(columns))
            self.sql(f"INSERT OR REPLACE INTO {table} VALUES({marks})", *columns)
        earlier.close()

    def roll_back_item(self, snapshot, key):
        id = self.id(key)
        earlier = self.earlier(snapshot)
        v = earlier.execute("SELECT v FROM item WHERE id=?", (id,)).fetchone()[0]
        earlier.close()
        self.put_back(snapshot, "item", "id=?", id)
        self.put_back(snapshot, "val", "v=?", v)

    def with_schema(self, name, sql, damage):
        """Runs `damage` while SQLite believes another statement of the schema, or none: for what its checks would not let in."""
        self.vault.close()
        original = self.one("SELECT sql FROM sqlite_schema WHERE name=?", name)
        columns = self.sql("SELECT * FROM sqlite_schema WHERE name=?", name)[0]
        self._rewrite_schema(name, None if sql is None else (*columns[:4], sql))
        damage()
        self._rewrite_schema(name, (*columns[:4], original))

    def _rewrite_schema(self, name, columns):
        text = [column.decode() if isinstance(column, bytes) else column for column in columns or ()]
        version = self.one("PRAGMA schema_version")
        self.sql("PRAGMA writable_schema=ON")
        if columns is None:
            self.sql("DELETE FROM sqlite_schema WHERE name=?", name)
        elif self.sql("SELECT 1 FROM sqlite_schema WHERE name=?", name):
            self.sql("UPDATE sqlite_schema SET sql=? WHERE name=?", text[4], name)
        else:
            self.sql("INSERT INTO sqlite_schema VALUES(?,?,?,?,?)", *text)
        self.sql(f"PRAGMA schema_version={version + 1}")
        self.sql("PRAGMA writable_schema=OFF")
        self.db.close()
        self.db = self._connect()

    def leave_wal(self, snapshot, change=lambda octets: octets, write=None):
        """The vault as it was, and beside it a -wal with one transaction more, as a killed process leaves them."""
        self.close()
        shutil.copyfile(self.shop.path(snapshot), self.path)
        with Vault.open(self.path, self.randomness, lambda: 1_800_000_000_000) as vault:
            vault.unlock(RawKey(RAW))
            vault.db.execute("PRAGMA wal_autocheckpoint=0").fetchall()
            write(vault)
            octets, wal = self.path.read_bytes(), self.wal_path.read_bytes()
        self.path.write_bytes(octets)
        self.wal = change(normalised_wal(wal))

    # Damaging with the keys at hand

    def item(self, key):
        return self.vault.get(key).item

    def reseal(self, names, meta=None, value=None):
        """Writes an item by the rules, all sums right, but with these octets sealed in place of padded metadata or value.

        names: the four texts of its key, as octets.
        """
        ring = self.ring
        id = format.H(ring.names, b"\1" + b"".join(map(format.lp, names)))
        group = format.H(ring.names, b"\2" + b"".join(map(format.lp, names[:3])))[:16]
        with self.vault._writing() as change:
            old = self.vault._row(id)
            key = ring.data[change.state.active]
            if old is not None and meta is None:
                meta = key.open(format.META, id, old.gen, old.meta)
            if old is not None and value is None:
                sealed = self.one("SELECT b FROM val WHERE v=?", old.v)
                value = key.open(format.VALUE, id, old.gen, sealed)
            value = format.pad(b"") if value is None else value
            meta = key.seal(self.randomness, format.META, id, change.gen, meta)
            sealed = key.seal(self.randomness, format.VALUE, id, change.gen, value)
            database = self.vault.db
            if old is None:
                v = database.execute("INSERT INTO val(b) VALUES(?)", (sealed,)).lastrowid
            else:
                v = old.v
                change.toggle(old, -1)
                database.execute("UPDATE val SET b=? WHERE v=?", (sealed, v))
            row = Row(id, group, key.kid, change.gen, v, meta, sealed[-16:])
            change.toggle(row, +1)
            database.execute("INSERT OR REPLACE INTO item VALUES(?,?,?,?,?,?,?)", tuple(vars(row).values()))

    def reseal_state(self, **changes):
        state = State.open(self.root, self.one("SELECT b FROM state"))
        for name, value in changes.items():
            setattr(state, name, value(getattr(state, name)) if callable(value) else value)
        self.sql("UPDATE state SET b=?", state.seal(self.randomness, self.root))

    def reseal_head(self, front=None, **changes):
        """The head's code over what is there now, and a state that names it."""
        slots, ring = (dict(self.sql(f"SELECT * FROM {table}")) for table in ("slot", "ring"))
        front = front or self.one("SELECT b FROM head")[:72]
        head = front + format.head_mac(self.root, front, slots, ring)
        self.sql("UPDATE head SET b=?", head)
        self.reseal_state(head_hash=hashlib.sha256(head).digest(), **changes)

    def add_ring_key(self, purpose, key=b"\x77" * 32, kid=None, sealed_for=None):
        kid = kid or format.kid_of(key, self.root.vault_id)
        sealed = self.root.wrap.seal(self.randomness, format.RING, sealed_for or kid, 0, u8(purpose) + key)
        self.sql("INSERT INTO ring VALUES(?,?)", kid, sealed)

    def reseal_bucket(self, n, count, acc):
        """A bucket sealed with what is given, and the state's accB with it."""
        state = State.open(self.root, self.one("SELECT b FROM state"))
        acc_b = state.acc_b
        for (old,) in self.sql("SELECT b FROM bucket WHERE n=?", n):
            acc_b = format.xor(acc_b, self.ring.bucket_element(n, old))
        sealed = format.Bucket(state.gen, count, acc).seal(self.randomness, self.root, n)
        self.sql("INSERT OR REPLACE INTO bucket VALUES(?,?)", n, sealed)
        self.reseal_state(acc_b=format.xor(acc_b, self.ring.bucket_element(n, sealed)))
