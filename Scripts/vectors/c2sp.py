# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""XAES-256-GCM, from the C2SP specification."""

from __future__ import annotations

import json
from pathlib import Path

from .figures import VALID, Suite, hex64

FIGURES = "c2sp/xaes_256_gcm.json"
FIRST_100 = "c2sp/xaes_256_gcm_first100.json"
LICENCE = "BSD-1-Clause (C2SP code and data)"
INTERMEDIATES = ["l", "k1", "m1", "m2", "kx", "nx"]


def suites(root: Path) -> list[Suite]:
    published = json.loads((root / FIGURES).read_text())
    derived = json.loads((root / FIRST_100).read_text())
    version = published["commit"]
    common = {"folder": "c2sp", "document": "C2SP XAES-256-GCM", "version": version, "licence": LICENCE}

    kat = Suite(name="xaes-256-gcm", kind="xaes", raw=[FIGURES],
                cols=["id", "r", "a", "key", "iv", "aad", "pt", "ct", *INTERMEDIATES], **common)
    hashes = Suite(name="xaes-256-gcm-accumulated", kind="xaes-accumulated", raw=[FIGURES],
                   cols=["id", "r", "a", "n", "hash", "slow"], **common)
    for case in published["cases"]:
        name = case["id"].removeprefix("c2sp-xaes-")
        if case["type"] == "xaes-256-gcm-accumulated":
            count = case["iterations"]
            hashes.add(id=name, r=VALID, a=hashes.alg("XAES-256-GCM"), n=count,
                       hash=hex64(case["shake128_hex"]), slow=int(count > 10_000))
        else:
            kat.add(**_cells(kat, name, case), **{key: hex64(case[f"{key}_hex"]) for key in INTERMEDIATES})

    first = Suite(name="xaes-256-gcm-first-100", kind="xaes", raw=[FIRST_100],
                  cols=["id", "r", "a", "key", "iv", "aad", "pt", "ct"], **common)
    for case in derived["cases"]:
        first.add(**_cells(first, case["id"].removeprefix("xaes-"), case))
    return [kat, first, hashes]


def _cells(suite: Suite, name: str, case: dict[str, str]) -> dict[str, object]:
    return {"id": name, "r": VALID, "a": suite.alg("XAES-256-GCM"),
            "key": hex64(case["key_hex"]), "iv": hex64(case["nonce_hex"]), "aad": hex64(case["aad_hex"]),
            "pt": hex64(case["plaintext_hex"]), "ct": hex64(case["ciphertext_and_tag_hex"])}
