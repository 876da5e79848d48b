#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""PyJWT, joserfc or jwcrypto (which only opens) over cryptography, as a contender of ../turns.py, where the commands are described.

peer.py pyjwt|joserfc|jwcrypto DATA KID
"""

import json
import statistics
import sys
import time
import warnings
from pathlib import Path


class PyJWT:
    def __init__(self, data, algorithm, expected, kid):
        import jwt
        from cryptography.hazmat.primitives import serialization

        def file(suffix):
            return (data / f"{algorithm}.{suffix}").read_bytes()

        if algorithm == "HS256":
            self.signing = self.verifying = file("secret")
        else:
            self.signing = serialization.load_pem_private_key(file("private.pem"), None)
            self.verifying = serialization.load_pem_public_key(file("public.pem"))
        self.encode, self.decode = jwt.encode, jwt.decode
        self.algorithm, self.algorithms, self.header = algorithm, [algorithm], {"kid": kid}
        self.issuer, self.audience, self.options = expected["iss"], expected["aud"], {"require": ["exp", "iss", "aud"]}

    def verify(self, token):
        return self.decode(
            token, self.verifying, algorithms=self.algorithms, issuer=self.issuer, audience=self.audience, options=self.options
        )

    def sign(self, claims):
        return self.encode(claims, self.signing, algorithm=self.algorithm, headers=self.header)


class JoseRFC:
    def __init__(self, data, algorithm, expected, kid):
        from joserfc import jwt
        from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

        # It warns that EdDSA is to be called Ed25519 one day (RFC 9864).
        warnings.simplefilter("ignore")

        def key(kind, suffix):
            return kind.import_key((data / f"{algorithm}.{suffix}").read_bytes())

        if algorithm == "HS256":
            self.signing = self.verifying = key(OctKey, "secret")
        else:
            kind = {"RS256": RSAKey, "ES256": ECKey, "EdDSA": OKPKey}[algorithm]
            self.signing, self.verifying = key(kind, "private.pem"), key(kind, "public.pem")
        self.encode, self.decode = jwt.encode, jwt.decode
        self.algorithms, self.header = [algorithm], {"alg": algorithm, "kid": kid, "typ": "JWT"}
        self.claims = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": expected["iss"]},
            aud={"essential": True, "value": expected["aud"]},
            exp={"essential": True},
        )

    def verify(self, token):
        claims = self.decode(token, self.verifying, algorithms=self.algorithms).claims
        self.claims.validate(claims)
        return claims

    def sign(self, claims):
        return self.encode(self.header, claims, self.signing, algorithms=self.algorithms)


def joserfc_opener(jwk):
    from joserfc import jwe
    from joserfc.jwk import OctKey

    key, registry = OctKey.import_key(jwk), jwe.JWERegistry(algorithms=["dir", "A256GCM"])
    return lambda token: jwe.decrypt_compact(token, key, registry=registry).plaintext


def jwcrypto_opener(jwk):
    from jwcrypto.jwe import JWE
    from jwcrypto.jwk import JWK

    key, algorithms = JWK(**jwk), ["dir", "A256GCM"]

    def opened(token):
        jwe = JWE(algs=algorithms)
        jwe.deserialize(token, key)
        return jwe.payload

    return opened


def measure(milliseconds, call):
    """The median over batches of at least 1 ms of processor time, in nanoseconds for one call."""

    def batch(count):
        start = time.process_time_ns()
        for _ in range(count):
            call()
        return time.process_time_ns() - start

    count = 2
    while batch(count) < 1_000_000:
        count *= 2
    figures = []
    end = time.process_time_ns() + float(milliseconds) * 1e6
    while time.process_time_ns() < end:
        figures.append(batch(count) / count)
    return statistics.median(figures)


def main():
    name, data, kid = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    library = {"pyjwt": PyJWT, "joserfc": JoseRFC}.get(name)
    opener = {"joserfc": joserfc_opener, "jwcrypto": jwcrypto_opener}.get(name)
    opened = opener and opener(json.loads((data / "dir.jwk").read_text()))
    payloads = {kind: json.loads((data / f"{kind}.json").read_text()) for kind in ("id", "ses")}
    work = {
        (algorithm, kind): library(data, algorithm, payloads[kind], kid)
        for algorithm in ("HS256", "RS256", "ES256", "EdDSA")
        for kind in payloads
        if library
    }
    for line in sys.stdin:
        command, *words = line.split()
        if command == "open":
            try:
                print("opened", opened(words[0]).decode(), flush=True)
            except Exception as error:  # noqa: BLE001: whatever the library refuses with
                print("refused", type(error).__name__, flush=True)
            continue
        if command == "time-open":
            milliseconds, token = words
            print(f"{name}|jwe open|1|{measure(milliseconds, lambda: opened(token)):.1f}", flush=True)
            continue
        algorithm, kind, *rest = words
        peer, payload = work[algorithm, kind], payloads[kind]
        if command == "verify":
            try:
                print("accepted", json.dumps(peer.verify(rest[0])), flush=True)
            except Exception as error:  # noqa: BLE001: whatever the library refuses with
                print("refused", type(error).__name__, flush=True)
        elif command == "sign":
            print(peer.sign(payload), flush=True)
        elif command == "time-verify":
            token = rest[1]
            print(f"{name}|{algorithm} verify {kind}|1|{measure(rest[0], lambda: peer.verify(token)):.1f}", flush=True)
        elif command == "time-sign":
            print(f"{name}|{algorithm} sign {kind}|1|{measure(rest[0], lambda: peer.sign(payload)):.1f}", flush=True)
        else:
            sys.exit(f"no command {command}")


main()
