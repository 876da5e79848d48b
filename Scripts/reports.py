#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Shows what `signet` said to inputs of public bug reports at f9f9134a, and what it says now.

    Scripts/reports.py FOLDER [ID…]     FOLDER holds log.tsv and the inputs; else $SIGNET_REPORTS

For each row of log.tsv that was wrong (W) or unhelpful (U) it makes the input anew, in a temporary
folder and with servers of its own, and prints the row's id, what was said then and what is said now
($SIGNET, or the debug build). Tokens are signed again, because the old ones have expired. EXTRA has
the rows that reports.md names and log.tsv lacks; a row that cannot be made here says so. IDs choose
rows by how they begin. Nothing of FOLDER is changed or kept. The exit status says nothing: a person
reads the answers. The last lines name the rows whose answer is the same.
"""

import ast
import base64
import gzip
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from reports_provider import Provider

FOLDERS = {"K": "keys", "J": "jwk", "T": "tok", "S": "tok", "E": "email"}
NOBODY = 65534
# Rows that reports.md describes without a row of log.tsv: id, what was hit, what was said then.
EXTRA = [
    ("T04arg", "a token as an argument, with CR after it",
     "The signature is not base64url without padding. [malformed]"),
    ("J12d", "a JWK in quotes", "There is no PEM block: expected …"),
    ("G_reset", "the connection is reset",
     "There was no complete answer (unreachable: … (libcurl's code 56).)."),
    ("R01", "a keyring that stays silent, login --timeout 5",
     "The Secret Service did not answer in time. [timedOut] Wait longer with --timeout SECONDS."),
    ("R10", "a keyring without the collection",
     "The Secret Service has no collection of this alias"),
    ("C01e", "HOME=/ for a user who may not write there",
     "The folder //.local/share/signet cannot be made. [system]"),
    ("C03", "root reads a vault of another user", "use a folder of your own"),
    ("C08", "root makes a vault in a folder of another user", "use a folder of your own"),
]


def unpadded(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def fresh(claims):
    """The claims, with their times moved so that the token was issued a few seconds ago."""
    moved = time.time() - 5 - claims.get("iat", time.time())
    times = {name: int(claims[name] + moved) for name in claims
             if name in ("iat", "exp", "nbf", "auth_time")}
    return {**claims, **times}


class Bench:
    """A temporary copy of the inputs, with a home, and what runs `signet` there."""

    def __init__(self, inputs, program):
        self.program = program
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="signet-reports-"))
        for name in ("keys", "jwk", "tok", "idt", "email"):
            shutil.copytree(inputs / name, self.root / name)
        for path in [self.root, *self.root.rglob("*")]:
            path.chmod(0o700 if path.is_dir() else 0o600)
        (self.root / "bin").mkdir()
        (self.root / "bin" / "signet").symlink_to(program)
        self.environment = {
            "HOME": str(self.home("home")), "LANG": "C.UTF-8",
            "PATH": f"{self.root}/bin:/usr/local/bin:/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.root}/none"}
        self.key = str(self.root / "idt" / "rsa.pem")

    def home(self, name):
        path = self.root / name
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    def run(self, command, folder=".", stdin=b"", **more):
        """What a command says: its status and both streams on one line."""
        if isinstance(command, str):
            command = ["bash", "-c", command]
        elif command[0] != "bash":
            command = [self.program, *command]
        environment = {**self.environment, **more.pop("environment", {})}
        try:
            done = subprocess.run(
                command, cwd=self.root / folder, input=stdin, env=environment, timeout=60,
                capture_output=True, **more)
        except subprocess.TimeoutExpired:
            return "no answer within 60 s"
        return f"{done.returncode}: " + self.one_line(done.stdout + b" " + done.stderr)

    def one_line(self, octets):
        text = octets.decode(errors="replace").replace(str(self.root), "…")
        text = re.sub(r"(127\.0\.0\.1|localhost):\d+", r"\1:PORT", text)
        return " | ".join(line.strip() for line in text.splitlines() if line.strip())

    def signed(self, claims, key, folder):
        """A token by `signet` itself, of an hour."""
        return subprocess.run(
            [self.program, "jwt", "sign", "--key", key, "--lifetime", "3600"],
            cwd=self.root / folder, input=json.dumps(claims).encode(), env=self.environment,
            capture_output=True, check=True).stdout.decode().strip()

    def openssl(self, content, key):
        return subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", key], input=content, check=True,
            capture_output=True).stdout

    def token(self, header, claims, key):
        """A token that openssl signs: with RSA, or with EC in DER."""
        content = ".".join(unpadded(json.dumps(part).encode()) for part in (header, claims))
        return f"{content}.{unpadded(self.openssl(content.encode(), key))}"

    def renewed(self, name, key=None):
        """The token of a file, signed again with times of now."""
        header, claims, _ = (self.root / name).read_text().strip().split(".")
        return self.token(decoded(header), fresh(decoded(claims)), key or self.key)

    def by_secret(self, secret):
        parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "s", "iat": int(time.time())})
        content = ".".join(unpadded(json.dumps(part).encode()) for part in parts)
        code = hmac.new(secret, content.encode(), hashlib.sha256).digest()
        return f"{content}.{unpadded(code)}"


class Answers(BaseHTTPRequestHandler):
    """Key sets as servers give them that a person has to be told about."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/reset":
            # Closed with data unread and no time to linger: a reset.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            return self.connection.close()
        html = b"<!DOCTYPE html><html><body>Sign in to the network</body></html>"
        body = html if self.path == "/html200" else gzip.compress(b'{"keys":[]}')
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if body is html else "application/json")
        if body is not html:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return self.wfile.write(body)


