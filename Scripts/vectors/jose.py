# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Figures of the JOSE RFCs: compact JWS, JWK, JWK sets, thumbprints, base64url."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figures import INVALID, VALID, Suite, hex64
from .rfc import Case, load, suite

JWS_COLS = "id r a k jws payload f"
JWK_COLS = "id r a jwk private"
THUMBPRINT_COLS = "id r a jwk canonical thumbprint uri"
COOKBOOK = "rfc-jose/rfc7520"
UNSECURED = [INVALID, "algorithm", "there is no `none`: RFC 8725, section 3.2"]


def _id(case: Case) -> str:
    return case["id"].split("-", 1)[1]


def _kind(jwk: dict[str, Any]) -> str:
    """The algorithm column of a key: its type, and its curve when it has one."""
    return " ".join(filter(None, (jwk["kty"], jwk.get("crv"))))


def _jws(out: Suite, case: Case, **more: Any) -> None:
    """One compact token. A token without a key of its own (`none`) is tried with every key of the file."""
    expected = case["expected"]
    out.add(id=_id(case), r=INVALID if expected == "invalid" else VALID, a=out.alg(case["alg"]),
            k=out.key(case["jwk"]) if case.get("jwk") else None, jws=case["jws"],
            payload=None if expected == "invalid" else hex64(case["payload_hex"]),
            f="algorithm,critical" if expected == "invalid" else None, **more)
    if expected == "unsecured":
        out.ovr[_id(case)] = UNSECURED


def _jwk(out: Suite, name: str, jwk: dict[str, Any]) -> None:
    private = bool({"d", "k"} & jwk.keys())
    out.add(id=name, r=VALID, a=out.alg(_kind(jwk)), jwk=jwk, private=int(private))


def _rfc7515(root: Path) -> list[Suite]:
    raw = "rfc-jose/rfc7515.json"
    tokens = suite("rfc7515-jws", "jws", JWS_COLS, raw, "RFC 7515")
    text = suite("rfc7515-base64url", "base64url", "id r a hex text f", raw, "RFC 7515")
    for case in load(root, raw):
        match case["type"]:
            case "jws-compact":
                _jws(tokens, case)
            case "base64url":
                text.add(id=_id(case), r=VALID, a=text.alg("base64url"), hex=case["octets_hex"],
                         text=case["encoded"], f=None)
            case "x5c":
                tokens.leave_out("App. B: x5c chain", 1, "certificates are not part of this library")
            case other:
                tokens.leave_out(f"{_id(case)}: {other}", 1, "JSON serialisation: not offered")
    return [tokens, text]


def _rfc7517(root: Path) -> list[Suite]:
    raw = "rfc-jose/rfc7517.json"
    keys = suite("rfc7517-jwk", "jwk", JWK_COLS, raw, "RFC 7517")
    sets = suite("rfc7517-jwk-set", "jwk-set", "id r a jwks verifiable", raw, "RFC 7517")
    for case in load(root, raw):
        if case["type"] == "jwk":
            _jwk(keys, _id(case), case["jwk"])
        elif case["type"] == "jwkset":
            members = case["jwks"]["keys"]
            for index, jwk in enumerate(members):
                _jwk(keys, f"{_id(case)}.{index}", jwk)
            # A member can verify if it is an asymmetric key that names its signature algorithm.
            usable = [jwk.get("kid") for jwk in members if jwk.get("alg") == "RS256" and "d" not in jwk]
            if not any({"d", "k"} & jwk.keys() for jwk in members):
                sets.add(id=_id(case), r=VALID, a=sets.alg("JWK set"), jwks=case["jwks"], verifiable=usable)
            else:
                sets.leave_out(f"{_id(case)} as a set", 1, "private keys: its members stand in rfc7517-jwk")
    return [keys, sets]


def _rfc7519(root: Path) -> Suite:
    raw = "rfc-jose/rfc7519.json"
    out = suite("rfc7519-jwt", "jwt", f"{JWS_COLS} iss exp", raw, "RFC 7519")
    for case in load(root, raw):
        # The encrypted ones stand in rfc7516-jwe.
        if case["type"] in ("jwt-jws", "jwt-unsecured"):
            _jws(out, case, iss=case["claims"]["iss"], exp=case["claims"]["exp"])
    return out


