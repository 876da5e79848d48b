# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Figures of encrypted tokens: compact JWE of the JOSE RFCs, of their cookbook and of jose2go's tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figures import INVALID, VALID, Suite, hex64
from .rfc import Case, load, suite

JWE_COLS = "id r a k jwe payload f"
COOKBOOK = "rfc-jose/rfc7520"
JSON_ALONE = "no compact form: JSON serialisation, not offered"
MIT = "MIT (Copyright 2014 Dmitriy Vsekhvalnov)"

# What Signet does not open, by decision (Documentation/THREAT-MODEL.md, "Encrypted tokens").
REFUSED = {
    "RSA1_5": "not offered: RFC 8725, section 3.2",
    "PBES2": "not offered: the header would choose the number of iterations",
    "GCMKW": "AES-GCM key wrap is not offered",
}
COMPRESSED = [INVALID, "critical", "zip is not read: RFC 8725, section 3.6"]


def _jwe(out: Suite, case: Case, key: dict[str, Any] | None, payload: bytes | None) -> None:
    """One compact token. A token whose key is a password has no key here."""
    name, algorithm = case["id"], case["alg"]
    curve = f" {key['crv']}" if key and "crv" in key else ""
    out.add(id=name, r=INVALID if payload is None else VALID, a=out.alg(algorithm + curve),
            k=out.key(key) if key else None, jwe=case["jwe"],
            payload=None if payload is None else hex64(payload.hex()), f="malformed" if payload is None else None)
    if case.get("zip"):
        out.ovr[name] = COMPRESSED
    for part, reason in REFUSED.items():
        if part in algorithm:
            out.ovr[name] = [INVALID, "algorithm", reason]


def _rfcs(root: Path) -> Suite:
    """The tokens of the RFCs themselves. Those of two of them are all refused, so they stand in one file."""
    out = suite("rfc7516-jwe", "jwe", JWE_COLS, "", "RFC 7516, 7517 and 7519")
    out.raw = [f"rfc-jose/rfc{number}.json" for number in (7516, 7517, 7519)]
    for case in (case for raw in out.raw for case in load(root, raw)):
        name = case["id"].removeprefix("rfc")
        if "jwe" in case:
            plaintext = bytes.fromhex(case["plaintext_hex"]) if "plaintext_hex" in case else case["inner_jws"].encode()
            _jwe(out, {**case, "id": name}, case.get("jwk"), plaintext)
        elif case["type"].startswith("jwe-"):
            out.leave_out(f"{name}: {case['type']}", 1, JSON_ALONE)
    return out


def _published(out: Suite, name: str, given: dict[str, Any], output: dict[str, Any], plaintext: str) -> None:
    """A token of the cookbook."""
    key = given.get("key")
    case = {"id": name, "alg": given["alg"], "jwe": output["compact"], "zip": given.get("zip")}
    _jwe(out, case, key, plaintext.encode())


def _cookbook(root: Path) -> list[Suite]:
    tokens = suite("rfc7520-jwe", "jwe", JWE_COLS, "", "RFC 7520")
    tokens.raw = []
    names = [path.name for path in (root / COOKBOOK).glob("jwe_5_*.json")]
    for name in sorted(names, key=lambda name: int(name.split(".")[0].rpartition("_")[2])):
        tokens.raw.append(raw := f"{COOKBOOK}/{name}")
        published = json.loads((root / raw).read_text())
        section = name.split(".")[0].removeprefix("jwe_").replace("_", ".")
        if "compact" in published["output"]:
            _published(tokens, section, published["input"], published["output"], published["input"]["plaintext"])
        else:
            tokens.leave_out(f"{section}: {published['title']}", 1, JSON_ALONE)
    tokens.raw.append(raw := f"{COOKBOOK}/6.nesting_signatures_and_encryption.json")
    published = json.loads((root / raw).read_text())
    outer = published["encrypt"]
    _published(tokens, "6", outer["input"], outer["output"], published["sign"]["output"]["compact"])

    raw = "rfc-jose/cookbook-extra/curve25519_ecdh-es.json"
    published = json.loads((root / raw).read_text())
    curve = suite("cookbook-jwe", "jwe", JWE_COLS, raw, "ietf-jose/cookbook",
                  version="13692b68bfc18b99557a5b1ed311fd5077bfff04", licence="Unlicense")
    _published(curve, "curve25519-ecdh-es", published["input"], published["output"], published["input"]["plaintext"])
    return [tokens, curve]


def _jose2go(root: Path) -> list[Suite]:
    """Tokens that jose4j, jose-jwt and jose2go made for each other's tests."""
    raw = "rfc-jose/interop/jose2go.json"
    commit = json.loads((root / raw).read_text())["commit"]
    more = {"folder": "peers", "version": commit, "licence": MIT}
    signed = Suite(name="jose2go-jws", kind="jws", document="jose2go", cols="id r a k jws payload f".split(), raw=[raw],
                   **more)
    encrypted = Suite(name="jose2go-jwe", kind="jwe", document="jose2go", cols=JWE_COLS.split(), raw=[raw], **more)
    for case in load(root, raw):
        name = case["id"].removeprefix("jose2go-")
        if case["type"] == "jws-compact":
            signed.add(id=name, r=VALID, a=signed.alg(case["alg"]), k=signed.key(case["jwk"]), jws=case["jws"],
                       payload=hex64(case["payload_hex"]), f=None)
            if case.get("strict_expected") == "invalid":
                signed.ovr[name] = [INVALID, "key", "a shorter key than the hash: RFC 7518, section 3.2"]
        else:
            valid = case["expected"] == "valid"
            compressed = {"zip": "DEF"} if name.endswith("_Deflated") else {}
            _jwe(encrypted, {**case, **compressed, "id": name}, case.get("jwk"),
                 bytes.fromhex(case["plaintext_hex"]) if valid else None)
    return [signed, encrypted]


def suites(root: Path) -> list[Suite]:
    return [_rfcs(root), *_cookbook(root), *_jose2go(root)]
