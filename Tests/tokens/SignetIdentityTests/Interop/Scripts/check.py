# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Has every library verify the tokens that Signet made, with the keys that Signet exported, and sign with those keys.

Reads from standard input:
    {"issuer": ..., "audience": ..., "otherAudience": ..., "claims": {...},
     "offers": [{"algorithm", "keyID", "token", "expired", "forged": [...], "publicJWK", "publicPEM",
                 "privateJWK", "privatePEM"}]}
Prints one answer for each library, offer and form of key. `wrongly_accepted` names what should have been refused.
"""

import json
import sys
import warnings

from libraries import HMAC_BITS, LIBRARIES

warnings.simplefilter("ignore")


def answer(library, offer, form, request):
    algorithm, key_id = offer["algorithm"], offer["keyID"]
    suffix = form.upper()
    issuer, audience = request["issuer"], request["audience"]
    is_mac = algorithm in HMAC_BITS
    public = library.load(offer["private" + suffix if is_mac else "public" + suffix], algorithm, form)

    claims = library.verify(public, algorithm, offer["token"], issuer, audience)

    wrongly_accepted = []
    refusals = {
        "expired": (offer["expired"], issuer, audience),
        "another audience": (offer["token"], issuer, request["otherAudience"]),
        "another issuer": (offer["token"], issuer + "/", audience),
        **{f"forged {index}": (token, issuer, audience) for index, token in enumerate(offer["forged"])},
    }
    for title, (token, expected_issuer, expected_audience) in refusals.items():
        try:
            library.verify(public, algorithm, token, expected_issuer, expected_audience)
            wrongly_accepted.append(title)
        except Exception:
            pass

    private = library.load(offer["private" + suffix], algorithm, form)
    return {
        "claimsAreEqual": claims == request["claims"],
        "refusalCount": len(refusals) - len(wrongly_accepted),
        "wronglyAccepted": wrongly_accepted,
        "minted": library.sign(private, algorithm, key_id, request["claims"]),
    }


def main():
    request = json.load(sys.stdin)
    answers = []
    for library in LIBRARIES:
        for offer in request["offers"]:
            if offer["algorithm"] not in library.algorithms:
                continue
            for form in ["jwk"] if offer["algorithm"] in HMAC_BITS else ["jwk", "pem"]:
                entry = {"library": library.name, "algorithm": offer["algorithm"], "form": form}
                try:
                    entry.update(answer(library, offer, form, request))
                except Exception as error:
                    # A refusal of a good token is an answer too; the test shows it.
                    entry["error"] = f"{type(error).__name__}: {error}"
                answers.append(entry)
    json.dump({"answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