def served(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def tokens_and_files(bench, row, arguments):
    """Rows of one command that reads a file, and perhaps a token or claims by standard input."""
    name = row["id"]
    folder = FOLDERS.get(name[0], "idt")
    stdin = b""
    plain = {"iss": "https://i", "aud": "a", "sub": "s"}
    if name[0] == "J":
        key = "../keys/es.json" if name == "J05b" else "priv.json"
        stdin = bench.signed(plain, key, folder).encode()
    elif name[0] == "T":
        token = bench.signed(plain, "hs.json", folder).encode()
        stdin = {"T04a": b"Bearer " + token, "T04c": b"\n" + token, "T04l": token + b"\t"}[name]
    elif name[0] == "S":
        stdin = (bench.root / folder / f"{name}.json").read_bytes()
    elif name == "D01":
        stdin = bench.renewed("idt/dersig.jwt", str(bench.root / "idt" / "ec.pem")).encode()
    elif name[0] == "D":
        secret = (bench.root / "idt" / arguments[3]).read_bytes().rstrip(b"\n")
        stdin = b'{"sub":"s"}' if arguments[1] == "sign" else bench.by_secret(secret).encode()
    elif "--token" in arguments:
        file = bench.root / folder / arguments[arguments.index("--token") + 1]
        file.write_text(bench.renewed(f"{folder}/{file.name}"))
    return bench.run(arguments, folder, stdin)


def vault(bench, row, _):
    """Rows of shell scripts, in a folder with a vault and its key."""
    if not (bench.root / "vault").exists():
        bench.home("vault/").joinpath("h1").mkdir(mode=0o700)
        bench.run("signet vault init --new-key-file h1/k", "vault")
        bench.run("signet seal --key-file h1/k --output h1/s.sealed", "vault", b"hi")
        bench.run("printf '\\xef\\xbb\\xbf' > h1/kbom; cat h1/k >> h1/kbom; chmod 600 h1/kbom; "
                  "printf 'secret words' > h1/p; chmod 600 h1/p; "
                  "cd h1; signet vault init --vault pv.signet --new-passphrase-file p", "vault")
    return bench.run(row["arguments"].removeprefix("cd vault; "), "vault")


def servers(bench, row, arguments):
    port = str(served(Answers))
    return bench.run([re.sub(r":45843\b", f":{port}", argument) for argument in arguments])


def quiet_bus(bench):
    """A session bus whose Secret Service starts, and says nothing."""
    folder = bench.home("bus")
    (folder / "silent.service").write_text(
        "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sleep 120\n")
    (folder / "session.conf").write_text(
        f"<busconfig><type>session</type><listen>unix:path={folder}/bus</listen>"
        f"<servicedir>{folder}</servicedir><policy context='default'>"
        "<allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/></policy>"
        "</busconfig>")
    bus = subprocess.Popen(
        ["dbus-daemon", f"--config-file={folder}/session.conf", "--nofork"],
        stderr=subprocess.DEVNULL)
    while not (folder / "bus").exists() and bus.poll() is None:
        time.sleep(0.05)
    return bus, {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus"}


def extra(bench, name):
    if name == "T04arg":
        token = bench.signed({"iss": "https://i", "aud": "a"}, "hs.json", "tok")
        return bench.run(["jwt", "verify", "--key", "hs.json", "--issuer", "https://i",
                          "--audience", "a", "--", token + "\r"], "tok")
    if name == "J12d":
        return bench.run(["jwk", "public", "--key", "quot.json"], "jwk")
    if name == "G_reset":
        return bench.run(["jwks", "fetch", "--url", f"http://127.0.0.1:{served(Answers)}/reset"])
    if name == "R01" and shutil.which("dbus-daemon"):
        bus, environment = quiet_bus(bench)
        try:
            return Provider(bench, {}).login(
                ["--device", "--timeout", "5"], environment=environment, home="silent")
        finally:
            bus.terminate()
    if name == "R10" and shutil.which("gnome-keyring-daemon"):
        home = bench.home("keyring")
        return bench.run(
            ["bash", "-c", "dbus-run-session -- bash -c 'gnome-keyring-daemon --foreground "
             "--components=secrets >/dev/null 2>&1 & daemon=$!; sleep 2; signet vault list "
             "--backend secret-service --collection work 2>&1; kill $daemon' 2>/dev/null"],
            environment={"HOME": str(home), "XDG_RUNTIME_DIR": str(home)})
    if name in ("C01e", "C03", "C08") and os.getuid() == 0:
        return other_user(bench, name)
    return "not made here"


def other_user(bench, name):
    if name == "C01e":
        bench.root.chmod(0o755)
        copy = bench.root / "signet-for-all"
        shutil.copy(bench.program, copy)
        copy.chmod(0o755)
        return bench.run(
            ["bash", "-c", f"{copy} vault init --new-key-file /nowhere/key"], user=NOBODY,
            group=NOBODY, extra_groups=[], environment={"HOME": "/"})
    folder = bench.home("theirs")
    bench.run(["vault", "init", "--vault", "v.signet", "--new-key-file", "k"], "theirs")
    for path in [*folder.iterdir(), folder]:
        os.chown(path, NOBODY, NOBODY)
    command = "list" if name == "C03" else "init"
    file, key = ("v.signet", "--key-file") if name == "C03" else ("w.signet", "--new-key-file")
    return bench.run(["vault", command, "--vault", f"theirs/{file}", key, "idt/new.key"])


def answer(bench, row):
    name, arguments = row["id"], row["arguments"]
    if name[0] == "L":
        return Provider.of_row(bench, name, with_no_browser=row["status"] == "2")
    if name[0] in "VWP":
        return vault(bench, row, None)
    arguments = ast.literal_eval(arguments)
    how = servers if name[0] in "FG" else tokens_and_files
    return how(bench, row, arguments)


def rows_of(folder):
    lines = (folder / "log.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = ["id", "source", "hit", "arguments", "status", "then", "verdict", "group"]
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t")))
        if row["verdict"] in ("W", "U"):
            yield row
    for name, hit, then in EXTRA:
        yield {"id": name, "hit": hit, "then": then, "verdict": "U", "group": "reports.md"}


def plain(text):
    return re.sub(r"\W+", "", re.sub(r"^(\S+: )|:\d{4,5}\b|:PORT", "", text))


def main():
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SIGNET_REPORTS")
    if not named:
        sys.exit(__doc__)
    program = pathlib.Path(os.environ.get("SIGNET", ".build/debug/signet")).resolve()
    folder, chosen = pathlib.Path(named), tuple(sys.argv[2:])
    bench = Bench(folder, str(program))
    same, count = [], 0
    try:
        for row in rows_of(folder):
            if chosen and not row["id"].startswith(chosen):
                continue
            count += 1
            now = extra(bench, row["id"]) if "status" not in row else answer(bench, row)
            print(f"{row['id']}  {row['verdict']} {row['group']}: {row['hit']}")
            print(f"    then  {row['then'].strip()}\n    now   {now}\n", flush=True)
            if plain(row["then"])[:120] == plain(now)[:120]:
                same.append(row["id"])
    finally:
        shutil.rmtree(bench.root, ignore_errors=True)
    print(f"{count} rows; the same answer: {' '.join(same) or 'none'}")


if __name__ == "__main__":
    main()
