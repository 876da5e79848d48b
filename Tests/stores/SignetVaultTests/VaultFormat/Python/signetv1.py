#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""SIGNETV1, a second time: written from Documentation/VAULT-FORMAT.md alone, to be compared with Signet's own.

It makes the vaults of Fixtures and answers the interop tests. It is made to be read beside the document, in the same
order; it is neither fast nor careful with secrets in memory. Never keep a secret of yours with it.

    signetv1.py known-answers
    signetv1.py create|list|verify|slots FILE (--raw-key HEX | --passphrase-file FILE | --passphrase-fd N)
    signetv1.py set|get|remove FILE SERVICE ACCOUNT (as above); a value comes from standard input, or goes to standard output
    signetv1.py batch              many operations as JSON, for the tests
"""

import argparse
import contextlib
import hashlib
import hmac
import json
import os
import pathlib
import sqlite3
import struct
import sys
import time
from dataclasses import dataclass, field, replace

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class VaultError(Exception):
    """code: as StoreError's in Swift. place and identifier: where the damage is, as in VaultReport.Finding."""

    def __init__(self, code, problem, place="", identifier=b""):
        super().__init__(f"{code}: {place} {identifier.hex()} {problem}")
        self.code, self.problem, self.place, self.identifier = code, problem, place, identifier


def corrupt(place, problem, identifier=b""):
    return VaultError("corrupt", problem, place, identifier)


# --- Notation ---------------------------------------------------------------------------------------------------


def u8(n):
    return struct.pack(">B", n)


def u16(n):
    return struct.pack(">H", n)


def u32(n):
    return struct.pack(">I", n)


def u64(n):
    return struct.pack(">Q", n)


def number(octets):
    return int.from_bytes(octets, "big")


def lp(x):
    return u32(len(x)) + x


def H(k, m):
    return hmac.new(k, m, hashlib.sha256).digest()


def E(k, info, n):
    """HKDF-Expand, RFC 5869, 2.3."""
    output, block, counter = b"", b"", 1
    while len(output) < n:
        block = H(k, block + info + u8(counter))
        output += block
        counter += 1
    return output[:n]


def same(a, b):
    return hmac.compare_digest(a, b)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def xaes_key(key, nonce):
    """The AES-256-GCM key that XAES-256-GCM derives from its key and the first 12 octets of the nonce."""
    aes = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    subkey = number(aes.update(bytes(16))) << 1
    if subkey >> 128:
        subkey = (subkey & ((1 << 128) - 1)) ^ 0x87
    k1 = subkey.to_bytes(16, "big")
    return b"".join(aes.update(xor(b"\0" + u8(n) + b"X\0" + nonce[:12], k1)) for n in (1, 2))


def xaes_seal(key, nonce, aad, plaintext):
    return nonce + AESGCM(xaes_key(key, nonce)).encrypt(nonce[12:], plaintext, aad)


def xaes_open(key, aad, sealed):
    """None when it is not authentic."""
    if len(sealed) < 40:
        return None
    try:
        return AESGCM(xaes_key(key, sealed[:24])).decrypt(sealed[12:24], sealed[24:], aad)
    except InvalidTag:
        return None


