# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Opens encrypted tokens with jwcrypto and with joserfc, and compares the contents with what was encrypted.

Reads from standard input a line with the private keys, [JWK, ...], then a line for each token:
    [NUMBER OF THE KEY, ALG, ENC, PLAINTEXT IN BASE64URL, TOKEN]
Prints as JSON how many tokens of each alg and enc a library has opened, the refusals that are known,
and what differs:
    {"opened": {LIBRARY: {"ALG ENC": COUNT}}, "known": {REFUSAL: COUNT}, "differences": [LINE, ...]}
"""

import base64
import collections
import json
import sys
import warnings

import joserfc.errors
import joserfc.jwe
import joserfc.jwk
import jwcrypto.common
import jwcrypto.jwe
import jwcrypto.jwk
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from joserfc._rfc7518.jwe_algs import RSAAlgKeyEncryption

warnings.simplefilter("ignore")

MOST_DIFFERENCES = 20
# joserfc wants a type of these, and Signet ignores them.
IGNORED = ("jku", "jwk", "x5u", "x5c", "x5t", "x5t#S256", "b64")
KINDS = {
    "oct": joserfc.jwk.OctKey, "RSA": joserfc.jwk.RSAKey, "EC": joserfc.jwk.ECKey, "OKP": joserfc.jwk.OKPKey,
}  # fmt: skip

# joserfc does not have these two under their names.
for name, digest in (("RSA-OAEP-384", hashes.SHA384()), ("RSA-OAEP-512", hashes.SHA512())):
    joserfc.jwe.JWERegistry.register(
        RSAAlgKeyEncryption(name, name, padding.OAEP(padding.MGF1(digest), digest, None))
    )


class KnownRefusal(Exception):
    """A library refuses what Signet accepts, for a reason that is not about the key or the content."""


class Registry(joserfc.jwe.JWERegistry):
    # Signet reads headers of 4,096 characters.
    max_protected_header_length = 4_096


class Jwcrypto:
    name = "jwcrypto"

    def __init__(self):
        self.readers = {}

    def key(self, members):
        return jwcrypto.jwk.JWK(**members)

    def open(self, key, algorithm, content, token):
        if algorithm in ("RSA-OAEP-384", "RSA-OAEP-512"):
            raise KnownRefusal(f"no {algorithm}")
        names = (algorithm, content)
        if names not in self.readers:
            self.readers[names] = jwcrypto.jwe.JWE(algs=list(names))
        reader = self.readers[names]
        reader.deserialize(token)
        try:
            reader.decrypt(key)
        except jwcrypto.common.InvalidJWEData:
            # It has opened an empty content, and takes it for none.
            if reader.plaintext != b"":
                raise
        return reader.plaintext


class Joserfc:
    name = "joserfc"

    def key(self, members):
        return KINDS[members["kty"]].import_key(members)

    def open(self, key, algorithm, content, token):
        registry = Registry(algorithms=[algorithm, content], strict_check_header=False)
        try:
            return joserfc.jwe.decrypt_compact(token, key, registry=registry).plaintext
        except joserfc.errors.InvalidHeaderValueError as error:
            for name in IGNORED:
                if f"'{name}' in header" in str(error):
                    raise KnownRefusal(f"the type of {name}") from error
            raise


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def once(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError("a member stands twice")
    return dict(pairs)


def check_header(algorithm, content, token):
    """A third reader of the header: what Signet must not accept is not in it."""
    header = json.loads(octets(token.partition(".")[0]), object_pairs_hook=once)
    if (header["alg"], header["enc"]) != (algorithm, content):
        raise ValueError("the header names other algorithms")
    if "zip" in header or "crit" in header:
        raise ValueError("the header has zip or crit")


def main():
    opened = {library.name: collections.Counter() for library in (Jwcrypto, Joserfc)}
    known, differences = collections.Counter(), []
    members = json.loads(sys.stdin.readline())
    libraries = [(library, [library.key(one) for one in members]) for library in (Jwcrypto(), Joserfc())]
    for line in sys.stdin:
        number, algorithm, content, plaintext, token = json.loads(line)
        plaintext = octets(plaintext)
        try:
            check_header(algorithm, content, token)
        except Exception as error:
            differences.append(f"header: {error}: {line}")
        for library, keys in libraries:
            try:
                if library.open(keys[number], algorithm, content, token) != plaintext:
                    raise ValueError("another plaintext")
                opened[library.name][f"{algorithm} {content}"] += 1
            except KnownRefusal as refusal:
                known[f"{library.name}: {refusal}"] += 1
            except Exception as error:
                differences.append(f"{library.name}: {type(error).__name__}: {error}: {line}")
    json.dump({"opened": opened, "known": known, "differences": differences[:MOST_DIFFERENCES]}, sys.stdout)


if __name__ == "__main__":
    main()
