# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Mints with every library, for every algorithm, a key pair and a token, and prints them as JSON.

Reads from standard input what the tokens must claim: {"claims": {...}}.
"""

import json
import sys
import warnings

from libraries import HMAC_BITS, LIBRARIES

warnings.simplefilter("ignore")


def main():
    claims = json.load(sys.stdin)["claims"]
    minted = []
    for library in LIBRARIES:
        for algorithm in library.algorithms:
            key = library.generate(algorithm)
            key_id = f"{library.name}-{algorithm}"

            def export(private, form):
                if algorithm in HMAC_BITS and (form == "pem" or not private):
                    return None
                return library.export(key, algorithm, key_id, private, form)

            minted.append(
                {
                    "library": library.name,
                    "algorithm": algorithm,
                    "keyID": key_id,
                    "token": library.sign(key, algorithm, key_id, claims),
                    "publicJWK": export(False, "jwk"),
                    "publicPEM": export(False, "pem"),
                    "privateJWK": export(True, "jwk"),
                    "privatePEM": export(True, "pem"),
                }
            )
    versions = {library.name: library.version for library in LIBRARIES}
    json.dump({"versions": versions, "minted": minted}, sys.stdout)


if __name__ == "__main__":
    main()
