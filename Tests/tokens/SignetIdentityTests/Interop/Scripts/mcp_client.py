# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The OAuth client of the MCP SDK for Python: asks a server, and does all that its answer calls for.

Reads {"server": address, "clientID": ..., "redirectURI": ..., "tokenScope": ...} from standard input: with "tokenScope"
the client has an access token for these scopes already. The authorization server knows the client, which has no
secret, and signs the user in without a page. Prints
    {"requests": [[method, address, status], ...], "authorization": {parameter: value}, "token": ..., "status": ...}
with the parameters of its authorization request, the token that it got, and the status of the last answer.
"""

import asyncio
import json
import logging
import sys
import urllib.parse

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

logging.disable(logging.CRITICAL)
question = json.load(sys.stdin)
REDIRECTS = [question["redirectURI"]]


class Storage:
    def __init__(self):
        scope = question.get("tokenScope")
        self.tokens = OAuthToken(access_token="of-an-earlier-sign-in", scope=scope) if scope else None
        self.client = OAuthClientInformationFull(
            client_id=question["clientID"], redirect_uris=REDIRECTS, token_endpoint_auth_method="none")

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class Browser:
    async def open(self, address):
        # The SDK puts a second "?" behind an endpoint that has a query, as this one (RFC 6749, section 3.1).
        endpoint, _, query = address.partition("?")
        address = f"{endpoint}?{query.replace('?', '&', 1)}"
        self.authorization = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        async with httpx2.AsyncClient(trust_env=False) as client:
            self.location = (await client.get(address)).headers["Location"]

    async def answer(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.location).query))
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


async def main():
    storage, browser, requests = Storage(), Browser(), []

    async def note(response):
        requests.append([response.request.method, str(response.request.url), response.status_code])

    provider = OAuthClientProvider(
        server_url=question["server"], client_metadata=OAuthClientMetadata(redirect_uris=REDIRECTS), storage=storage,
        redirect_handler=browser.open, callback_handler=browser.answer)
    # Its hooks also see the provider's other requests.
    hooks = {"response": [note]}
    async with httpx2.AsyncClient(auth=provider, event_hooks=hooks, timeout=300, trust_env=False) as client:
        answer = await client.get(question["server"])
    print(json.dumps({
        "requests": requests, "authorization": browser.authorization, "token": storage.tokens.access_token,
        "status": answer.status_code,
    }))


asyncio.run(main())
