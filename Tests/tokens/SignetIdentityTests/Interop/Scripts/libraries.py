# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Three other implementations of JOSE behind one small interface, so that each is asked the same questions.

Keys cross the border as text only (a JWK, PEM), the way they do between programs. `verify` returns the claims or
raises; it checks the signature, the algorithm, iss, aud and exp by the library's own means.
"""

import json
from importlib.metadata import version

import joserfc.jwk
import joserfc.jwt
import jwcrypto.jwk
import jwcrypto.jwt
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

ALGORITHMS = [
    "HS256", "HS384", "HS512",
    "RS256", "RS384", "RS512",
    "PS256", "PS384", "PS512",
    "ES256", "ES384", "ES512",
    "EdDSA",
]  # fmt: skip

CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
HMAC_BITS = {"HS256": 256, "HS384": 384, "HS512": 512}
ED25519 = ("EdDSA", "Ed25519")


class PyJWT:
    name = "PyJWT"
    version = version("PyJWT")
    # It does not know RFC 9864's name for EdDSA over Ed25519.
    algorithms = ALGORITHMS

    # It makes no keys itself: a program that uses it takes them from `cryptography`.
    def generate(self, algorithm):
        if algorithm in HMAC_BITS:
            return jwcrypto.jwk.JWK.generate(kty="oct", size=HMAC_BITS[algorithm]).export()
        if algorithm in CURVES:
            curve = {"P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(), "P-521": ec.SECP521R1()}
            return ec.generate_private_key(curve[CURVES[algorithm]])
        if algorithm in ED25519:
            return ed25519.Ed25519PrivateKey.generate()
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def export(self, key, algorithm, key_id, private, form):
        if form == "pem":
            if private:
                return key.private_bytes(
                    serialization.Encoding.PEM,
                    serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption(),
                ).decode()
            return (
                key.public_key()
                .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
                .decode()
            )
        if algorithm in HMAC_BITS:
            members = json.loads(key)
        else:
            tool = jwt.get_algorithm_by_name(algorithm)
            members = tool.to_jwk(key if private else key.public_key(), as_dict=True)
        return json.dumps({**members, "alg": algorithm, "kid": key_id})

    def load(self, text, algorithm, form):
        if form == "jwk":
            return jwt.PyJWK.from_dict(json.loads(text)).key
        tool = jwt.get_algorithm_by_name(algorithm)
        return tool.prepare_key(text)

    def sign(self, key, algorithm, key_id, claims):
        if algorithm in HMAC_BITS and isinstance(key, str):
            key = jwt.PyJWK.from_dict({**json.loads(key), "alg": algorithm}).key
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": key_id})

    def verify(self, key, algorithm, token, issuer, audience):
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            issuer=issuer,
            audience=audience,
            options={"require": ["exp", "iss", "aud"]},
        )


class Joserfc:
    name = "joserfc"
    version = version("joserfc")
    algorithms = ALGORITHMS + ["Ed25519"]

    @staticmethod
    def _type(algorithm):
        if algorithm in HMAC_BITS:
            return joserfc.jwk.OctKey
        if algorithm in CURVES:
            return joserfc.jwk.ECKey
        return joserfc.jwk.OKPKey if algorithm in ED25519 else joserfc.jwk.RSAKey

    def generate(self, algorithm):
        kind = self._type(algorithm)
        if algorithm in HMAC_BITS:
            return kind.generate_key(HMAC_BITS[algorithm])
        if algorithm in CURVES:
            return kind.generate_key(CURVES[algorithm])
        return kind.generate_key("Ed25519") if algorithm in ED25519 else kind.generate_key(2048)

    def export(self, key, algorithm, key_id, private, form):
        if form == "pem":
            return key.as_pem(private=private).decode()
        return json.dumps({**key.as_dict(private=private), "alg": algorithm, "kid": key_id})

    def load(self, text, algorithm, form):
        return self._type(algorithm).import_key(json.loads(text) if form == "jwk" else text)

    def sign(self, key, algorithm, key_id, claims):
        return joserfc.jwt.encode({"alg": algorithm, "kid": key_id}, claims, key, algorithms=[algorithm])

    def verify(self, key, algorithm, token, issuer, audience):
        claims = joserfc.jwt.decode(token, key, algorithms=[algorithm]).claims
        joserfc.jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": True},
        ).validate(claims)
        return claims


class Jwcrypto:
    name = "jwcrypto"
    version = version("jwcrypto")
    algorithms = ALGORITHMS + ["Ed25519"]

    def generate(self, algorithm):
        if algorithm in HMAC_BITS:
            return jwcrypto.jwk.JWK.generate(kty="oct", size=HMAC_BITS[algorithm])
        if algorithm in CURVES:
            return jwcrypto.jwk.JWK.generate(kty="EC", crv=CURVES[algorithm])
        if algorithm in ED25519:
            return jwcrypto.jwk.JWK.generate(kty="OKP", crv="Ed25519")
        return jwcrypto.jwk.JWK.generate(kty="RSA", size=2048)

    def export(self, key, algorithm, key_id, private, form):
        if form == "pem":
            return key.export_to_pem(private_key=private, password=None).decode()
        members = key.export(private_key=private or algorithm in HMAC_BITS, as_dict=True)
        return json.dumps({**members, "alg": algorithm, "kid": key_id})

    def load(self, text, algorithm, form):
        if form == "jwk":
            return jwcrypto.jwk.JWK.from_json(text)
        return jwcrypto.jwk.JWK.from_pem(text.encode())

    def sign(self, key, algorithm, key_id, claims):
        token = jwcrypto.jwt.JWT(header={"alg": algorithm, "kid": key_id}, claims=claims, algs=[algorithm])
        token.make_signed_token(key)
        return token.serialize()

    def verify(self, key, algorithm, token, issuer, audience):
        checked = jwcrypto.jwt.JWT(
            jwt=token, key=key, algs=[algorithm], check_claims={"iss": issuer, "aud": audience, "exp": None}
        )
        return json.loads(checked.claims)


LIBRARIES = [PyJWT(), Joserfc(), Jwcrypto()]
