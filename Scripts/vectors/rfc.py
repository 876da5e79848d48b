# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Figures of RFCs about primitives: HMAC, HKDF, PBKDF2, scrypt, key wrap, agreement, ECDSA, Ed25519, base64."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .figures import INVALID, RFC_LICENCE, VALID, Suite, b64u, hex64

TEXT = "Debian doc-rfc 20230121-1"
HASHES = ("SHA-256", "SHA-384", "SHA-512")
Case = dict[str, Any]


def load(root: Path, path: str) -> list[Case]:
    return json.loads((root / path).read_text())["cases"]


def suite(name: str, kind: str, cols: str, raw: str, document: str, **more: Any) -> Suite:
    """An RFC suite; `version` is where the RFC's text was taken from."""
    fields: dict[str, Any] = {"version": TEXT, "licence": RFC_LICENCE, **more}
    return Suite(folder="rfc", name=name, kind=kind, document=document, cols=cols.split(), raw=[raw],
                 **fields)


def split(cases: list[Case], wanted: Callable[[Case], bool]) -> tuple[list[Case], int]:
    taken = [case for case in cases if wanted(case)]
    return taken, len(cases) - len(taken)


def _short(case: Case, prefix: str) -> str:
    return case["id"].removeprefix(prefix)


def _hmac(root: Path) -> Suite:
    raw = "rfc-kdf/rfc4231.json"
    out = suite("rfc4231-hmac", "mac", "id r a key msg tag", raw, "RFC 4231")
    cases, skipped = split(load(root, raw), lambda case: case["hash"] in HASHES)
    for case in cases:
        out.add(id=_short(case, "rfc4231-"), r=VALID, a=out.alg(f"HMAC-{case['hash']}"),
                key=hex64(case["key_hex"]), msg=hex64(case["msg_hex"]), tag=hex64(case["tag_hex"]))
    out.leave_out("HMAC-SHA-224", skipped, "not offered")
    return out


def _jwe_macs(root: Path) -> Suite:
    """The MAC step of AES_CBC_HMAC_SHA2: HMAC over AAD, IV, ciphertext and AL; M in full, and T truncated."""
    raw = "rfc-jose/rfc7518.json"
    out = suite("rfc7518-hmac", "mac", "id r a key msg tag", raw, "RFC 7518")
    cases, others = split(load(root, raw), lambda case: case["type"] == "aes-cbc-hmac")
    for case in cases:
        message = "".join(case[f"{part}_hex"] for part in ("aad", "iv", "ciphertext", "al"))
        for name, tag in (("M", "mac_hex"), ("T", "tag_hex")):
            out.add(id=f"{_short(case, 'rfc7518-')}-{name}", r=VALID,
                    a=out.alg(f"HMAC-SHA-{case['alg'].rpartition('HS')[2]}"),
                    key=hex64(case["mac_key_hex"]), msg=hex64(message), tag=hex64(case[tag]))
    if others != 1:
        raise ValueError(f"{raw}: {others} cases have no suite instead of 1, which stands in rfc7518-agreement")
    return out


def _content(root: Path, number: int) -> Suite:
    """AES_CBC_HMAC_SHA2 as a whole."""
    raw = f"rfc-jose/rfc{number}.json"
    out = suite(f"rfc{number}-content", "content", "id r a key iv aad pt ct tag f", raw, f"RFC {number}")
    for case in load(root, raw):
        if case["type"] == "aes-cbc-hmac":
            out.add(id=_short(case, f"rfc{number}-"), r=VALID, a=out.alg(case["alg"]), key=hex64(case["key_hex"]),
                    iv=hex64(case["iv_hex"]), aad=hex64(case["aad_hex"]), pt=hex64(case["plaintext_hex"]),
                    ct=hex64(case["ciphertext_hex"]), tag=hex64(case["tag_hex"]), f=None)
    return out


def _key_wrap(root: Path) -> Suite:
    raw = "rfc-kdf/rfc3394.json"
    out = suite("rfc3394-key-wrap", "key-wrap", "id r a kek key ct f", raw, "RFC 3394")
    for case in load(root, raw):
        out.add(id=_short(case, "rfc3394-"), r=VALID, a=out.alg(f"AES-{len(case['kek_hex']) * 4}-KW"),
                kek=hex64(case["kek_hex"]), key=hex64(case["key_hex"]), ct=hex64(case["wrapped_hex"]), f=None)
    return out


