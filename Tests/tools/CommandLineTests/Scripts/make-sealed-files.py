#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Makes the known answers of Documentation/SEALED-FILE.md, from the document and without Signet.

Needs the package `cryptography`. Run: make-sealed-files.py FOLDER; the same bytes every time.
Keys, salts and nonces are fixed here, which is for known answers only.
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
KEY = bytes(range(0x40, 0x60))
PASSPHRASE = "correct horse battery staple \u00e9".encode()
SALT = bytes(range(0xA0, 0xB0))
NONCE = bytes(range(0xC0, 0xD8))
COST = 14
ITERATION_COST = 1


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


def seal(root: bytes, prefix: bytes) -> bytes:
    header = prefix + hkdf(root, "signet sealed file 1: commitment")
    sealed = xaes_seal(hkdf(root, "signet sealed file 1: key"), NONCE, PLAINTEXT, header)
    return header + NONCE + sealed


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    with_key = seal(KEY, b"SIGNETS1" + bytes([1, 0]) + bytes(16))
    root = hashlib.scrypt(PASSPHRASE, salt=SALT, n=1 << COST, r=8, p=1, maxmem=1 << 28, dklen=32)
    with_passphrase = seal(root, b"SIGNETS1" + bytes([2, COST]) + SALT)
    root = hashlib.pbkdf2_hmac("sha256", PASSPHRASE, SALT, ITERATION_COST * 100_000, 32)
    with_pbkdf2 = seal(root, b"SIGNETS1" + bytes([3, ITERATION_COST]) + SALT)
    (folder / "plaintext.txt").write_bytes(PLAINTEXT)
    (folder / "seal.key").write_bytes(base64.b64encode(KEY) + b"\n")
    (folder / "passphrase.txt").write_bytes(PASSPHRASE + b"\n")
    (folder / "key.sealed").write_bytes(with_key)
    (folder / "passphrase.sealed").write_bytes(with_passphrase)
    (folder / "pbkdf2.sealed").write_bytes(with_pbkdf2)
    for name, sealed in (
        ("key.sealed", with_key), ("passphrase.sealed", with_passphrase), ("pbkdf2.sealed", with_pbkdf2)
    ):
        print(name, len(sealed), sealed.hex(), sep="\n")


main()
