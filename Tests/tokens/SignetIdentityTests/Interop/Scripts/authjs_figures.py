# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Writes SignetSessionTokensTests/AuthJS/AuthJSFigures.swift: session tokens as Auth.js makes them.

    authjs_figures.py > AuthJSFigures.swift

Written from what the sources of Auth.js say (nextauthjs/next-auth: packages/core/src/jwt.ts at a1a16a5a for
version 5, packages/next-auth/src/jwt/index.ts at d857eec5 for version 4) and from RFC 5869, 7516, 7518 and
7638, with Python's hashlib and hmac, and AES of PyPI's cryptography. Initialization vectors come from the names of
the figures, so that every run writes the same bytes.
"""

import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NOW = 1_800_000_000
MONTH = 30 * 86_400
V5, V4 = "authjs.session-token", "next-auth.session-token"
OLD = "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="
NEW = "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE="

# name, version, cookie, secret, whether the header has a kid, claims besides iat, exp and jti
FIGURES = [
    ("named by its key, https", 5, f"__Secure-{V5}", OLD, True,
     {"name": "Ann Example", "email": "ann@example.com", "picture": "https://img.example/a.png",
      "sub": "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "account": "google|117584285732048297471"}),
    ("named by its key, http", 5, V5, OLD, True, {"sub": "user-2", "email": "b@example.com"}),
    ("newer secret", 5, f"__Secure-{V5}", NEW, True, {"sub": "user-3"}),
    ("without kid", 5, f"__Secure-{V5}", OLD, False, {"sub": "user-4"}),
    ("a cookie of the program's own name", 5, "__Host-site.session", OLD, True, {"sub": "user-5"}),
    ("a secret outside ASCII", 5, f"__Secure-{V5}", "Schlüssel-für-die-Sitzung-ünïcödé", True,
     {"sub": "user-6"}),
    ("a short secret", 5, f"__Secure-{V5}", "secret", True, {"sub": "user-7"}),
    ("no profile", 5, f"__Secure-{V5}", OLD, True,
     {"name": None, "email": None, "picture": None, "sub": "user-8"}),
    ("version 4, https", 4, f"__Secure-{V4}", OLD, False,
     {"name": "Ann Example", "email": "ann@example.com", "sub": "117584285732048297471"}),
    ("version 4, http", 4, V4, OLD, False, {"sub": "user-10"}),
]


def encode(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def hkdf(secret, salt, info, count):
    """RFC 5869 with SHA-256."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    block, output, index = b"", b"", 0
    while len(output) < count:
        index += 1
        block = hmac.digest(key, block + info + bytes([index]), "sha256")
        output += block
    return output[:count]


def thumbprint(key):
    """RFC 7638 with SHA-512."""
    return encode(hashlib.sha512(f'{{"k":"{encode(key)}","kty":"oct"}}'.encode()).digest())


def vector(name, count):
    return hashlib.sha256(name.encode()).digest()[:count]


def cbc_hs512(name, key, header, text):
    """RFC 7518, section 5.2.5."""
    iv, pad = vector(name, 16), 16 - len(text) % 16
    cipher = Cipher(algorithms.AES(key[32:]), modes.CBC(iv)).encryptor()
    sealed = cipher.update(text + bytes([pad]) * pad) + cipher.finalize()
    length = (len(header) * 8).to_bytes(8, "big")
    return iv, sealed, hmac.digest(key[:32], header + iv + sealed + length, "sha512")[:32]


def gcm(name, key, header, text):
    """RFC 7518, section 5.3."""
    iv = vector(name, 12)
    sealed = AESGCM(key).encrypt(iv, text, header)
    return iv, sealed[:-16], sealed[-16:]


def token(name, version, cookie, secret, has_kid, claims):
    header = {"alg": "dir", "enc": "A256CBC-HS512" if version == 5 else "A256GCM"}
    if version == 5:
        info = f"Auth.js Generated Encryption Key ({cookie})"
        key = hkdf(secret.encode(), cookie.encode(), info.encode(), 64)
        if has_kid:
            header["kid"] = thumbprint(key)
    else:
        key = hkdf(secret.encode(), b"", b"NextAuth.js Generated Encryption Key", 32)
    text = json.dumps({**claims, "iat": NOW, "exp": NOW + MONTH, "jti": "figure"},
                      separators=(",", ":"), ensure_ascii=False).encode()
    protected = encode(json.dumps(header, separators=(",", ":")).encode()).encode()
    iv, sealed, tag = (cbc_hs512 if version == 5 else gcm)(name, key, protected, text)
    return ".".join([protected.decode(), "", encode(iv), encode(sealed), encode(tag)])


def lines(text, width=80):
    return "\\\n".join(f"                {text[at:at + width]}" for at in range(0, len(text), width))


def main():
    print("""// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens
import Testing

// Written by Interop/Scripts/authjs_figures.py of SignetIdentityTests, which says from what.

/// Session tokens as Auth.js makes them. All are of the second 1,800,000,000 and valid for 30 days.
enum AuthJSFigures {
    struct Figure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: AuthJSSessions.Version
        let cookieName: String
        let secret: String
        let subject: String
        let token: String
    }
""")
    print(f'    static let secret = "{OLD}"')
    print(f'    static let newerSecret = "{NEW}"\n')
    print("    static let all = [")
    for figure in FIGURES:
        name, version, cookie, secret, _, claims = figure
        print(f"""        Figure(
            testDescription: "{name}",
            version: .v{version}, cookieName: "{cookie}",
            secret: "{secret}",
            subject: "{claims["sub"]}",
            token: \"\"\"
{lines(token(*figure))}
                \"\"\"),""")
    print("    ]\n}")


main()