AGREEMENT = "id r a d x y z"


def _agreement(root: Path) -> list[Suite]:
    """A private number, the other party's public key and the secret that they share, on both sides."""
    raw = "rfc-sig/rfc7748_x25519.json"
    curve = suite("rfc7748-x25519", "agreement", AGREEMENT, raw, "RFC 7748")
    iterated = 0
    for case in load(root, raw):
        name = _short(case, "rfc7748-")
        same = {"r": VALID, "a": curve.alg("X25519"), "y": None}
        if case["type"] == "x25519":
            curve.add(id=name, d=hex64(case["scalar_hex"]), x=hex64(case["u_hex"]), z=hex64(case["out_hex"]), **same)
        elif case["type"] == "x25519-dh":
            for side, d, x in (("a", "a_hex", "B_hex"), ("b", "b_hex", "A_hex")):
                curve.add(id=f"{name}-{side}", d=hex64(case[d]), x=hex64(case[x]), z=hex64(case["k_hex"]), **same)
        else:
            iterated += 1
    curve.leave_out("the iterated function", iterated, "no interface returns the raw secret, its next input",
                    offered=True)

    raw = "rfc-jose/rfc7518.json"
    derived = suite("rfc7518-agreement", "agreement", f"{AGREEMENT} alg u v L dk", raw, "RFC 7518")
    for case in load(root, raw):
        if case["type"] == "ecdh-es-concat-kdf":
            pair = case["ephemeral_jwk"], case["recipient_jwk"]
            for side, (own, other) in (("ephemeral", pair), ("recipient", pair[::-1])):
                derived.add(id=f"C-{side}", r=VALID, a=derived.alg(f"ECDH {own['crv']}"), d=own["d"], x=other["x"],
                            y=other["y"], z=hex64(case["z_hex"]), alg=b64u(case["algorithm_id"].encode()),
                            u=hex64(case["party_u_hex"]), v=hex64(case["party_v_hex"]),
                            L=case["keydatalen"] // 8, dk=hex64(case["derived_key_hex"]))

    raw = "rfc-jose/rfc8037.json"
    shared = suite("rfc8037-agreement", "agreement", AGREEMENT, raw, "RFC 8037")
    for case in load(root, raw):
        if case["type"] == "ecdh-es" and case["recipient_jwk"]["crv"] == "X25519":
            pair = case["ephemeral_jwk"], case["recipient_jwk"]
            for side, (own, other) in (("ephemeral", pair), ("recipient", pair[::-1])):
                shared.add(id=f"{_short(case, 'rfc8037-')}-{side}", r=VALID, a=shared.alg("X25519"), d=own["d"],
                           x=other["x"], y=None, z=hex64(case["z_hex"]))
    return [curve, derived, shared]


def _hkdf(root: Path) -> Suite:
    raw = "rfc-kdf/rfc5869.json"
    out = suite("rfc5869-hkdf", "hkdf", "id r a ikm salt info L prk okm", raw, "RFC 5869")
    cases, skipped = split(load(root, raw), lambda case: case["hash"] in HASHES)
    for case in cases:
        out.add(id=_short(case, "rfc5869-"), r=VALID, a=out.alg(f"HKDF-{case['hash']}"), L=case["length"],
                **{key: hex64(case[f"{key}_hex"]) for key in ("ikm", "salt", "info", "prk", "okm")})
    out.leave_out("HKDF-SHA-1", skipped, "not offered")
    return out


def _rfc7914(root: Path) -> list[Suite]:
    raw = "rfc-kdf/rfc7914.json"
    cases = load(root, raw)
    derived = suite("rfc7914-pbkdf2", "pbkdf2", "id r a pw salt c L dk slow", raw, "RFC 7914")
    hard = suite("rfc7914-scrypt", "scrypt", "id r a pw salt N b p L dk slow", raw, "RFC 7914")
    inner = 0
    for case in cases:
        if case["type"] == "pbkdf2":
            out, alg = derived, f"PBKDF2-HMAC-{case['hash']}"
            # 80,000 iterations take a tenth of a second: long for a vector, short enough to run always.
            own = {"c": case["iterations"], "slow": 0}
        elif case["type"] == "scrypt":
            out, alg = hard, "scrypt"
            # N = 2^20 alone is slow: it needs 1 GiB.
            own = {"N": case["N"], "b": case["r"], "p": case["p"],
                   "slow": int(case["memory_bytes"] >= 1 << 28)}
        else:
            inner += 1
            continue
        out.add(id=_short(case, "rfc7914-"), r=VALID, a=out.alg(alg), pw=hex64(case["password_hex"]),
                salt=hex64(case["salt_hex"]), L=case["length"], dk=hex64(case["dk_hex"]), **own)
    hard.leave_out("salsa20/8, scryptBlockMix, scryptROMix", inner, "inside libcrypto: no interface to call")
    return [derived, hard]


def _ecdsa(root: Path) -> list[Suite]:
    raw = "rfc-sig/rfc6979_ecdsa.json"
    verify = suite("rfc6979-ecdsa", "ecdsa-verify", "id r a k msg sig f", raw, "RFC 6979")
    pairs = suite("rfc6979-key-pair", "ec-key-pair", "id r a d x y", raw, "RFC 6979")
    cases, skipped = split(load(root, raw), lambda case: case["hash"] in HASHES)
    for case in cases:
        point = {"x": hex64(case["x_hex"]), "y": hex64(case["y_hex"])}
        verify.add(id=_short(case, "rfc6979-"), r=VALID,
                   a=verify.alg(f"ECDSA {case['curve']} {case['hash']}"),
                   k=verify.key({"c": case["curve"], **point}),
                   msg=hex64(case["msg_hex"]), sig=hex64(case["sig_p1363_hex"]), f=None)
        name = _short(case, "rfc6979-").split("-")[0]
        if name not in [row[0] for row in pairs.rows]:
            pairs.add(id=name, r=VALID, a=pairs.alg(f"EC {case['curve']}"), d=hex64(case["d_hex"]), **point)
    verify.leave_out("SHA-1 and SHA-224", skipped, "not offered")
    return [verify, pairs]


def _ed25519(root: Path) -> list[Suite]:
    cols = "id r a seed pk msg sig"
    raw = "rfc-sig/rfc8032_ed25519.json"
    printed = suite("rfc8032-ed25519", "ed25519", cols, raw, "RFC 8032")
    for case in load(root, raw):
        printed.add(id=_short(case, "rfc8032-"), r=VALID, a=printed.alg("Ed25519"),
                    seed=hex64(case["secret_hex"]), pk=hex64(case["public_hex"]),
                    msg=hex64(case["msg_hex"]), sig=hex64(case["sig_hex"]))
    raw = "rfc-sig/ed25519_sign_input.txt"
    many = suite("ed25519-sign-input", "ed25519", cols, raw, "Ed25519 sign.input",
                 version="PyPI cryptography_vectors 50.0.2", licence="public domain (Ed25519 authors)")
    for index, line in enumerate((root / raw).read_text("ascii").splitlines(), 1):
        # secret ‖ public : public : message : signature ‖ message :
        secret, public, message, signature = line.split(":")[:4]
        if secret[64:] != public or signature[128:] != message:
            raise ValueError(f"{raw}: line {index} contradicts itself")
        many.add(id=index, r=VALID, a=many.alg("Ed25519"), seed=hex64(secret[:64]), pk=hex64(public),
                 msg=hex64(message), sig=hex64(signature[:128]))
    return [printed, many]


def _base64url(root: Path) -> Suite:
    raw = "rfc-kdf/rfc4648.json"
    out = suite("rfc4648-base64url", "base64url", "id r a hex text f", raw, "RFC 4648")
    cases, skipped = split(load(root, raw), lambda case: case["type"] == "base64")
    for case in cases:
        text, name = case["encoded"], _short(case, "rfc4648-10-")
        # No row of section 10 has a character in which the two alphabets differ.
        same = {"r": VALID, "a": out.alg("base64url"), "hex": case["decoded_hex"], "f": None}
        out.add(id=name, text=text.rstrip("="), **same)
        if text.endswith("="):
            out.add(id=f"{name}-padded", text=text, **same)
            out.ovr[f"{name}-padded"] = [INVALID, "malformed", "RFC 7515, section 2: no padding"]
    out.leave_out("base32, base32-hex, base16", skipped, "not offered")
    return out


def suites(root: Path) -> list[Suite]:
    return [_hmac(root), _jwe_macs(root), _content(root, 7516), _content(root, 7518), _key_wrap(root),
            *_agreement(root), _hkdf(root), *_rfc7914(root), *_ecdsa(root), *_ed25519(root), _base64url(root)]
