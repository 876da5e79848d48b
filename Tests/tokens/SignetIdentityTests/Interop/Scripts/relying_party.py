# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""A resource server and a client of OpenID in Python, which are handed Signet's published keys and tokens.

Reads from standard input:
    {"cases": [{"jwks": {...}, "token": ..., "issuer": ..., "audience": ..., "nonce": ... if one was sent}]}
Each token is verified twice, by joserfc and by Authlib's OpenID client rules; prints for each case what either says:
the claims, or the name of the error.
"""

import json
import sys
import warnings

import joserfc.jwk
import joserfc.jwt
from authlib.oidc.core import CodeIDToken

warnings.simplefilter("ignore")

ALGORITHMS = ["RS256", "ES256", "Ed25519", "EdDSA"]


def by_joserfc(case, token):
    joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": case["issuer"]},
        aud={"essential": True, "value": case["audience"]},
        sub={"essential": True}, exp={"essential": True}, iat={"essential": True},
    ).validate(token.claims)
    return token.claims


def by_authlib(case, token):
    options = {
        "iss": {"essential": True, "value": case["issuer"]},
        "aud": {"essential": True, "value": case["audience"]},
    }
    claims = CodeIDToken(token.claims, token.header, options, {"nonce": case.get("nonce")})
    claims.validate()
    return dict(claims)


def outcome(check, case):
    try:
        key_set = joserfc.jwk.KeySet.import_key_set(case["jwks"])
        return {"claims": check(case, joserfc.jwt.decode(case["token"], key_set, algorithms=ALGORITHMS))}
    except Exception as error:
        return {"error": type(error).__name__}


def main():
    cases = json.load(sys.stdin)["cases"]
    answers = [
        {"joserfc": outcome(by_joserfc, case), "authlib": outcome(by_authlib, case)} for case in cases
    ]
    json.dump({"answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
