#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Mints the token that Scripts/demo.sh verifies, with PyJWT, which shares no code with Signet.

Writes Scripts/demo/token and Scripts/demo/jwks.json, and keeps no private key. The committed token
is from PyJWT 2.15.1. Run it in the interop environment:
    .cache/interop-venv/bin/python Scripts/make-demo-token.py
"""
import json
import pathlib

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUED, EXPIRES, KEY_ID = 1_790_000_000, 1_790_003_600, "demo-2026"

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
jwk = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
jwk = {"kty": "RSA", "kid": KEY_ID, "use": "sig", "alg": "RS256", "n": jwk["n"], "e": jwk["e"]}
# Also an ES256K member: Signet does not use that curve, names the key that it skips, and loads the rest.
coordinate = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"
foreign = {"kty": "EC", "kid": "wallet-1", "crv": "secp256k1", "alg": "ES256K", "x": coordinate,
           "y": coordinate}
claims = {"iss": "https://idp.example", "aud": "shop-api", "sub": "user-1093",
          "email": "jane@example.com", "iat": ISSUED, "exp": EXPIRES}
token = jwt.encode(claims, key, algorithm="RS256", headers={"kid": KEY_ID})

folder = pathlib.Path(__file__).parent / "demo"
keys = json.dumps({"keys": [foreign, jwk]}, separators=(",", ":"))
(folder / "jwks.json").write_text(keys + "\n")
(folder / "token").write_text(token + "\n")
