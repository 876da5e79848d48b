# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Debian's OpenID provider glewlwyd on loopback, with one user and several clients, and the browser of that user.

Standard library only. The configuration comes as JSON in the first line of standard input:
    {"root": where the package was unpacked, "folder": an empty one, "redirectURI": ..., "password": ...,
     "clients": {name: secret}, "encryption": {name: {"jwks": text, "alg": ..., "enc": ...}} of some of them,
     "keys": {"rs256": [private, public], "es256": [private, public]}}   (PEM)
Prints {"issuers": {"rs256": ..., "es256": ...}} once all is set up: a plugin instance for each algorithm, PKCE with S256
required. Each further line {"visit": address} is answered with {"location": ...}: where the browser is sent in the end,
after the login page, the password and the consent, or {"status": ...} where it is sent nowhere. Ends when standard
input does, and takes the provider along.
"""

import ctypes
import glob
import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse

configuration = json.loads(sys.stdin.readline())
root, folder = configuration["root"], configuration["folder"]
USER, SCOPE = "alice", "openid"
# Of the package's own first user.
ADMINISTRATOR = {"username": "admin", "password": "password"}


def fill_database(path):
    with open(root + "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3", encoding="utf-8") as statements:
        connection = sqlite3.connect(path)
        connection.executescript(statements.read())
        connection.close()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Provider:
    """The process. If another program takes the port first, it tries again."""

    def __init__(self, database):
        for _ in range(10):
            self.port = free_port()
            self.address = f"http://127.0.0.1:{self.port}"
            self.process = self.started(database)
            if self.listens():
                return
        raise SystemExit("glewlwyd does not listen: " + self.log())

    def started(self, database):
        settings = {
            "port": self.port, "bind_address": "127.0.0.1", "external_url": self.address,
            "login_url": "login.html", "url_prefix": "api", "static_files_path": folder, "log_mode": "file",
            "log_level": "ERROR", "log_file": folder + "/log", "cookie_domain": "127.0.0.1", "cookie_secure": 0,
            "session_expiration": 3600, "session_key": "SESSION", "admin_scope": "g_admin",
            "profile_scope": "g_profile", "hash_algorithm": "SHA512",
        }
        for setting, place in [("user", "user"), ("client", "client"), ("user_auth_scheme", "scheme"), ("plugin", "plugin")]:
            settings[setting + "_module_path"] = f"{root}/usr/lib/glewlwyd/{place}"
        lines = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
        lines.append(f'database = {{ type="sqlite3" path={json.dumps(database)} }};')
        with open(folder + "/conf", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        environment = dict(os.environ, LD_LIBRARY_PATH=":".join(glob.glob(root + "/usr/lib/*-linux-gnu*")))
        # It ends with this process, even when that is killed.
        with open(folder + "/output", "w", encoding="utf-8") as output:
            return subprocess.Popen(
                [root + "/usr/bin/glewlwyd", "-c", folder + "/conf"], env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM))

    def listens(self):
        while self.process.poll() is None:
            try:
                self.ask("GET", "/api/auth/")
                return True
            except ConnectionRefusedError:
                time.sleep(0.02)
        return False

    def log(self):
        texts = []
        for name in ["output", "log"]:
            if os.path.exists(f"{folder}/{name}"):
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    texts.append(file.read())
        return "\n".join(texts)

    def ask(self, method, target, body=None, cookie=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        fields = {"Cookie": cookie} if cookie else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection.request(method, target, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        answer.text = answer.read()
        connection.close()
        return answer

    def tell(self, method, target, body, cookie=None):
        answer = self.ask(method, target, body, cookie)
        if answer.status != 200:
            raise SystemExit(f"glewlwyd answered {answer.status} to {method} {target}: {answer.text} {self.log()}")
        return answer

    def session(self, username, password):
        answer = self.tell("POST", "/api/auth/", {"username": username, "password": password})
        return answer.getheader("Set-Cookie").partition(";")[0]


def encryption(name):
    """The properties of a client whose ID tokens, and userinfo that is a token, are encrypted; else none."""
    properties = configuration["encryption"].get(name)
    if properties is None:
        return {}
    jwks = json.loads(properties["jwks"])
    return dict(properties, jwks=jwks, encrypt_id_token="true", encrypt_userinfo="true")


def set_up(provider):
    administrator = provider.session(**ADMINISTRATOR)
    provider.tell("POST", "/api/user/", {
        "username": USER, "password": configuration["password"], "name": "Alice", "email": "alice@app.example",
        "scope": [SCOPE, "g_profile"], "enabled": True,
    }, administrator)
    for name, secret in configuration["clients"].items():
        provider.tell("POST", "/api/client/", {
            "client_id": name, "name": name, "confidential": True, "client_secret": secret, "password": secret,
            "redirect_uri": [configuration["redirectURI"]], "authorization_type": ["code", "refresh_token"],
            "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"], "scope": [SCOPE],
            "enabled": True, **encryption(name),
        }, administrator)
    issuers = {}
    for name, (private, public) in configuration["keys"].items():
        issuers[name] = f"{provider.address}/api/{name}"
        provider.tell("POST", "/api/mod/plugin/", {
            "module": "oidc", "name": name, "display_name": name, "enabled": True, "parameters": {
                "iss": issuers[name], "jwt-type": {"rs256": "rsa", "es256": "ecdsa"}[name], "jwt-key-size": "256",
                "key": private, "cert": public, "access-token-duration": 3600, "refresh-token-duration": 3600,
                "code-duration": 600, "refresh-token-rolling": False, "allow-non-oidc": False,
                "auth-type-code-enabled": True, "auth-type-refresh-enabled": True, "jwks-show": True,
                "subject-type": "public", "name-claim": "mandatory", "email-claim": "mandatory",
                "allowed-scope": [SCOPE], "pkce-allowed": True, "pkce-method-plain-allowed": False,
                "pkce-required": True, "introspection-revocation-allowed": True,
                "introspection-revocation-allow-target-client": True, "introspection-revocation-auth-scope": [],
                # Its own names for the members of a client's registration, one for both kinds of tokens.
                "encrypt-out-token-allow": True, "client-alg-parameter": "alg", "client-enc-parameter": "enc",
                "client-jwks-parameter": "jwks", "client-encrypt_id_token-parameter": "encrypt_id_token",
                "client-encrypt_userinfo-parameter": "encrypt_userinfo",
            },
        }, administrator)
    return issuers


def visit(provider, address):
    """What the browser does: asked for a login page, it logs the user in, consents and goes on."""
    def get(url, cookie=None):
        target = url.removeprefix(provider.address)
        answer = provider.ask("GET", target, cookie=cookie)
        return answer.status, answer.getheader("Location")

    status, location = get(address)
    if location is None or not location.startswith(provider.address + "/login.html?"):
        return {"status": status, "location": location}
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
    user = provider.session(USER, configuration["password"])
    provider.tell("PUT", "/api/auth/grant/" + urllib.parse.quote(query["client_id"]), {"scope": query["scope"]}, user)
    # What the login page adds once it is done.
    status, location = get(query["callback_url"] + "&g_continue", user)
    return {"status": status, "location": location}


def main():
    database = folder + "/people.db"
    fill_database(database)
    provider = Provider(database)
    try:
        print(json.dumps({"issuers": set_up(provider)}), flush=True)
        for line in sys.stdin:
            print(json.dumps(visit(provider, json.loads(line)["visit"])), flush=True)
    finally:
        provider.process.terminate()
        provider.process.wait()


if __name__ == "__main__":
    main()
