#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Authlib's OAuth2Session lives on SmallServer for 30 days of its own time, and signs out.

    authlib_client.py SERVER ID_TOKEN

Authlib checks the server's metadata (RFC 8414), and joserfc verifies an access token with the key
set that they name. The first tokens come from the server's own route. From then on Authlib refreshes
by itself, whenever its clock says that the access token has ended, at the endpoints that the
server's metadata name. For small.sh.
"""

import os
import sys
import time
from unittest import mock

import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from joserfc import jwt
from joserfc.jwk import KeySet

HOUR = 3600


class Clock:
    """The system's time, and what has passed of the client's own."""

    def __init__(self):
        self.passed = 0
        self.system = time.time

    def __call__(self):
        return self.system() + self.passed


def check(holds, finding):
    if not holds:
        sys.exit(f"authlib_client: {finding}")


def refusal(call, *arguments, **options):
    """The name of the OAuth error of a call; None if it succeeds."""
    try:
        call(*arguments, **options)
    except OAuthError as error:
        return error.error
    return None


def live(server, metadata, first, clock):
    """30 days, a request each hour."""
    seen = [first["refresh_token"]]
    session = OAuth2Session(
        "authlib",
        token_endpoint_auth_method="none",
        token_endpoint=metadata["token_endpoint"],
        token=first,
        update_token=lambda token, **_: seen.append(token["refresh_token"]),
    )
    for hour in range(30 * 24):
        answer = session.get(f"{server}/api/me")
        check(answer.status_code == 200, f"hour {hour}: {answer.status_code} {answer.text}")
        clock.passed += HOUR
    check(len(set(seen)) == 30 * 24, f"{len(set(seen))} refresh tokens in 30 days")
    return session


def read_metadata(server):
    """The server's metadata, checked by Authlib, which takes no empty list of response types."""
    metadata = requests.get(f"{server}/.well-known/oauth-authorization-server", timeout=30).json()
    check(metadata["issuer"] == server, "the metadata name another issuer")
    check(metadata["grant_types_supported"] == ["refresh_token"], "other grants")
    check(metadata["response_types_supported"] == [], "a response type without an endpoint for it")
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # http on loopback
    AuthorizationServerMetadata(metadata | {"response_types_supported": ["none"]}).validate()
    return metadata


def main(server, id_token):
    metadata = read_metadata(server)
    first = requests.post(f"{server}/sign-in", json={"idToken": id_token}, timeout=30).json()
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
    claims = jwt.decode(first["access_token"], keys, algorithms=["ES256"]).claims
    check(claims["iss"] == server, "the access token names another issuer")

    clock = Clock()
    with mock.patch("time.time", clock):
        session = live(server, metadata, first, clock)
        me = session.get(metadata["userinfo_endpoint"]).json()
        check(me["sub"] and me["email_verified"] is True, "userinfo names nobody")

        # What a client without tokens, with a wrong one or with a secret is told.
        endpoint = metadata["token_endpoint"]
        stranger = OAuth2Session("authlib", token_endpoint_auth_method="none")
        check(
            refusal(stranger.refresh_token, endpoint, refresh_token="srt_nonsense") == "invalid_grant",
            "a wrong refresh token is not invalid_grant",
        )
        check(
            refusal(stranger.fetch_token, endpoint, grant_type="client_credentials")
            == "unsupported_grant_type",
            "another grant is not unsupported_grant_type",
        )
        confidential = OAuth2Session("authlib", "secret", token_endpoint_auth_method="client_secret_basic")
        check(
            refusal(confidential.refresh_token, endpoint, refresh_token="srt_nonsense")
            == "invalid_client",
            "a client's secret is not refused",
        )

        last = session.token
        revoked = session.revoke_token(metadata["revocation_endpoint"], token=last["refresh_token"])
        check(revoked.status_code == 200, f"the revocation was answered {revoked.status_code}")
        check(
            refusal(session.refresh_token, endpoint, refresh_token=last["refresh_token"]) == "invalid_grant",
            "the refresh token is good after its revocation",
        )
        ended = requests.get(
            f"{server}/api/me", headers={"Authorization": f"Bearer {last['access_token']}"}, timeout=30
        )
        check(ended.status_code == 401, "the access token is good after the revocation")
    print("authlib_client: 30 days, 720 access tokens, one session, and its end")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
