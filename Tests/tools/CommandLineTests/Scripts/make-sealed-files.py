#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Makes the known answers of Documentation/SEALED-FILE.md, from the document and without Signet.

Needs the package `cryptography`. Run: make-sealed-files.py FOLDER; the same bytes every time.
Keys, salts, nonces and prefixes are fixed here, which is for known answers only. With --sizes the
files of version 2 with many octets are written too, which the tests know by their SHA-256.
"""

import base64
import hashlib
import pathlib
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PLAINTEXT = "The sealed file, version 1: a known answer. \u00bfVerdad?\n".encode()
PLAINTEXT_2 = "The sealed file, version 2: a known answer. \u00bfVerdad?\n".encode()
KEY = bytes(range(0x40, 0x60))
PASSPHRASE = "correct horse battery staple \u00e9".encode()
SALT = bytes(range(0xA0, 0xB0))
NONCE = bytes(range(0xC0, 0xD8))
PREFIX = bytes(range(0xC0, 0xD3))
COST = 14
ITERATION_COST = 1
CHUNK = 65_536
SIZES = (0, 1, 65_536, 65_537, 131_072)


def aes(key: bytes, block: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def xaes_seal(key: bytes, nonce: bytes, plaintext: bytes, data: bytes) -> bytes:
    """C2SP XAES-256-GCM: ciphertext and tag."""
    left = int.from_bytes(aes(key, bytes(16)), "big")
    doubled = (left << 1) & ((1 << 128) - 1)
    if left >> 127:
        doubled ^= 0x87
    derived = b""
    for counter in (1, 2):
        block = bytes([0, counter, ord("X"), 0]) + nonce[:12]
        derived += aes(key, (int.from_bytes(block, "big") ^ doubled).to_bytes(16, "big"))
    return AESGCM(derived).encrypt(nonce[12:], plaintext, data)


def hkdf(root: bytes, info: str) -> bytes:
    return HKDF(hashes.SHA256(), 32, salt=None, info=info.encode()).derive(root)


def seal_1(root: bytes, parameters: bytes) -> bytes:
    header = b"SIGNETS1" + parameters + hkdf(root, "signet sealed file 1: commitment")
    sealed = xaes_seal(hkdf(root, "signet sealed file 1: key"), NONCE, PLAINTEXT, header)
    return header + NONCE + sealed


def seal_2(root: bytes, parameters: bytes, plaintext: bytes = PLAINTEXT_2) -> bytes:
    header = b"SIGNETS2" + parameters + hkdf(root, "signet sealed file 2: commitment") + PREFIX
    key = hkdf(root, "signet sealed file 2: key")
    chunks = [plaintext[start:start + CHUNK] for start in range(0, len(plaintext), CHUNK)] or [b""]
    sealed = header
    for counter, chunk in enumerate(chunks):
        final = 1 if counter == len(chunks) - 1 else 0
        sealed += xaes_seal(key, PREFIX + counter.to_bytes(4, "big") + bytes([final]), chunk, header)
    return sealed


def numbered(size: int) -> bytes:
    """Octets that differ from chunk to chunk: 0 to 250, again and again."""
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def main() -> None:
    folder = pathlib.Path([argument for argument in sys.argv[1:] if argument != "--sizes"][0])
    by_scrypt = hashlib.scrypt(
        PASSPHRASE, salt=SALT, n=1 << COST, r=8, p=1, maxmem=1 << 28, dklen=32)
    by_pbkdf2 = hashlib.pbkdf2_hmac("sha256", PASSPHRASE, SALT, ITERATION_COST * 100_000, 32)
    with_key = KEY, bytes([1, 0]) + bytes(16)
    with_scrypt = by_scrypt, bytes([2, COST]) + SALT
    with_pbkdf2 = by_pbkdf2, bytes([3, ITERATION_COST]) + SALT
    (folder / "plaintext.txt").write_bytes(PLAINTEXT)
    (folder / "plaintext-2.txt").write_bytes(PLAINTEXT_2)
    (folder / "seal.key").write_bytes(base64.b64encode(KEY) + b"\n")
    (folder / "passphrase.txt").write_bytes(PASSPHRASE + b"\n")
    for name, sealed in {
        "key.sealed": seal_1(*with_key),
        "passphrase.sealed": seal_1(*with_scrypt),
        "pbkdf2.sealed": seal_1(*with_pbkdf2),
        "key-2.sealed": seal_2(*with_key),
        "passphrase-2.sealed": seal_2(*with_scrypt),
        "pbkdf2-2.sealed": seal_2(*with_pbkdf2),
    }.items():
        (folder / name).write_bytes(sealed)
        print(name, len(sealed), sealed.hex(), sep="\n")
    for size in SIZES:
        sealed = seal_2(*with_key, numbered(size))
        print(size, len(sealed), hashlib.sha256(sealed).hexdigest())
        if "--sizes" in sys.argv:
            (folder / f"numbered-{size}.sealed").write_bytes(sealed)


main()
