# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""The OpenID provider of session-losses.py, on loopback. It vouches for anyone who asks. A refresh
token is good once, from the moment its request arrives; using it again ends its family at once."""

import base64
import hashlib
import http.server
import json
import os
import random
import secrets
import subprocess
import threading
import time
import urllib.parse

# Of access tokens in seconds. Half of it before the end, Signet exchanges.
LIFETIME = 1
LONGEST_TOKEN = 16_384
# How long an answer may be held back, in seconds. It ends what hangs.
PATIENCE = 240


class Family:
    """The tokens of one client's last sign-in, and how its requests are answered."""

    def __init__(self, client):
        self.client, self.chance = client, random.Random(client)
        self.size, self.direction = self.chance.randrange(1024, 2 * LONGEST_TOKEN), 1
        self.number = self.exchanges = 0
        self.is_over = False
        self.access = self.refresh = None
        # Answers take this many seconds, and wait until goes_on is set.
        self.delay = 0.0
        self.arrived, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()

    def next(self):
        """Both tokens grow by 1 to 8 KiB together, up to the longest; then they shrink, and so on."""
        self.number += 1
        self.size += self.direction * self.chance.randrange(1024, 8 * 1024)
        if not 1024 < self.size < 2 * LONGEST_TOKEN:
            self.size = min(max(self.size, 1024), 2 * LONGEST_TOKEN)
            self.direction = -self.direction
        self.access, self.refresh = (
            f"{kind}.{self.client}.{self.number}.".ljust(self.size // 2, "x") for kind in "ar")
        return {"access_token": self.access, "refresh_token": self.refresh,
                "token_type": "Bearer", "expires_in": LIFETIME}


class Provider(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, signet, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.lock, self.codes, self.families = threading.Lock(), {}, {}
        key = os.path.join(folder, "issuer.json")
        subprocess.run([signet, "jwk", "generate", "--algorithm", "RS256", "--output", key],
                       check=True, capture_output=True)
        with open(key, encoding="utf-8") as file:
            self.key = json.load(file)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """The client was ended: that is what this provider is for."""

    def metadata(self):
        return {
            "issuer": self.issuer, "jwks_uri": self.issuer + "/jwks",
            "authorization_endpoint": self.issuer + "/authorize",
            "token_endpoint": self.issuer + "/token", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "code_challenge_methods_supported": ["S256"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True}

    def keys(self):
        return {"keys": [{name: self.key[name] for name in ("kty", "alg", "kid", "n", "e")
                          if name in self.key}]}

    def authorize(self, query):
        """Where the browser goes at once."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        back = {"code": code, "state": query["state"], "iss": self.issuer}
        return query["redirect_uri"] + "?" + urllib.parse.urlencode(back)

    def by_code(self, form):
        asked = self.codes.pop(form.get("code"), None)
        proof = encode64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if not asked or asked["code_challenge"] != proof:
            return 400, {"error": "invalid_grant"}
        family = self.families[asked["client_id"]] = Family(asked["client_id"])
        return 200, {**family.next(), "id_token": self.id_token(family.client, asked["nonce"])}

    def by_refresh(self, form):
        token = form.get("refresh_token", "")
        with self.lock:
            family = self.families.get((token.split(".") + [""])[1])
            if not family or family.is_over or token != family.refresh:
                if family:
                    family.is_over = True
                return 400, {"error": "invalid_grant"}
            answer = family.next()
            family.exchanges += 1
        family.arrived.set()
        family.goes_on.wait(PATIENCE)
        time.sleep(family.delay)
        return 200, answer

    def id_token(self, client, nonce):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": client, "sub": "user-1093", "nonce": nonce,
                  "iat": now, "exp": now + 300}
        header = {"alg": "RS256", **({"kid": self.key["kid"]} if "kid" in self.key else {})}
        text = ".".join(encode64(json.dumps(part).encode()) for part in (header, claims))
        return text + "." + encode64(self.signature(text.encode()))

    def signature(self, message):
        """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2.1)."""
        modulus, exponent = (int.from_bytes(decode64(self.key[name]), "big") for name in "nd")
        size = (modulus.bit_length() + 7) // 8
        info = bytes.fromhex("3031300d060960864801650304020105000420")
        info += hashlib.sha256(message).digest()
        padded = b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info
        return pow(int.from_bytes(padded, "big"), exponent, modulus).to_bytes(size, "big")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def answer(self, status, body=None, location=None):
        content = json.dumps(body or {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/.well-known/openid-configuration":
            return self.answer(200, self.server.metadata())
        if path == "/jwks":
            return self.answer(200, self.server.keys())
        if path == "/authorize":
            where = self.server.authorize(dict(urllib.parse.parse_qsl(query)))
            return self.answer(302, location=where)
        return self.answer(404)

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        form = dict(urllib.parse.parse_qsl(content.decode()))
        by_code = form.get("grant_type") == "authorization_code"
        self.answer(*(self.server.by_code if by_code else self.server.by_refresh)(form))


def encode64(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def decode64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
