# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Makes the keys and payloads of the tokens' benchmark in a folder, and the tokens that every contender is tried with.

The tokens are made with cryptography alone, so that no contender verifies what a library of its own has made. The payloads
are those of Benchmarks/Sources/TokenFixtures, byte for byte.
"""

import base64
import hashlib
import hmac
import json
import secrets

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ALGORITHMS = ("HS256", "RS256", "ES256", "EdDSA")
KEY_ID = "f1e2d3c4b5a697887766554433221100aabbccdd"
CLIENT = "407408718192-k9v2m4q7x1z8c5b3n6h0j2l4p8r1t5w9.apps.googleusercontent.com"
PAYLOADS = {
    # An ID token as Google issues them.
    "id": {
        "iss": "https://accounts.google.com",
        "azp": CLIENT,
        "aud": CLIENT,
        "sub": "10769150350006150715113082367",
        "hd": "example.com",
        "email": "jsmith@example.com",
        "email_verified": True,
        "at_hash": "HK6E_P6Dh8Y93mRNtsDB1Q",
        "nonce": "0394852-3190485-2490358-7f2c1a9e4b",
        "name": "Jane Smith-Garcia",
        "picture": "https://lh3.googleusercontent.com/a-/AOh14GgXY0123456789abcdefghijklmnopqrstuvwxyzABCDEFG=s96-c",
        "iat": 1_700_000_000,
        "exp": 4_000_000_000,
    },
    # A session.
    "ses": {
        "sub": "user_01HZX3V9F2",
        "iat": 1_700_000_000,
        "exp": 4_000_000_000,
        "iss": "https://api.example.com",
        "aud": "example-app",
    },
}
SIZES = {"id": 556, "ses": 111}
# What is encrypted: 1 KiB, without a space.
PLAINTEXT = secrets.token_urlsafe(768)


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def altered(part):
    """Another part of a token, with one bit changed."""
    raw = bytearray(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    raw[len(raw) // 2] ^= 1
    return base64url(raw).decode()


class Keys:
    """A new key for each algorithm, in files for the contenders."""

    def __init__(self, folder):
        self.secret = secrets.token_bytes(32)
        (folder / "HS256.secret").write_bytes(self.secret)
        jwk = {"kty": "oct", "alg": "HS256", "kid": KEY_ID, "k": base64url(self.secret).decode()}
        (folder / "HS256.jwk").write_bytes(compact(jwk))
        self.content_key = secrets.token_bytes(32)
        jwk = {"kty": "oct", "use": "enc", "alg": "dir", "kid": KEY_ID, "k": base64url(self.content_key).decode()}
        (folder / "dir.jwk").write_bytes(compact(jwk))
        self.private = {
            "RS256": rsa.generate_private_key(65537, 2048),
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        }
        self.public_pem = {}
        for name, key in self.private.items():
            private = key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            self.public_pem[name] = key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
            (folder / f"{name}.private.pem").write_bytes(private)
            (folder / f"{name}.public.pem").write_bytes(self.public_pem[name])
        for kind, payload in PAYLOADS.items():
            if len(compact(payload)) != SIZES[kind]:
                raise SystemExit(f"the payload {kind} has {len(compact(payload))} bytes")
            (folder / f"{kind}.json").write_bytes(compact(payload))

    def signature(self, algorithm, message):
        if algorithm == "HS256":
            return hmac.digest(self.secret, message, "sha256")
        key = self.private[algorithm]
        if algorithm == "RS256":
            return key.sign(message, padding.PKCS1v15(), hashes.SHA256())
        if algorithm == "ES256":
            r, s = decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return key.sign(message)

    def token(self, algorithm, payload, *, named=None, sign=None):
        header = {"alg": named or algorithm, "kid": KEY_ID, "typ": "JWT"}
        message = base64url(compact(header)) + b"." + base64url(compact(payload))
        signature = sign(message) if sign else self.signature(algorithm, message)
        return (message + b"." + base64url(signature)).decode()

    def refused(self, algorithm, kind):
        """Tokens that none may accept, by what is wrong with them."""
        payload = PAYLOADS[kind]
        good = self.token(algorithm, payload)
        header, body, signature = good.split(".")
        changed = base64url(compact({**payload, "sub": payload["sub"][:-1] + "x"})).decode()
        # Another algorithm, and a signature that is right by it: the secret under SHA-512, or the public key as a secret.
        if algorithm == "HS256":
            other, sign = "HS512", lambda message: hmac.digest(self.secret, message, hashlib.sha512)
        else:
            other, sign = "HS256", lambda message: hmac.digest(self.public_pem[algorithm], message, "sha256")
        without_expiration = {name: value for name, value in payload.items() if name != "exp"}
        return {
            "an altered signature": f"{header}.{body}.{altered(signature)}",
            "an altered payload": f"{header}.{changed}.{signature}",
            "no signature": f"{header}.{body}.",
            "exp in the past": self.token(algorithm, {**payload, "exp": payload["iat"] + 3600}),
            "no exp": self.token(algorithm, without_expiration),
            "another aud": self.token(algorithm, {**payload, "aud": "somebody-else"}),
            "another iss": self.token(algorithm, {**payload, "iss": "https://issuer.example"}),
            "another algorithm": self.token(algorithm, payload, named=other, sign=sign),
            "another algorithm's name": self.token(algorithm, payload, named="HS384" if algorithm == "HS256" else "PS256"),
            "alg none": self.token(algorithm, payload, named="none", sign=lambda message: b""),
        }

    def encrypted(self):
        """A compact JWE of PLAINTEXT: dir with A256GCM."""
        header = base64url(compact({"alg": "dir", "enc": "A256GCM", "kid": KEY_ID}))
        nonce = secrets.token_bytes(12)
        sealed = AESGCM(self.content_key).encrypt(nonce, PLAINTEXT.encode(), header)
        return b".".join((header, b"", base64url(nonce), base64url(sealed[:-16]), base64url(sealed[-16:]))).decode()
