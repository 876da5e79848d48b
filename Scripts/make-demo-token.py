#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Mints the token that `signet demo` verifies, with PyJWT: an implementation that shares no code with Signet.

Prints a Swift file; the private key is forgotten. Run it in the interop environment:
    .cache/interop-venv/bin/python Scripts/make-demo-token.py > Sources/signet/Demo/ForeignToken.swift
"""
import json

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUED, EXPIRES, KEY_ID = 1_790_000_000, 1_790_003_600, "demo-2026"

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
jwk = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
jwk = {"kty": jwk["kty"], "kid": KEY_ID, "use": "sig", "alg": "RS256", "n": jwk["n"], "e": jwk["e"]}
# An ES256K member as well: Signet does not use that curve, skips it by name and loads the rest.
foreign = {"kty": "EC", "kid": "wallet-1", "crv": "secp256k1", "alg": "ES256K",
           "x": "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI", "y": "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"}
claims = {"iss": "https://idp.example", "aud": "shop-api", "sub": "user-1093", "email": "jane@example.com",
          "iat": ISSUED, "exp": EXPIRES}
token = jwt.encode(claims, key, algorithm="RS256", headers={"kid": KEY_ID})


def literal(text: str) -> str:
    pieces = [text[i:i + 88] for i in range(0, len(text), 88)]
    return '"""\n        ' + "\\\n        ".join(pieces) + '\n        """'


print(f'''// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token that PyJWT {jwt.__version__} minted, and the key set of its issuer (Scripts/make-demo-token.py).
enum ForeignToken {{
    static let madeBy = "PyJWT {jwt.__version__}"
    static let issuer = "https://idp.example"
    static let audience = "shop-api"
    /// Seconds since 1970: the demonstration holds the clock between the two.
    static let issuedAt: Double = {ISSUED}
    static let expiresAt: Double = {EXPIRES}
    static let jwks = {literal(json.dumps({"keys": [foreign, jwk]}, separators=(",", ":")))}
    static let compact = {literal(token)}
}}''')