def _rfc7797(root: Path) -> Suite:
    raw = "rfc-jose/rfc7797.json"
    out = suite("rfc7797-jws", "jws", JWS_COLS, raw, "RFC 7797")
    for case in load(root, raw):
        _jws(out, case)
        if case["type"] != "jws-compact":
            reason = "b64=false is not offered, and crit names it"
            out.ovr[_id(case)] = [INVALID, "critical,malformed", reason]
    return out


def _rfc7520(root: Path) -> list[Suite]:
    names = sorted(path.name for path in (root / COOKBOOK).glob("jw[ks]_*.json"))
    tokens = suite("rfc7520-jws", "jws", JWS_COLS, "", "RFC 7520")
    keys = suite("rfc7520-jwk", "jwk", JWK_COLS, "", "RFC 7520")
    tokens.raw, keys.raw = [], []
    for name in names:
        raw = f"{COOKBOOK}/{name}"
        published = json.loads((root / raw).read_text())
        form, _, rest = name.partition("_")
        section = rest.partition(".")[0].replace("_", ".")
        if form == "jwk":
            keys.raw.append(raw)
            _jwk(keys, section, published)
            continue
        tokens.raw.append(raw)
        if compact := published["output"].get("compact"):
            given = published["input"]
            case = {"id": f"rfc7520-{section}", "expected": "valid", "alg": given["alg"], "jwk": given["key"],
                    "jws": compact, "payload_hex": given["payload"].encode().hex()}
            _jws(tokens, case)
            if ".." in compact:
                tokens.ovr[section] = [INVALID, "authentication,malformed", "detached content is not offered"]
        else:
            tokens.leave_out(f"{section}: {published['title']}", 1,
                             "no compact form: JSON serialisation, not offered")
    return [tokens, keys]


def _thumbprints(root: Path, raw: str, document: str, name: str) -> Suite:
    out = suite(name, "thumbprint", THUMBPRINT_COLS, raw, document)
    for case in load(root, raw):
        if case["type"].startswith("jwk-thumbprint"):
            uri = case.get("uri")
            out.add(id=case["id"].removeprefix("rfc"), r=VALID, a=out.alg("JWK thumbprint SHA-256"),
                    jwk=case["jwk"], canonical=case.get("canonical"),
                    thumbprint=case.get("thumbprint") or uri.rpartition(":")[2], uri=uri)
    return out


def _rfc8037(root: Path) -> list[Suite]:
    raw = "rfc-jose/rfc8037.json"
    tokens = suite("rfc8037-jws", "jws", JWS_COLS, raw, "RFC 8037")
    keys = suite("rfc8037-jwk", "jwk", JWK_COLS, raw, "RFC 8037")
    for case in load(root, raw):
        if case["type"] == "jws-compact":
            _jws(tokens, case)
        elif case["type"] == "jwk":
            _jwk(keys, _id(case), case["jwk"])
        elif case["type"] == "ecdh-es" and case["recipient_jwk"]["crv"] != "X25519":
            tokens.leave_out(f"{_id(case)}: ECDH-ES", 1, "X448: not offered")
    return [tokens, keys, _thumbprints(root, raw, "RFC 8037", "rfc8037-thumbprint")]


def suites(root: Path) -> list[Suite]:
    thumbprints = _thumbprints(root, "rfc-jose/rfc7638_rfc9278.json", "RFC 7638 and RFC 9278",
                               "rfc7638-thumbprint")
    return [*_rfc7515(root), *_rfc7517(root), _rfc7519(root), *_rfc7520(root), thumbprints, _rfc7797(root),
            *_rfc8037(root)]


def left_out() -> list[dict[str, Any]]:
    """Documents of which no case has a row."""
    return [{"what": "C2SP CCTV Ed25519 and RFC6979", "count": 915,
             "reason": "licence: read in place, never committed", "offered": True},
            {"what": "RFC 9106, section 5.3: Argon2id", "count": 1,
             "reason": "its secret and associated data have no place in the interface", "offered": True},
            {"what": "RFC 9106, sections 5.1 and 5.2: Argon2d, Argon2i", "count": 2, "reason": "not offered"}]
