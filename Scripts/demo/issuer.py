#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""An OpenID provider on loopback for `make demo` and the tests of the command line. It vouches for
anyone who asks, and needs only Python's standard library; `signet` signs its ID tokens.

issuer.py SIGNET FOLDER [LIFETIME]: makes its key in FOLDER, prints its address as JSON on one line,
and serves until its standard input ends. LIFETIME is that of access tokens in seconds (3600).

It has the code flow with PKCE, the device flow (RFC 8628), refresh tokens that are good once (using
one again ends its family), revocation (RFC 7009) and an account that can be deleted.

GET /device?user_code=CODE stands for the person on the other device; GET /facts reports what was
done; GET /behave?NAME=VALUE changes the answers that follow: device=slow (once) or deny; delete,
revoke and token=STATUS; email=ADDRESS of the person;
unverified=1, it does not vouch for the address; scopes=NAMES that it lists, and refuses others;
audience=NAME, which the ID token is for as well; refresh=none, no refresh token; endpoint=/PATH of the
token endpoint, where /token then answers with gone=STATUS (404); issuer=NAME in the metadata;
hold=SECONDS, for which the token endpoint keeps an answer back that it has already decided on, or
until hold= is said.
"""

import base64
import hashlib
import json
import os
import secrets
import subprocess
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIGNET, FOLDER = sys.argv[1], sys.argv[2]
LIFETIME = int(sys.argv[3]) if len(sys.argv) > 3 else 3600
KEY = os.path.join(FOLDER, "issuer.json")

lock = threading.Lock()
released = threading.Condition(lock)
codes, devices, families, access = {}, {}, {}, {}
behaviour = {}
facts = dict.fromkeys(("logins", "refreshes", "reuses", "revocations", "deletions", "polls",
                       "secrets", "offline", "metadata"), 0)


def signet(*arguments, **more):
    return subprocess.run(
        [SIGNET, *arguments], check=True, capture_output=True, text=True, **more).stdout


def id_token(client, nonce):
    claims = {"iss": issuer, "aud": client, "sub": "user-1093",
              "email": behaviour.get("email", "jane@shop.example"),
              "email_verified": "unverified" not in behaviour}
    if behaviour.get("audience"):
        claims.update(aud=[client, behaviour["audience"]], azp=client)
    if nonce:
        claims["nonce"] = nonce
    how = ("jwt", "sign", "--key", KEY, "--lifetime", "300")
    return signet(*how, input=json.dumps(claims)).strip()


def tokens(family):
    """The next tokens of a family, whose number says which refresh token is good."""
    families[family]["number"] += 1
    token = secrets.token_urlsafe(24)
    access[token] = family
    answer = {"access_token": token, "token_type": "Bearer", "expires_in": LIFETIME}
    if behaviour.get("refresh") != "none":
        answer["refresh_token"] = f"{family}.{families[family]['number']}"
    return answer


def begin(client, nonce=None):
    family = secrets.token_urlsafe(24)
    families[family] = {"number": 0, "client": client}
    facts["logins"] += 1
    return {**tokens(family), "id_token": id_token(client, nonce)}


def takes(scopes):
    """Whether it knows all of them."""
    facts["offline"] += "offline_access" in scopes.split()
    known = behaviour.get("scopes")
    return not known or set(scopes.split()) <= set(known.split())


def refusal(error, status=400):
    return status, {"error": error}


def by_code(form):
    found = codes.pop(form.get("code"), None)
    proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    proof = base64.urlsafe_b64encode(proof).decode().rstrip("=")
    if not found or found["challenge"] != proof or found["redirect"] != form.get("redirect_uri"):
        return refusal("invalid_grant")
    return 200, begin(form.get("client_id"), found["nonce"])


def by_refresh(form):
    family, _, number = form.get("refresh_token", "").partition(".")
    if family not in families:
        return refusal("invalid_grant")
    if number != str(families[family]["number"]):
        facts["reuses"] += 1
        del families[family]
        return refusal("invalid_grant")
    facts["refreshes"] += 1
    return 200, tokens(family)


def by_device(form):
    facts["polls"] += 1
    found = devices.get(form.get("device_code"))
    if not found:
        return refusal("expired_token")
    if behaviour.get("device") == "deny":
        return refusal("access_denied")
    if behaviour.pop("device", None) == "slow":
        return refusal("slow_down")
    if not found["approved"]:
        return refusal("authorization_pending")
    del devices[form["device_code"]]
    return 200, begin(form.get("client_id"))


GRANTS = {
    "authorization_code": by_code, "refresh_token": by_refresh,
    "urn:ietf:params:oauth:grant-type:device_code": by_device}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=None, fields=()):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(content)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    @property
    def target(self):
        parts = urllib.parse.urlsplit(self.path)
        return parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))

    def form(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return dict(urllib.parse.parse_qsl(content.decode()))

    def do_GET(self):
        path, query = self.target
        if path == "/.well-known/openid-configuration":
            with lock:
                facts["metadata"] += 1
                return self.answer(200, metadata())
        if path == "/jwks":
            return self.answer(200, published)
        if path == "/facts":
            with lock:
                return self.answer(200, {**facts, "families": len(families)})
        if path == "/behave":
            with lock:
                behaviour.update(query)
                released.notify_all()
            return self.answer(200, {})
        if path == "/authorize":
            return self.authorize(query)
        if path == "/device":
            return self.approve(query)
        return self.answer(404, {})

    def authorize(self, query):
        back = {"state": query["state"], "iss": issuer}
        if query.get("login_hint") == "deny":
            back["error"] = "access_denied"
        elif not takes(query["scope"]):
            back["error"] = "invalid_scope"
        else:
            back["code"] = secrets.token_urlsafe(16)
            with lock:
                codes[back["code"]] = {
                    "challenge": query["code_challenge"], "redirect": query["redirect_uri"],
                    "nonce": query.get("nonce")}
        where = query["redirect_uri"] + "?" + urllib.parse.urlencode(back)
        return self.answer(302, None, [("Location", where)])

    def approve(self, query):
        with lock:
            for device in devices.values():
                if device["user_code"] == query.get("user_code"):
                    device["approved"] = True
                    return self.answer(200, {})
        return self.answer(404, {})

    def do_POST(self):
        path, _ = self.target
        form = self.form()
        with lock:
            answer = self.posted(path, form)
            if path == "/token" and behaviour.get("hold"):
                released.wait_for(lambda: not behaviour["hold"], float(behaviour["hold"]))
        self.answer(*answer)

    def posted(self, path, form):
        if path == "/device_authorization":
            if not takes(form.get("scope", "")):
                return refusal("invalid_scope")
            device, user = secrets.token_urlsafe(24), "WDJB-" + secrets.token_hex(2).upper()
            devices[device] = {"user_code": user, "approved": False}
            return 200, {
                "device_code": device, "user_code": user, "verification_uri": issuer + "/device",
                "verification_uri_complete": issuer + "/device?user_code=" + user,
                "expires_in": 600, "interval": 1}
        if path == "/token" and "endpoint" in behaviour:
            return int(behaviour.get("gone", 404)), {"error": "Not Found"}
        if path == behaviour.get("endpoint", "/token"):
            if behaviour.get("token"):
                return int(behaviour["token"]), {}, [("Retry-After", "7")]
            facts["secrets"] += "client_secret" in form
            return GRANTS.get(form.get("grant_type"), lambda _: refusal("invalid_grant"))(form)
        if path == "/revoke":
            facts["revocations"] += 1
            if "revoke" in behaviour:
                return int(behaviour["revoke"]), {}
            families.pop(form.get("token", "").partition(".")[0], None)
            return 200, None
        return 404, {}

    def do_DELETE(self):
        path, _ = self.target
        with lock:
            family = access.get((self.headers.get("Authorization") or "").removeprefix("Bearer "))
            if path != "/account" or family not in families:
                return self.answer(401, {})
            if behaviour.get("delete", "204") != "204":
                return self.answer(int(behaviour["delete"]), {})
            facts["deletions"] += 1
            families.clear()
        return self.answer(204)


def metadata():
    scopes = {"scopes_supported": behaviour["scopes"].split()} if "scopes" in behaviour else {}
    return {
        **scopes,
        "issuer": behaviour.get("issuer", issuer), "jwks_uri": issuer + "/jwks",
        "authorization_endpoint": issuer + "/authorize",
        "token_endpoint": issuer + behaviour.get("endpoint", "/token"),
        "device_authorization_endpoint": issuer + "/device_authorization",
        "revocation_endpoint": issuer + "/revoke", "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True}


signet("jwk", "generate", "--algorithm", "RS256", "--output", KEY)
published = json.loads(signet("jwk", "public", "--key", KEY))
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
issuer = f"http://127.0.0.1:{server.server_port}"
print(json.dumps(issuer), flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