def padded_length(total):
    if total <= 4096:
        unit = 64
    else:
        e = total.bit_length() - 1
        s = e.bit_length()  # floor(log2 e) + 1
        unit = 1 << (e - s)
    return -(-total // unit) * unit


def pad(x):
    return (lp(x)).ljust(padded_length(4 + len(x)), b"\0")


def unpad(padded):
    """None when the length does not fit, the total is not canonical, or the padding is not zero."""
    if len(padded) < 4:
        return None
    length = number(padded[:4])
    if 4 + length > len(padded) or padded_length(4 + length) != len(padded) or any(padded[4 + length :]):
        return None
    return padded[4 : 4 + length]


class Randomness:
    """The system's, or with a seed the same octets each time: for fixtures, never for secrets."""

    def __init__(self, seed=None):
        self.seed, self.counter = seed, 0

    def octets(self, n):
        if self.seed is None:
            return os.urandom(n)
        self.counter += 1
        return hashlib.shake_256(lp(self.seed) + u64(self.counter)).digest(n)


# --- Keys and associated data -----------------------------------------------------------------------------------

META, VALUE, RING, STATE, BUCKET, SLOT = 1, 2, 3, 4, 5, 6
MAGIC = b"SIGNETV1"


def kid_of(key, vault_id):
    return E(key, b"SIGNETV1 kid" + vault_id, 16)


def associated_data(kind, vault_id, kid, subject, gen):
    return MAGIC + u8(kind) + u8(1) + u16(0) + vault_id + kid + subject.rjust(32, b"\0") + u64(gen) + u32(0)


@dataclass
class SealingKey:
    key: bytes
    kid: bytes
    vault_id: bytes

    @classmethod
    def of(cls, key, vault_id):
        return cls(key, kid_of(key, vault_id), vault_id)

    def seal(self, randomness, kind, subject, gen, plaintext):
        aad = associated_data(kind, self.vault_id, self.kid, subject, gen)
        return xaes_seal(self.key, randomness.octets(24), aad, plaintext)

    def open(self, kind, subject, gen, sealed):
        return xaes_open(self.key, associated_data(kind, self.vault_id, self.kid, subject, gen), sealed)


class Root:
    """RK and what is made of it for one epoch."""

    def __init__(self, rk, vault_id, epoch):
        i = vault_id + u32(epoch)
        self.rk, self.vault_id, self.epoch = rk, vault_id, epoch
        self.wrap = SealingKey.of(E(rk, b"SIGNETV1 wrap" + i, 32), vault_id)
        self.head = E(rk, b"SIGNETV1 head" + i, 32)
        self.state = SealingKey.of(E(rk, b"SIGNETV1 state" + i, 32), vault_id)
        self.commit = E(rk, b"SIGNETV1 commit" + i, 32)


@dataclass
class Ring:
    """NK, SK and the DEKs by their kid."""

    names: bytes
    sums: bytes
    data: dict

    def item_id(self, key):
        return H(self.names, b"\x01" + b"".join(map(lp, key.texts())))

    def group(self, key):
        return H(self.names, b"\x02" + b"".join(map(lp, key.texts()[:3])))[:16]

    def element(self, row):
        return H(self.sums, b"I" + row.id + u64(row.gen) + row.meta[-16:] + row.vt)

    def bucket_element(self, n, sealed):
        return H(self.sums, b"B" + u16(n) + sealed[:8] + sealed[-16:])


# --- The database -----------------------------------------------------------------------------------------------

APPLICATION_ID, USER_VERSION = 0x53564C54, 1
SCHEMA = [
    ("table", "head", "head", "CREATE TABLE head(k INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
    ("table", "slot", "slot", "CREATE TABLE slot(id BLOB PRIMARY KEY,b BLOB NOT NULL) WITHOUT ROWID"),
    ("table", "ring", "ring", "CREATE TABLE ring(kid BLOB PRIMARY KEY,b BLOB NOT NULL) WITHOUT ROWID"),
    (
        "table", "item", "item",
        "CREATE TABLE item(id BLOB PRIMARY KEY,grp BLOB NOT NULL,kid BLOB NOT NULL,gen INTEGER NOT NULL,"
        "v INTEGER NOT NULL,meta BLOB NOT NULL,vt BLOB NOT NULL) WITHOUT ROWID",
    ),
    ("index", "item_grp", "item", "CREATE INDEX item_grp ON item(grp)"),
    ("table", "val", "val", "CREATE TABLE val(v INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
    ("table", "bucket", "bucket", "CREATE TABLE bucket(n INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
    ("table", "state", "state", "CREATE TABLE state(k INTEGER PRIMARY KEY,b BLOB NOT NULL)"),
]  # fmt: skip
PRAGMAS = [
    "synchronous=FULL", "secure_delete=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0",
    "temp_store=MEMORY",
]  # fmt: skip
MAX_INTEGER = 2**63 - 1


class Text(bytes):
    """What a TEXT column holds: never taken for a blob."""


def connect(path, busy_milliseconds=10_000):
    uri = pathlib.Path(path).absolute().as_uri() + "?mode=rw"
    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=busy_milliseconds / 1000)
    database.text_factory = Text
    return database


def prepare(database):
    for pragma in PRAGMAS:
        database.execute(f"PRAGMA {pragma}").fetchall()


def from_sqlite(error):
    primary = getattr(error, "sqlite_errorcode", 1) & 0xFF
    if primary == sqlite3.SQLITE_NOTADB:
        return VaultError("notAVault", "not an SQLite database", "database")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return VaultError("busy", "another process writes", "database")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return corrupt("database", str(error))
    return VaultError("unavailable", str(error), "database")


def blob(value, place, problem, identifier=b"", least=0, most=None):
    """The value, if it is a blob of least to most octets (most: as least, unless given)."""
    if type(value) is not bytes or not least <= len(value) <= (least if most is None else most):
        raise corrupt(place, f"{problem}: type or length", identifier)
    return value


def integer(value, place, problem, identifier=b"", most=MAX_INTEGER):
    if type(value) is not int or not 0 <= value <= most:
        raise corrupt(place, f"{problem}: type or range", identifier)
    return value


def generation(octets, place, identifier=b""):
    return integer(number(octets), place, "gen", identifier)


@dataclass
class Head:
    octets: bytes
    vault_id: bytes
    created: int
    epoch: int
    commit: bytes
    mac: bytes

    @classmethod
    def parse(cls, b):
        blob(b, "head", "b", least=104)
        if b[:8] != MAGIC:
            raise corrupt("head", "magic")
        if number(b[8:10]) != 1 or number(b[10:12]) != 1:
            raise corrupt("head", "another version or suite than user_version says")
        head = cls(b, b[12:28], number(b[28:36]), number(b[36:40]), b[40:72], b[72:])
        if head.epoch < 1 or head.created > MAX_INTEGER:
            raise corrupt("head", "epoch or created")
        return head

    @classmethod
    def make(cls, root, created, slots, ring_rows):
        front = MAGIC + u16(1) + u16(1) + root.vault_id + u64(created) + u32(root.epoch) + root.commit
        return cls.parse(front + head_mac(root, front, slots, ring_rows))


def head_mac(root, front, slots, ring_rows):
    """slots and ring_rows: dictionaries from id or kid to b."""
    message = front + b"".join(lp(slots[id]) for id in sorted(slots))
    return H(root.head, message + b"|" + b"".join(lp(ring_rows[kid]) for kid in sorted(ring_rows)))


# --- Key slots --------------------------------------------------------------------------------------------------

SCRYPT, ARGON2ID, PBKDF2, RAW_KEY, TPM2, SECRET_SERVICE, EXTERNAL = 1, 2, 3, 4, 5, 6, 7
PASSPHRASE_TYPES = (SCRYPT, ARGON2ID, PBKDF2)
MAX_SLOTS, MAX_PASSPHRASE_SLOTS, MAX_RING_ROWS = 32, 8, 1024


@dataclass
class Slot:
    type: int
    id: bytes
    params: bytes
    commit: bytes
    sealed: bytes
    octets: bytes

    @property
    def before_commit(self):
        return self.octets[:-104]

    @classmethod
    def parse(cls, id, b):
        """Checks everything that can be checked without a key; a limit passed is damage."""
        blob(id, "slot", "id", least=16)
        blob(b, "slot", "b", id, least=20 + 104, most=20 + 65535 + 104)
        if b[1] != 1 or b[4:20] != id or len(b) != 20 + number(b[2:4]) + 104:
            raise corrupt("slot", "version, id or length", id)
        slot = cls(b[0], id, b[20:-104], b[-104:-72], b[-72:], b)
        if not slot.parameters_are_within_limits():
            raise corrupt("slot", "type or parameters", id)
        return slot

    def parameters_are_within_limits(self):
        p = self.params
        if self.type == SCRYPT:
            return len(p) == 41 and 10 <= p[32] <= 20 and number(p[33:37]) == 8 and number(p[37:41]) == 1
        if self.type == ARGON2ID:
            memory, passes, lanes = (number(p[n : n + 4]) for n in (32, 36, 40))
            return len(p) == 44 and 19456 <= memory <= 1048576 and 1 <= passes <= 16 and 1 <= lanes <= 4
        if self.type == PBKDF2:
            return len(p) == 36 and 100_000 <= number(p[32:36]) <= 10_000_000
        if self.type in (RAW_KEY, SECRET_SERVICE):
            return p == b""
        return self.type == EXTERNAL and self.external() is not None

    def external(self):
        reader = Reader(self.params)
        try:
            name, wrapped = reader.text(1, 128), reader.lp(1, 4096)
            reader.end()
            return name, wrapped
        except ValueError:
            return None

    @classmethod
    def make(cls, randomness, id, vault_id, type, params, kek, rk):
        before = u8(type) + u8(1) + u16(len(params)) + id + params
        derived = E(kek, b"SIGNETV1 slot" + vault_id + before, 64)
        aad = associated_data(SLOT, vault_id, bytes(16), id, 0)
        sealed = xaes_seal(derived[:32], randomness.octets(24), aad, rk)
        return cls.parse(id, before + derived[32:] + sealed)

    def open(self, vault_id, kek):
        """RK; None for a wrong key."""
        derived = E(kek, b"SIGNETV1 slot" + vault_id + self.before_commit, 64)
        if not same(derived[32:], self.commit):
            return None
        rk = xaes_open(derived[:32], associated_data(SLOT, vault_id, bytes(16), self.id, 0), self.sealed)
        if rk is None:
            raise corrupt("slot", "the root key is not authentic", self.id)
        return rk


def argon2id(octets, salt, memory, passes, lanes):
    # Only in builds of the library whose OpenSSL is 3.2 or newer.
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    return Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(octets)


class Passphrase:
    """For new slots: scrypt unless another is named by type and its figures."""

    def __init__(self, octets, type=SCRYPT, log_n=17, iterations=600_000, memory=19456, passes=2, lanes=1):
        if not 1 <= len(octets) <= 1024:
            raise VaultError("invalidParameter", "a passphrase has 1 to 1024 octets")
        self.octets, self.type = octets, type
        self.figures = {
            SCRYPT: u8(log_n) + u32(8) + u32(1),
            ARGON2ID: u32(memory) + u32(passes) + u32(lanes),
            PBKDF2: u32(iterations),
        }[type]

    def new(self, randomness):
        params = randomness.octets(32) + self.figures
        return self.type, params, self.derive(self.type, params)

    def kek(self, slot):
        return self.derive(slot.type, slot.params) if slot.type in PASSPHRASE_TYPES else None

    def derive(self, type, params):
        salt, figures = params[:32], params[32:]
        if type == SCRYPT:
            n = 1 << figures[0]
            return hashlib.scrypt(self.octets, salt=salt, n=n, r=8, p=1, maxmem=1024 * n + 2**25, dklen=32)
        if type == PBKDF2:
            return hashlib.pbkdf2_hmac("sha256", self.octets, salt, number(figures), 32)
        return argon2id(self.octets, salt, *(number(figures[n : n + 4]) for n in (0, 4, 8)))


class RawKey:
    """type: RAW_KEY or SECRET_SERVICE."""

    def __init__(self, key, type=RAW_KEY):
        if len(key) != 32:
            raise VaultError("invalidParameter", "a raw key has 32 octets")
        self.key, self.type = key, type

    def new(self, randomness):
        return self.type, b"", self.key

    def kek(self, slot):
        return self.key if slot.type == self.type else None


class External:
    """unwrap: called with the wrapped octets, answers the 32 octets of the KEK."""

    def __init__(self, name, unwrap, wrapped=b""):
        self.name, self.unwrap, self.wrapped = name, unwrap, wrapped

    def new(self, randomness):
        return EXTERNAL, lp(self.name.encode()) + lp(self.wrapped), self.unwrap(self.wrapped)

    def kek(self, slot):
        if slot.type != EXTERNAL or slot.external()[0] != self.name:
            return None
        return self.unwrap(slot.external()[1])


# --- Items ------------------------------------------------------------------------------------------------------

CLASSES = ("generic", "internet", "token", "key", "certificate")
MAX_VALUE, MAX_METADATA, MAX_ATTRIBUTES = 16_777_216, 65_536, 64


@dataclass(frozen=True, order=True)
class ItemKey:
    service: str
    account: str
    item_class: str = "generic"
    group: str = ""

    def texts(self):
        return [text.encode() for text in (self.item_class, self.group, self.service, self.account)]


@dataclass(frozen=True)
class Item:
    key: ItemKey
    label: str = ""
    comment: str = ""
    attributes: dict = field(default_factory=dict)
    created: int = 0
    modified: int = 0
    value_type: str = "bytes"


@dataclass(frozen=True)
class Entry:
    item: Item
    value: bytes


class Reader:
    """Takes fields off the front; ValueError for whatever does not fit."""

    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, n):
        if n > len(self.octets) - self.at:
            raise ValueError("too short")
        self.at += n
        return self.octets[self.at - n : self.at]

    def lp(self, least, most):
        length = number(self.take(4))
        if not least <= length <= most:
            raise ValueError("length")
        return self.take(length)

    def text(self, least, most):
        return self.lp(least, most).decode("utf-8", "strict")  # UnicodeDecodeError is a ValueError

    def end(self):
        if self.at != len(self.octets):
            raise ValueError("trailing octets")


def encode_metadata(item):
    attributes = {name.encode(): value.encode() for name, value in item.attributes.items()}
    return b"".join(
        [b"\x01", *map(lp, item.key.texts()), lp(item.label.encode()), lp(item.comment.encode())]
        + [u64(item.created), u64(item.modified), lp(item.value_type.encode()), u32(len(attributes))]
        + [lp(name) + lp(attributes[name]) for name in sorted(attributes)]
    )


def decode_metadata(octets):
    if len(octets) > MAX_METADATA:
        raise ValueError("too long")
    reader = Reader(octets)
    if reader.take(1) != b"\x01":
        raise ValueError("version")
    item_class, group = reader.text(1, 64), reader.text(0, 255)
    service, account = reader.text(1, 1024), reader.text(0, 1024)
    if item_class not in CLASSES:
        raise ValueError("class")
    label, comment = reader.text(0, 1024), reader.text(0, 4096)
    created, modified = number(reader.take(8)), number(reader.take(8))
    if max(created, modified) > MAX_INTEGER:
        raise ValueError("time")
    value_type = reader.text(1, 64)
    count = number(reader.take(4))
    if count > MAX_ATTRIBUTES:
        raise ValueError("too many attributes")
    attributes, last = {}, b""
    for _ in range(count):
        name, value = reader.text(1, 128), reader.text(0, 4096)
        if name.encode() <= last:
            raise ValueError("attributes out of order")
        attributes[name], last = value, name.encode()
    reader.end()
    key = ItemKey(service, account, item_class, group)
    return Item(key, label, comment, attributes, created, modified, value_type)


@dataclass
class Row:
    """A row of item, of the right types and lengths."""

    id: bytes
    group: bytes
    kid: bytes
    gen: int
    v: int
    meta: bytes
    vt: bytes

    @classmethod
    def parse(cls, columns):
        id, group, kid, gen, v, meta, vt = columns
        blob(id, "item", "id", least=32)
        blob(group, "item", "grp", id, 16)
        blob(kid, "item", "kid", id, 16)
        integer(gen, "item", "gen", id)
        integer(v, "item", "v", id)
        blob(meta, "item", "meta", id, 64 + 40, padded_length(4 + MAX_METADATA) + 40)
        blob(vt, "item", "vt", id, 16)
        return cls(*columns)

    @property
    def bucket(self):
        return bucket_of(self.id)


@dataclass
class Tags:
    """Of a row of item, what the sums are made of."""

    id: bytes
    gen: int
    meta: bytes
    vt: bytes

    @classmethod
    def parse(cls, columns):
        id, gen, meta, vt = columns
        blob(id, "item", "id", least=32)
        integer(gen, "item", "gen", id)
        blob(meta, "item", "meta", id, 16, 2**31)
        blob(vt, "item", "vt", id, 16)
        return cls(*columns)


def bucket_of(id):
    return number(id[:2]) >> 4


ZEROS = bytes(32)


@dataclass
class Bucket:
    gen: int
    count: int
    acc: bytes

    def seal(self, randomness, root, n):
        return u64(self.gen) + root.state.seal(randomness, BUCKET, u16(n), self.gen, u32(self.count) + self.acc)

    @classmethod
    def open(cls, root, n, b):
        blob(b, "bucket", "b", u16(n), least=84)
        gen = generation(b[:8], "bucket", u16(n))
        plain = root.state.open(BUCKET, u16(n), gen, b[8:])
        if plain is None:
            raise corrupt("bucket", "not authentic", u16(n))
        bucket = cls(gen, number(plain[:4]), plain[4:])
        if bucket.count == 0:
            raise corrupt("bucket", "a row without items", u16(n))
        return bucket


@dataclass
class State:
    gen: int
    count: int
    acc: bytes
    acc_b: bytes
    active: bytes
    head_hash: bytes

    def seal(self, randomness, root):
        plain = u64(self.count) + self.acc + self.acc_b + self.active + self.head_hash
        return u64(self.gen) + root.state.seal(randomness, STATE, b"", self.gen, plain)

    @classmethod
    def open(cls, root, b):
        blob(b, "state", "b", least=168)
        gen = generation(b[:8], "state")
        p = root.state.open(STATE, b"", gen, b[8:])
        if p is None:
            raise corrupt("state", "not authentic")
        count = integer(number(p[:8]), "state", "count")
        return cls(gen, count, p[8:40], p[40:72], p[72:88], p[88:])


# --- The vault --------------------------------------------------------------------------------------------------

LEVELS = ("lazy", "strict", "verify")


@dataclass
class Report:
    items: int = 0
    values: int = 0
    findings: list = field(default_factory=list)

    @contextlib.contextmanager
    def noting(self):
        """Runs a check; what it raises becomes a finding."""
        try:
            yield
        except VaultError as error:
            self.findings.append((error.place, error.identifier.hex(), error.problem))
        except sqlite3.DatabaseError as error:
            self.findings.append(("database", "", str(error)))


class Vault:
    def __init__(self, path, randomness=None, clock=None):
        self.path = path
        self.randomness = randomness or Randomness()
        self.clock = clock or (lambda: int(time.time() * 1000))
        self.root = self.ring = self.head_octets = None
        with translated():
            self.db = connect(path)

    # Opening

    @classmethod
    def create(cls, path, method, randomness=None, clock=None):
        path = os.fspath(path)
        temporary = f"{path}.new-{os.urandom(8).hex()}"
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            vault = cls(temporary, randomness, clock)
            vault._fill(method)
            vault.close()
            try:
                os.link(temporary, path)
            except FileExistsError:
                raise VaultError("alreadyExists", "the name is taken") from None
        finally:
            os.unlink(temporary)
        vault = cls.open(path, vault.randomness, clock)
        vault.unlock(method)
        return vault

    def _fill(self, method):
        self.db.execute("PRAGMA page_size=4096")
        self.db.execute("PRAGMA encoding='UTF-8'")
        self.db.execute("PRAGMA journal_mode=WAL")
        prepare(self.db)
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        self.db.execute(f"PRAGMA user_version={USER_VERSION}")
        for *_, sql in SCHEMA:
            self.db.execute(sql)
        vault_id = self.randomness.octets(16)
        self.root = Root(self.randomness.octets(32), vault_id, 1)
        slot = self._new_slot(method)
        self.db.execute("INSERT INTO slot VALUES(?,?)", (slot.id, slot.octets))
        keys = {purpose: self.randomness.octets(32) for purpose in b"NSD"}
        for purpose, key in keys.items():
            self._insert_ring_key(purpose, key)
        head = Head.make(self.root, self.clock(), self._slots(), self._ring_rows())
        self.db.execute("INSERT INTO head VALUES(1,?)", (head.octets,))
        active = kid_of(keys[ord("D")], vault_id)
        state = State(1, 0, ZEROS, ZEROS, active, hashlib.sha256(head.octets).digest())
        self.db.execute("INSERT INTO state VALUES(1,?)", (state.seal(self.randomness, self.root),))
        self.db.execute("COMMIT")

    @classmethod
    def open(cls, path, randomness=None, clock=None):
        """Everything that can be checked without a key."""
        if not os.path.exists(path):
            raise VaultError("unavailable", "no such file")
        vault = cls(path, randomness, clock)
        try:
            with translated():
                vault._check_database()
                with vault._reading():
                    vault._read_head(), vault._slots(), vault._ring_rows()
                    blob(vault._single("state"), "state", "b", least=168)
        except VaultError:
            vault.close()
            raise
        return vault

    def _check_database(self):
        for pragma, expected in (("application_id", APPLICATION_ID), ("user_version", USER_VERSION)):
            if self._pragma(pragma) != expected:
                raise VaultError("notAVault", pragma, "database")
        for pragma, expected in (("page_size", 4096), ("encoding", b"UTF-8"), ("journal_mode", b"wal")):
            if self._pragma(pragma) != expected:
                raise corrupt("database", pragma)
        prepare(self.db)
        self._check_schema()

    def _check_schema(self):
        rows = self.db.execute("SELECT type,name,tbl_name,sql FROM sqlite_schema").fetchall()
        expected = sorted(tuple(text.encode() for text in row) for row in SCHEMA)
        if any(type(value) is not Text for row in rows for value in row) or sorted(rows) != expected:
            raise corrupt("schema", "not that of the format")

    def _pragma(self, name):
        return self.db.execute(f"PRAGMA {name}").fetchone()[0]

    def close(self):
        self.root = self.ring = None
        self.db.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Unlocking

    def unlock(self, method):
        with translated(), self._reading():
            head = self._read_head()
            slots = self._slots()
            self._ring_rows()
            for id, octets in sorted(slots.items()):
                slot = Slot.parse(id, octets)
                kek = method.kek(slot)
                rk = None if kek is None else slot.open(head.vault_id, kek)
                if rk is not None:
                    return self._load(Root(rk, head.vault_id, head.epoch))
            raise VaultError("authenticationFailure", "no slot opens")

    def lock(self):
        self.root = self.ring = self.head_octets = None

    def _load(self, root):
        """Everything behind RK, in the document's order."""
        head = self._read_head()
        if not same(head.commit, root.commit):
            raise corrupt("head", "commit")
        rows = self._ring_rows()
        if not same(head.mac, head_mac(root, head.octets[:72], self._slots(), rows)):
            raise corrupt("head", "mac")
        ring = open_ring(root, rows)
        self._open_state(root, head, ring)
        self.root, self.ring, self.head_octets = root, ring, head.octets

    def _open_state(self, root, head, ring):
        state = State.open(root, self._single("state"))
        if not same(state.head_hash, hashlib.sha256(head.octets).digest()):
            raise corrupt("state", "it names another head")
        if state.active not in ring.data:
            raise corrupt("state", "no such active key")
        return state

    def _refresh(self):
        """In a transaction: another process may have changed the head, the slots or the ring."""
        if self.root is None:
            raise VaultError("locked", "unlock first")
        head = self._read_head()
        if head.octets == self.head_octets:
            return
        if head.vault_id == self.root.vault_id and head.epoch > self.root.epoch:
            self.lock()
            raise VaultError("locked", "the root key was rotated: unlock again")
        self._load(self.root)

    # Reading rows

    @contextlib.contextmanager
    def _transaction(self, kind):
        with translated():
            self.db.execute(f"BEGIN {kind}")
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def _reading(self):
        return self._transaction("DEFERRED")

    def _single(self, table):
        rows = self.db.execute(f"SELECT k,b FROM {table} LIMIT 2").fetchall()
        if len(rows) != 1 or rows[0][0] != 1:
            raise corrupt(table, "not exactly one row")
        return rows[0][1]

    def _read_head(self):
        return Head.parse(self._single("head"))

    def _slots(self):
        rows = self.db.execute("SELECT id,b FROM slot ORDER BY id LIMIT ?", (MAX_SLOTS + 1,)).fetchall()
        if not 1 <= len(rows) <= MAX_SLOTS:
            raise corrupt("slot", "number of slots")
        slots = [Slot.parse(id, b) for id, b in rows]
        if sum(slot.type in PASSPHRASE_TYPES for slot in slots) > MAX_PASSPHRASE_SLOTS:
            raise corrupt("slot", "number of passphrase slots")
        return {slot.id: slot.octets for slot in slots}

    def _ring_rows(self):
        rows = self.db.execute("SELECT kid,b FROM ring LIMIT ?", (MAX_RING_ROWS + 1,)).fetchall()
        if len(rows) > MAX_RING_ROWS:
            raise corrupt("ring", "number of keys")
        for kid, b in rows:
            blob(b, "ring", "b", blob(kid, "ring", "kid", least=16), 73)
        return dict(rows)

    COLUMNS = "id,grp,kid,gen,v,meta,vt"

    def _row(self, id):
        columns = self.db.execute(f"SELECT {self.COLUMNS} FROM item WHERE id=?", (id,)).fetchone()
        return None if columns is None else Row.parse(columns)

    def _data_key(self, row):
        if row.kid not in self.ring.data:
            raise corrupt("item", "no such key", row.id)
        return self.ring.data[row.kid]

    def _open_meta(self, row):
        plain = self._data_key(row).open(META, row.id, row.gen, row.meta)
        if plain is None:
            raise corrupt("item", "meta is not authentic", row.id)
        try:
            octets = unpad(plain)
            if octets is None:
                raise ValueError("padding")
            item = decode_metadata(octets)
        except ValueError as error:
            raise corrupt("item", f"metadata: {error}", row.id) from None
        if not same(self.ring.item_id(item.key), row.id):
            raise corrupt("item", "the names inside are of another id", row.id)
        if not same(self.ring.group(item.key), row.group):
            raise corrupt("item", "the names inside are of another grp", row.id)
        return item

    def _open_value(self, row):
        columns = self.db.execute("SELECT b FROM val WHERE v=?", (row.v,)).fetchone()
        if columns is None:
            raise corrupt("value", "it is missing", row.id)
        b = blob(columns[0], "value", "b", row.id, 64 + 40, padded_length(4 + MAX_VALUE) + 40)
        if not same(b[-16:], row.vt):
            raise corrupt("value", "vt", row.id)
        plain = self._data_key(row).open(VALUE, row.id, row.gen, b)
        if plain is None:
            raise corrupt("value", "not authentic", row.id)
        value = unpad(plain)
        if value is None or len(value) > MAX_VALUE:
            raise corrupt("value", "padding", row.id)
        return value

    # Proofs

    def _bucket_rows(self):
        rows = self.db.execute("SELECT n,b FROM bucket ORDER BY n").fetchall()
        for n, b in rows:
            integer(n, "bucket", "n", most=4095)
            blob(b, "bucket", "b", u16(n), 84)
        return dict(rows)

    def _prove(self, id):
        """That the bucket of an id has exactly the rows that it had when the state was sealed."""
        state = self._open_state(self.root, self._read_head(), self.ring)
        buckets = self._bucket_rows()
        acc_b = ZEROS
        for n, b in buckets.items():
            acc_b = xor(acc_b, self.ring.bucket_element(n, b))
        if not same(acc_b, state.acc_b):
            raise corrupt("state", "the buckets are not those that it was sealed with")
        n = bucket_of(id)
        bucket = Bucket.open(self.root, n, buckets[n]) if n in buckets else Bucket(0, 0, ZEROS)
        self._compare([Tags.parse(columns) for columns in self._tags_of_bucket(n)], bucket, "bucket", u16(n))

    def _tags_of_bucket(self, n):
        sql = "SELECT id,gen,meta,vt FROM item WHERE id>=?"
        if n == 4095:
            return self.db.execute(sql, (b"\xff\xf0",))
        return self.db.execute(sql + " AND id<?", (u16(n << 4), u16((n + 1) << 4)))

    def _compare(self, rows, sums, place, identifier=b""):
        acc = ZEROS
        for row in rows:
            acc = xor(acc, self.ring.element(row))
        if len(rows) != sums.count or not same(acc, sums.acc):
            raise corrupt(place, "its items are not those that it was sealed with", identifier)

    # The calls

    def get(self, key, level="lazy"):
        """The entry; None when it is absent, which only strict and verify prove."""
        with self._reading():
            self._refresh()
            if level == "verify":
                self._require_clean()
            id = self.ring.item_id(key)
            row = self._row(id)
            if level != "lazy":
                self._prove(id)
            if row is None:
                return None
            item = self._open_meta(row)
            if item.key != key:
                raise corrupt("item", "another name", id)
            return Entry(item, self._open_value(row))

    def all_items(self, level="strict"):
        with self._reading():
            self._refresh()
            if level == "verify":
                self._require_clean()
            rows = [Row.parse(columns) for columns in self.db.execute(f"SELECT {self.COLUMNS} FROM item")]
            items = [self._open_meta(row) for row in rows]
            if level != "lazy":
                state = self._open_state(self.root, self._read_head(), self.ring)
                self._compare(rows, state, "state")
            return sorted(items, key=lambda item: item.key.texts())

    def list(self, service, item_class=None, group="", level="strict"):
        if not service:
            raise VaultError("emptyMatch", "name a service")
        if level == "lazy":
            with self._reading():
                self._refresh()
                items = []
                for each in [item_class] if item_class else CLASSES:
                    grp = self.ring.group(ItemKey(service, "", each, group))
                    sql = f"SELECT {self.COLUMNS} FROM item WHERE grp=?"
                    for columns in self.db.execute(sql, (grp,)).fetchall():
                        items.append(self._open_meta(Row.parse(columns)))
        else:
            items = self.all_items(level)
        wanted = [item_class] if item_class else CLASSES
        return sorted(
            (i for i in items if (i.key.service, i.key.group) == (service, group) and i.key.item_class in wanted),
            key=lambda item: item.key.texts(),
        )

    def set(self, key, value, **details):
        """details: label, comment, attributes, value_type, created, modified; without them those there are kept."""
        self.set_many([(key, value, details)])

    def add(self, key, value, **details):
        self.set_many([(key, value, details)], must_be_absent=True)

    def set_many(self, items, must_be_absent=False):
        with self._writing() as change:
            for key, value, details in items:
                change.set(key, value, details, must_be_absent)

    def remove(self, key):
        """Whether there was one."""
        with self._writing() as change:
            return change.remove(self.ring.item_id(key))

    @contextlib.contextmanager
    def _writing(self):
        with self._transaction("IMMEDIATE"):
            self._refresh()
            change = Change(self)
            yield change
            change.finish()

    # Key slots and rotations

    def slots(self):
        with self._reading():
            return [Slot.parse(id, octets) for id, octets in sorted(self._slots().items())]

    def _new_slot(self, method, id=None):
        id = id or self.randomness.octets(16)
        root = self.root
        return Slot.make(self.randomness, id, root.vault_id, *method.new(self.randomness), root.rk)

    def add_slot(self, method):
        with self._writing() as change:
            slot = self._new_slot(method)
            change.insert_slot(slot)
            return slot.id

    def remove_slot(self, id):
        with self._writing() as change:
            if list(self._slots()) == [id]:
                raise VaultError("invalidParameter", "the last slot stays")
            change.delete_slot(id)

    def replace_slot(self, id, method):
        with self._writing() as change:
            slot = self._new_slot(method)
            change.delete_slot(id)
            change.insert_slot(slot)
            return slot.id

    def _insert_ring_key(self, purpose, key):
        kid = kid_of(key, self.root.vault_id)
        sealed = self.root.wrap.seal(self.randomness, RING, kid, 0, u8(purpose) + key)
        self.db.execute("INSERT INTO ring VALUES(?,?)", (kid, sealed))
        return kid

    def rotate_data_key(self, batch=2, stop_after=None):
        """stop_after: how many batches, after which it stops as if it had been killed."""
        self.begin_data_key_rotation()
        done = 0
        while self.reseal_batch(batch):
            done += 1
            if stop_after is not None and done >= stop_after:
                return
        with self._writing() as change:
            used = {kid for (kid,) in self.db.execute("SELECT DISTINCT kid FROM item")}
            for kid in set(self.ring.data) - used - {change.state.active}:
                self.db.execute("DELETE FROM ring WHERE kid=?", (kid,))
            change.head_changes = True
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def begin_data_key_rotation(self):
        """Nothing while an earlier one is not finished: that one goes on."""
        with self._writing() as change:
            if len(self.ring.data) == 1:
                change.state.active = self._insert_ring_key(ord("D"), self.randomness.octets(32))
                change.head_changes = True

    def reseal_batch(self, limit):
        with self._writing() as change:
            sql = f"SELECT {self.COLUMNS} FROM item WHERE kid<>? LIMIT ?"
            rows = [Row.parse(columns) for columns in self.db.execute(sql, (change.state.active, limit))]
            for row in rows:
                change.put(self._open_meta(row), self._open_value(row))
            return len(rows)

    def rotate_root(self, methods):
        """A new RK. Slots that none of the methods opens are dropped."""
        with self._writing() as change:
            old, head = self.root, self._read_head()
            new = Root(self.randomness.octets(32), old.vault_id, old.epoch + 1)
            for id, octets in self._slots().items():
                self.db.execute("DELETE FROM slot WHERE id=?", (id,))
                slot = Slot.parse(id, octets)
                for kek in filter(None, (method.kek(slot) for method in methods)):
                    if slot.open(old.vault_id, kek) is not None:
                        make = (old.vault_id, slot.type, slot.params, kek, new.rk)
                        octets = Slot.make(self.randomness, id, *make).octets
                        self.db.execute("INSERT INTO slot VALUES(?,?)", (id, octets))
                        break
            for kid, b in self._ring_rows().items():
                plain = old.wrap.open(RING, kid, 0, b)
                sealed = new.wrap.seal(self.randomness, RING, kid, 0, plain)
                self.db.execute("UPDATE ring SET b=? WHERE kid=?", (sealed, kid))
            for n, b in self._bucket_rows().items():
                change.bucket(n)
            change.root, change.head_changes, change.created = new, True, head.created
            self._slots()  # none left is refused

    # Verifying

    def verify(self):
        with self._reading():
            self._refresh()
            return self._report()

    def _require_clean(self):
        findings = self._report().findings
        if findings:
            place, identifier, problem = findings[0]
            raise corrupt(place, problem, bytes.fromhex(identifier))

    def _report(self):
        report = Report()
        with report.noting():
            self._check_schema()
        with report.noting():
            for line, in self.db.execute("PRAGMA integrity_check").fetchmany(100):
                if line != b"ok":
                    raise corrupt("database", line.decode("utf-8", "replace"))
        with report.noting():
            self._load(self.root)
        rows = []
        with report.noting():
            last = b""
            for columns in self.db.execute(f"SELECT {self.COLUMNS} FROM item ORDER BY id"):
                with report.noting():
                    row = Row.parse(columns)
                    if row.id <= last:
                        raise corrupt("item", "ids do not ascend", row.id)
                    last = row.id
                    rows.append(row)
        for row in rows:
            with report.noting():
                self._open_meta(row)
                report.items += 1
            with report.noting():
                self._open_value(row)
                report.values += 1
        with report.noting():
            self._check_values(rows)
        with report.noting():
            self._check_sums(rows, report)
        return report

    def _check_values(self, rows):
        seen = set()
        for row in rows:
            if row.v in seen:
                raise corrupt("item", "two items share a value", row.id)
            seen.add(row.v)
        for (v,) in self.db.execute("SELECT v FROM val"):
            if v not in seen:
                raise corrupt("value", "no item has it", u64(v & (2**64 - 1)))

    def _check_sums(self, rows, report):
        state = self._open_state(self.root, self._read_head(), self.ring)
        with report.noting():
            self._compare(rows, state, "state")
        buckets = self._bucket_rows()
        acc_b = ZEROS
        for n, b in buckets.items():
            acc_b = xor(acc_b, self.ring.bucket_element(n, b))
        with report.noting():
            if not same(acc_b, state.acc_b):
                raise corrupt("state", "the buckets are not those that it was sealed with")
        members = {n: [] for n in buckets}
        for row in rows:
            members.setdefault(row.bucket, []).append(row)
        for n, here in sorted(members.items()):
            with report.noting():
                if n not in buckets:
                    raise corrupt("bucket", "items without a bucket", u16(n))
                self._compare(here, Bucket.open(self.root, n, buckets[n]), "bucket", u16(n))


def open_ring(root, rows):
    keys = {ord("N"): {}, ord("S"): {}, ord("D"): {}}
    for kid, b in rows.items():
        plain = root.wrap.open(RING, kid, 0, b)
        if plain is None:
            raise corrupt("ring", "not authentic", kid)
        purpose, key = plain[0], SealingKey.of(plain[1:], root.vault_id)
        if purpose not in keys or not same(key.kid, kid):
            raise corrupt("ring", "purpose or kid", kid)
        keys[purpose][kid] = key
    names, sums, data = (keys[ord(purpose)] for purpose in "NSD")
    if len(names) != 1 or len(sums) != 1 or not data:
        raise corrupt("ring", "not one N, one S and at least one D")
    return Ring(*(key.key for keys in (names, sums) for key in keys.values()), data)


class Change:
    """One transaction that writes: what it reads is opened and believed, never computed anew."""

    def __init__(self, vault):
        self.vault, self.db = vault, vault.db
        self.ring, self.root = vault.ring, vault.root
        self.old_root = vault.root
        self.state = vault._open_state(vault.root, vault._read_head(), vault.ring)
        self.gen = self.state.gen + 1
        self.buckets = {}
        self.head_changes = self.touched = False
        self.created = None

    def bucket(self, n):
        """The bucket, which leaves accB until the transaction is finished."""
        if n not in self.buckets:
            columns = self.db.execute("SELECT b FROM bucket WHERE n=?", (n,)).fetchone()
            if columns is None:
                self.buckets[n] = Bucket(0, 0, ZEROS)
            else:
                self.buckets[n] = Bucket.open(self.old_root, n, columns[0])
                self.state.acc_b = xor(self.state.acc_b, self.ring.bucket_element(n, columns[0]))
        self.touched = True
        return self.buckets[n]

    def toggle(self, row, difference):
        element = self.ring.element(row)
        for sums in (self.bucket(row.bucket), self.state):
            sums.acc = xor(sums.acc, element)
            sums.count += difference
            if sums.count < 0:
                raise corrupt("bucket", "fewer items than there are rows", u16(row.bucket))

    def set(self, key, value, details, must_be_absent=False):
        row = self.vault._row(self.ring.item_id(key))
        if row is not None and must_be_absent:
            raise VaultError("alreadyExists", "there is such an item")
        now = self.vault.clock()
        item = Item(key, created=now) if row is None else self.vault._open_meta(row)
        self.put(replace(item, **{"modified": now, **details}), value)

    def put(self, item, value):
        try:
            metadata = encode_metadata(item)
            decode_metadata(metadata)
        except ValueError as error:
            raise VaultError("invalidItem", str(error)) from None
        if len(value) > MAX_VALUE:
            raise VaultError("tooLarge", "the value")
        id, key = self.ring.item_id(item.key), self.ring.data[self.state.active]
        old = self.vault._row(id)
        meta = key.seal(self.vault.randomness, META, id, self.gen, pad(metadata))
        sealed = key.seal(self.vault.randomness, VALUE, id, self.gen, pad(value))
        if old is None:
            v = self.db.execute("INSERT INTO val(b) VALUES(?)", (sealed,)).lastrowid
        else:
            v = old.v
            self.toggle(old, -1)
            self.db.execute("UPDATE val SET b=? WHERE v=?", (sealed, v))
        row = Row(id, self.ring.group(item.key), key.kid, self.gen, v, meta, sealed[-16:])
        self.toggle(row, +1)
        columns = (row.id, row.group, row.kid, row.gen, row.v, row.meta, row.vt)
        self.db.execute("INSERT OR REPLACE INTO item VALUES(?,?,?,?,?,?,?)", columns)

    def remove(self, id):
        row = self.vault._row(id)
        if row is None:
            return False
        self.toggle(row, -1)
        self.db.execute("DELETE FROM item WHERE id=?", (id,))
        self.db.execute("DELETE FROM val WHERE v=?", (row.v,))
        return True

    def insert_slot(self, slot):
        self.db.execute("INSERT INTO slot VALUES(?,?)", (slot.id, slot.octets))
        self.head_changes = True

    def delete_slot(self, id):
        if self.db.execute("DELETE FROM slot WHERE id=?", (id,)).rowcount != 1:
            raise VaultError("invalidParameter", "no such slot")
        self.head_changes = True

    def finish(self):
        """Writes the buckets touched, the head where it changes, and the state, all with one gen."""
        if not self.touched and not self.head_changes:
            return
        vault, randomness = self.vault, self.vault.randomness
        for n, bucket in sorted(self.buckets.items()):
            if bucket.count == 0:
                if bucket.acc != ZEROS:
                    raise corrupt("bucket", "no items, but their sum is left", u16(n))
                self.db.execute("DELETE FROM bucket WHERE n=?", (n,))
                continue
            bucket.gen = self.gen
            sealed = bucket.seal(randomness, self.root, n)
            self.db.execute("INSERT OR REPLACE INTO bucket VALUES(?,?)", (n, sealed))
            self.state.acc_b = xor(self.state.acc_b, self.ring.bucket_element(n, sealed))
        if self.head_changes:
            created = vault._read_head().created if self.created is None else self.created
            head = Head.make(self.root, created, vault._slots(), vault._ring_rows())
            self.db.execute("UPDATE head SET b=? WHERE k=1", (head.octets,))
            self.state.head_hash = hashlib.sha256(head.octets).digest()
        self.state.gen = self.gen
        self.db.execute("UPDATE state SET b=? WHERE k=1", (self.state.seal(randomness, self.root),))
        vault._load(self.root)


@contextlib.contextmanager
def translated():
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise from_sqlite(error) from None


# --- Known answers ----------------------------------------------------------------------------------------------


class FixedNonce:
    def octets(self, n):
        return b"ABCDEFGHIJKLMNOPQRSTUVWX"[:n]


def known_answers():
    """(name, expected, found), of the document's last section, and of XAES-256-GCM's own specification."""
    vault_id, dek = bytes(range(16)), b"\x02" * 32
    key = SealingKey.of(dek, vault_id)
    ring = Ring(b"\x03" * 32, b"", {})
    id = ring.item_id(ItemKey("example.com", "alice"))
    value = key.seal(FixedNonce(), VALUE, id, 7, pad(b"hunter2"))
    params = b"\x05" * 32 + u8(14) + u32(8) + u32(1)
    kek = Passphrase(b"correct horse").derive(SCRYPT, params)
    slot = Slot.make(FixedNonce(), bytes(16), vault_id, SCRYPT, params, kek, b"\x09" * 32)
    nonce = FixedNonce().octets(24)
    return [
        (
            "XAES-256-GCM, key 01",
            "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271",
            xaes_seal(b"\x01" * 32, nonce, b"", b"XAES-256-GCM")[24:],
        ),
        (
            "XAES-256-GCM, key 03",
            "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d",
            xaes_seal(b"\x03" * 32, nonce, b"c2sp.org/XAES-256-GCM", b"XAES-256-GCM")[24:],
        ),
        ("kid(DEK)", "4f91d5e7d801f0bc7980a3a41d28b21c", key.kid),
        ("id", "b61b2dd2f32cecd012e5fb1c68c8a91579a7559cdfccc7ef52e126236bb1b5cb", id),
        (
            "value",
            "4142434445464748494a4b4c4d4e4f50515253545556575836afa0560b1104b5"
            "e89cc0ecb1e401701e60be872ec346e40bd309afae6825f3bdbc0bd42ff728f7"
            "f17078d29bf0f352673fdd2a878356d7460e8c6fdd38c24c27781ba6798d6384"
            "0f487f5da7877529",
            value,
        ),
        (
            "slot",
            "0101002900000000000000000000000000000000050505050505050505050505"
            "05050505050505050505050505050505050505050e0000000800000001db57b2"
            "9a60d276e7a108675475eb9aaf4d5041489ad18fbafc9e38bd3db1148f414243"
            "4445464748494a4b4c4d4e4f505152535455565758a29241e730e8be9a52e2b6"
            "b6cd3af6873c5c1e17f11eeef8d41a7da7780419bba3efebc4eb3b70ac4d8b90"
            "7bf5850061",
            slot.octets,
        ),
    ]


# --- The command line -------------------------------------------------------------------------------------------


def method_from(description):
    """{"rawKey": hex} | {"passphrase": text or hex, "type": …} | {"secretService": hex} | {"external": name, "key": hex}"""
    kind, value = next(iter(description.items()))
    if kind == "rawKey":
        return RawKey(bytes.fromhex(value))
    if kind == "secretService":
        return RawKey(bytes.fromhex(value), SECRET_SERVICE)
    if kind == "external":
        # Wrapping is XOR with a mask: a stand-in for a service that keeps keys.
        key, mask = bytes.fromhex(description["key"]), b"\x5a" * 32
        return External(value, lambda wrapped: xor(wrapped, mask), xor(key, mask))
    figures = {name: description[name] for name in ("type", "log_n", "iterations") if name in description}
    return Passphrase(value.encode(), **figures)


def item_to_json(item):
    key = item.key
    return {
        "class": key.item_class, "group": key.group, "service": key.service, "account": key.account,
        "label": item.label, "comment": item.comment, "attributes": item.attributes, "created": item.created,
        "modified": item.modified, "type": item.value_type,
    }  # fmt: skip


def key_from_json(d):
    return ItemKey(d["service"], d["account"], d.get("class", "generic"), d.get("group", ""))


def perform(vault, step):
    """One operation of a batch."""
    operation = step["op"]
    if operation in ("set", "add"):
        names = {"label": "label", "comment": "comment", "attributes": "attributes", "type": "value_type",
                 "created": "created", "modified": "modified"}  # fmt: skip
        details = {names[name]: step[name] for name in names if name in step}
        getattr(vault, operation)(key_from_json(step), bytes.fromhex(step["value"]), **details)
        return {}
    if operation == "get":
        entry = vault.get(key_from_json(step), step.get("level", "strict"))
        return {"absent": True} if entry is None else {"value": entry.value.hex(), **item_to_json(entry.item)}
    if operation == "remove":
        return {"removed": vault.remove(key_from_json(step))}
    if operation == "list":
        items = vault.all_items() if "service" not in step else vault.list(step["service"])
        return {"items": [item_to_json(item) for item in items]}
    if operation == "verify":
        report = vault.verify()
        return {"items": report.items, "values": report.values, "findings": report.findings}
    if operation == "rotateDataKey":
        return vault.rotate_data_key(stop_after=step.get("stopAfter")) or {}
    if operation == "rotateRoot":
        return vault.rotate_root([method_from(d) for d in step["keeping"]]) or {}
    if operation == "addSlot":
        return {"id": vault.add_slot(method_from(step["method"])).hex()}
    if operation == "slots":
        return {"slots": [{"id": slot.id.hex(), "type": slot.type} for slot in vault.slots()]}
    if operation == "removeSlot":
        return vault.remove_slot(bytes.fromhex(step["id"])) or {}
    raise VaultError("unsupported", operation)


def batch(task):
    """{"path":, "method":, "create": bool, "steps": [{"op": …}]}: an answer for each step, an error being one too."""
    method = method_from(task["method"])
    vault = Vault.create(task["path"], method) if task.get("create") else Vault.open(task["path"])
    answers = []
    with vault:
        vault.unlock(method)
        for step in task["steps"]:
            try:
                answers.append(perform(vault, step))
            except VaultError as error:
                answers.append({"error": error.code, "place": error.place, "problem": error.problem})
    return answers


def method_from_arguments(arguments):
    if arguments.raw_key:
        return RawKey(bytes.fromhex(arguments.raw_key))
    if arguments.passphrase_file:
        octets = pathlib.Path(arguments.passphrase_file).read_bytes()
    elif arguments.passphrase_fd is not None:
        with open(arguments.passphrase_fd, "rb") as stream:
            octets = stream.read()
    else:
        raise VaultError("invalidParameter", "--raw-key, --passphrase-file or --passphrase-fd")
    return Passphrase(octets.removesuffix(b"\n"), log_n=arguments.log_n)


def main():
    parser = argparse.ArgumentParser(description="A second implementation of SIGNETV1, for tests.")
    commands = ["known-answers", "create", "set", "get", "list", "remove", "verify", "slots", "batch"]
    parser.add_argument("command", choices=commands)
    parser.add_argument("file", nargs="?")
    parser.add_argument("service", nargs="?")
    parser.add_argument("account", nargs="?", default="")
    parser.add_argument("--class", dest="item_class", default="generic", choices=CLASSES)
    parser.add_argument("--group", default="")
    parser.add_argument("--level", default="strict", choices=LEVELS)
    parser.add_argument("--log-n", type=int, default=17, help="of a new passphrase slot")
    parser.add_argument("--raw-key", metavar="HEX")
    parser.add_argument("--passphrase-file")
    parser.add_argument("--passphrase-fd", type=int)
    arguments = parser.parse_args()
    if arguments.command == "known-answers":
        differing = [name for name, expected, found in known_answers() if expected != found.hex()]
        print("\n".join(f"{name}: differs" for name in differing) or "all known answers match")
        return bool(differing)
    if arguments.command == "batch":
        json.dump(batch(json.load(sys.stdin)), sys.stdout)
        return 0
    if not arguments.file or arguments.command in ("set", "get", "remove") and not arguments.service:
        parser.error("a file, and for an item a service and an account")
    method = method_from_arguments(arguments)
    if arguments.command == "create":
        Vault.create(arguments.file, method).close()
        return 0
    with Vault.open(arguments.file) as vault:
        vault.unlock(method)
        return run(vault, arguments)


def run(vault, arguments):
    key = ItemKey(arguments.service or "", arguments.account, arguments.item_class, arguments.group)
    if arguments.command == "set":
        vault.set(key, sys.stdin.buffer.read())
    elif arguments.command == "get":
        entry = vault.get(key, arguments.level)
        if entry is None:
            print("no such item", file=sys.stderr)
            return 1
        sys.stdout.buffer.write(entry.value)
    elif arguments.command == "remove":
        return not vault.remove(key)
    elif arguments.command == "list":
        items = vault.list(key.service, level=arguments.level) if key.service else vault.all_items()
        for item in items:
            print(item.key.item_class, item.key.service, item.key.account, sep="\t")
    elif arguments.command == "slots":
        for slot in vault.slots():
            print(slot.id.hex(), slot.type, sep="\t")
    else:
        report = vault.verify()
        print(f"{report.items} items, {report.values} values, {len(report.findings)} findings")
        for finding in report.findings:
            print(*finding, sep="\t")
        return bool(report.findings)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except VaultError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
