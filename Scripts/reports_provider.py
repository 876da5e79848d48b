# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""The OpenID providers of Scripts/reports.py, one for each row about `signet login`."""

import json
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
# What differs from a provider that signs everybody in: `token` and `device` are (status, body) of
# the endpoints, `code` the body of the device endpoint, `audience` a further audience of the ID
# token, `metadata` more members, `lifetimes` of the first answer and of a refresh.
ROWS = {
    "L03": {"lifetimes": (4, None)},
    "L05g2": {"audience": "383168317235462148"},
    "L10d": {"device": True, "token": (400, {"error": "access_denied"})},
    "L10f": {"device": True, "code": {"expires_in": "900", "interval": "5"}},
    "L10l": {"device": (401, {"error": "invalid_client"})},
    "L13": {"token": (400, {"error": "invalid_grant"})},
    "L13b": {"token": (401, {"error": "invalid_client", "error_description": "x"})},
    "L13c": {"token": (403, {"error": "access_denied"})},
    "L13d": {"token": (200, {
        "error": "bad_verification_code",
        "error_description": "The code passed is incorrect or expired."})},
    "L13e": {"device": True, "token": (400, {"error": "invalid_grant"})},
    "L13f": {"device": True, "token": (401, {
        "error": "unauthorized_client", "error_description": "no"})},
    "L13i": {"device": (200, {"error": "device_flow_disabled"})},
    "L20": {"metadata": {"scopes_supported": ["openid", "email", "profile"]}},
}


class Provider:
    def __init__(self, bench, behaviour):
        self.bench, self.behaviour = bench, behaviour
        self.asked = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                length = int(self.headers.get("Content-Length") or 0)
                form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode()))
                provider.post(self, form)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.issuer = f"http://127.0.0.1:{server.server_address[1]}"

    @staticmethod
    def of_row(bench, name, with_no_browser):
        behaviour = ROWS[name]
        provider = Provider(bench, behaviour)
        options = ["--device"] if behaviour.get("device") else ["--no-browser"]
        if with_no_browser and "--no-browser" not in options:
            options.append("--no-browser")
        home = f"{name}-{time.monotonic_ns()}"
        said = provider.login(options, home=home)
        if name == "L03":
            said = provider.later(home)
        elif name == "L20":
            said += f" | scope asked for: {provider.asked.get('scope')}"
        return said

    def later(self, home):
        """How long the second token is good, of which the server said nothing."""
        time.sleep(5)
        where = {"HOME": str(self.bench.home(home))}
        self.bench.run(["token"], environment=where)
        said = self.bench.run(["whoami", "--json"], environment=where)
        try:
            rest = json.loads(said.partition(": ")[2])["expires"] - time.time()
            return f"{said.partition(':')[0]}: the server had stated 4 s; whoami says {rest:.0f} s"
        except (KeyError, TypeError, ValueError):
            return said

    def login(self, options, home, environment=None):
        """Signs in, in the place of the person with the browser, and gives what was said."""
        where = {**self.bench.environment, "HOME": str(self.bench.home(home)),
                 **(environment or {})}
        program = subprocess.Popen(
            [self.bench.program, "login", "--issuer", self.issuer, "--client-id", "cli",
             *([] if "--timeout" in options else ["--timeout", "20"]), *options],
            env=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, cwd=self.bench.root)
        said = b""
        for line in program.stdout:
            said += line
            if line.startswith(b"http://"):
                threading.Thread(target=self.visit, args=[line.decode().strip()]).start()
        return f"{program.wait()}: " + self.bench.one_line(said)

    @staticmethod
    def visit(address):
        try:
            urllib.request.urlopen(address, timeout=20).read()
        except (urllib.error.URLError, OSError):
            pass

    def answer(self, handler, status, body=None, fields=()):
        content = json.dumps(body).encode() if body is not None else b""
        handler.send_response(status)
        for name, value in [("Content-Type", "application/json"),
                            ("Content-Length", str(len(content))), *fields]:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    def get(self, handler):
        path, _, query = handler.path.partition("?")
        if path == "/.well-known/openid-configuration":
            return self.answer(handler, 200, self.metadata())
        if path == "/jwks":
            keys = (self.bench.root / "idt" / "I01.jwks.json").read_text()
            return self.answer(handler, 200, json.loads(keys))
        self.asked = dict(urllib.parse.parse_qsl(query))
        back = urllib.parse.urlencode({"code": "code-4711", "state": self.asked.get("state", "")})
        return self.answer(
            handler, 302, None, [("Location", f"{self.asked.get('redirect_uri')}?{back}")])

    def metadata(self):
        return {
            "issuer": self.issuer, "jwks_uri": self.issuer + "/jwks",
            "authorization_endpoint": self.issuer + "/authorize",
            "token_endpoint": self.issuer + "/token",
            "device_authorization_endpoint": self.issuer + "/device",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            **self.behaviour.get("metadata", {})}

    def post(self, handler, form):
        if handler.path == "/device":
            refusal = self.behaviour.get("device")
            if isinstance(refusal, tuple):
                return self.answer(handler, *refusal)
            return self.answer(handler, 200, {
                "device_code": "device-4711", "user_code": "WDJB-MJHT", "expires_in": 60, "interval": 1,
                "verification_uri": self.issuer + "/enter", **self.behaviour.get("code", {})})
        if "token" in self.behaviour:
            return self.answer(handler, *self.behaviour["token"])
        return self.answer(handler, 200, self.tokens(form))

    def tokens(self, form):
        is_refresh = form.get("grant_type") == "refresh_token"
        lifetime = self.behaviour.get("lifetimes", (3600, 3600))[is_refresh]
        found = {"access_token": f"at-{time.monotonic_ns()}", "token_type": "Bearer",
                 "refresh_token": "refresh-4711"}
        if lifetime is not None:
            found["expires_in"] = lifetime
        if not is_refresh:
            found["id_token"] = self.id_token()
        return found

    def id_token(self):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": "cli", "sub": "u1", "iat": now, "exp": now + 300,
                  "email": "u@example.com"}
        if "nonce" in self.asked:
            claims["nonce"] = self.asked["nonce"]
        if "audience" in self.behaviour:
            claims.update(aud=["cli", self.behaviour["audience"]], azp="cli")
        return self.bench.token(
            {"alg": "RS256", "typ": "JWT", "kid": "r1"}, claims, self.bench.key)
