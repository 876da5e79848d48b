# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that does whatever a test tells it to, even what no proper server does.

Standard library only. It speaks HTTP/1.1 itself, octet by octet, because the library's server would be too polite.
It prints one line, {"port": N, "tlsPort": N or null}, takes one command a line on standard input (JSON) and answers
each with one line. When standard input ends, because the test is done or was killed, it ends.

A behaviour is what a path answers with, a JSON object:
  status (200), fields ([[name, value]]), body (text) or base64, copies (1): the body so many times over,
  gzip (false): compressed, chunked (false), endless (false): the body over and over until the client is gone,
  declared: another Content-Length, closeAfter: so many octets of the body and then the end of the connection,
  hold (name): wait with the head until released, holdBody (name): the same between head and body,
  dripping (seconds): that long between two octets of the body, raw (base64): exactly these octets, then the end,
  flood (base64): after raw and before the end these octets over and over until the client is gone,
  hangUp (false): end the connection without a word,
  accepting: 401 with an empty body unless Authorization is one of these values.
--host ADDRESS: there instead of 127.0.0.1.
"""
import base64
import gzip
import io
import json
import os
import resource
import socket
import ssl
import sys
import threading
import time

lock = threading.Lock()
behaviours = {}
requests = []
counts = {}
gates = {}
abandoned = {}
sent = {}
connections = {}


def gate(name):
    with lock:
        return gates.setdefault(name, threading.Event())


def read_head(reader):
    line = reader.readline(65536)
    if not line or line.isspace():
        return None
    method, target, _ = (line.decode("latin-1").rstrip("\r\n") + "  ").split(" ", 2)
    fields = []
    while True:
        line = reader.readline(65536)
        if line in (b"", b"\r\n", b"\n"):
            return method, target, fields
        name, _, value = line.decode("latin-1").rstrip("\r\n").partition(":")
        fields.append([name, value.strip()])


def field(fields, name):
    return next((value for key, value in fields if key.lower() == name), None)


class Gone(Exception):
    """The server ends the connection here."""


class Exchange:
    def __init__(self, connection, path, keep):
        self.connection = connection
        self.path = path
        self.keep = keep

    def write(self, octets):
        self.connection.sendall(octets)
        with lock:
            sent[self.path] = sent.get(self.path, 0) + len(octets)

    def answer(self, rule):
        if rule.get("hangUp"):
            raise Gone
        if "hold" in rule:
            gate(rule["hold"]).wait()
        if "raw" in rule:
            self.write(base64.b64decode(rule["raw"]))
            if "flood" in rule:
                flood = base64.b64decode(rule["flood"]) * 2048
                while True:
                    self.write(flood)
            raise Gone
        body = base64.b64decode(rule["base64"]) if "base64" in rule else rule.get("body", "").encode()
        body = body * rule.get("copies", 1)
        fields = [list(pair) for pair in rule.get("fields", [])]
        if rule.get("gzip"):
            body = gzip.compress(body)
            fields.append(["Content-Encoding", "gzip"])
        endless = rule.get("endless", False)
        chunked = rule.get("chunked", endless)
        if chunked:
            fields.append(["Transfer-Encoding", "chunked"])
        else:
            fields.append(["Content-Length", str(rule.get("declared", len(body)))])
        if not self.keep:
            fields.append(["Connection", "close"])
        head = "HTTP/1.1 %d Said\r\n" % rule.get("status", 200)
        head += "".join("%s: %s\r\n" % (name, value) for name, value in fields) + "\r\n"
        self.write(head.encode("latin-1"))
        if "holdBody" in rule:
            gate(rule["holdBody"]).wait()
        if endless:
            while True:
                self.write(b"%x\r\n" % len(body) + body + b"\r\n")
        if "closeAfter" in rule:
            self.write(body[:rule["closeAfter"]])
            raise Gone
        if "dripping" in rule:
            for index in range(len(body)):
                self.write(body[index:index + 1])
                time.sleep(rule["dripping"])
        elif chunked:
            for start in range(0, len(body), 4096):
                part = body[start:start + 4096]
                self.write(b"%x\r\n" % len(part) + part + b"\r\n")
            self.write(b"0\r\n\r\n")
        else:
            self.write(body)


def serve(connection):
    path = None
    seen = set()
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = connection.makefile("rb")
        while True:
            head = read_head(reader)
            if head is None:
                return
            method, target, fields = head
            length = int(field(fields, "content-length") or 0)
            body = reader.read(length) if length else b""
            path = target.partition("?")[0]
            with lock:
                counts[path] = counts.get(path, 0) + 1
                if path not in seen:
                    seen.add(path)
                    connections[path] = connections.get(path, 0) + 1
                requests.append({
                    "method": method, "target": target, "fields": fields, "body": body.decode("latin-1"),
                })
                del requests[:-100]
                rule = behaviours.get(path, {"status": 404, "body": "nothing here"})
            keep = (field(fields, "connection") or "").lower() != "close"
            accepted = rule.get("accepting")
            if accepted is not None and field(fields, "authorization") not in accepted:
                rule = {"status": 401, **({"hold": rule["hold"]} if "hold" in rule else {})}
            Exchange(connection, path, keep).answer(rule)
            if not keep:
                return
    except Gone:
        pass
    except (OSError, ValueError):
        with lock:
            abandoned[path] = abandoned.get(path, 0) + 1
    finally:
        try:
            connection.close()
        except OSError:
            pass


def greet(connection, context):
    if context is not None:
        try:
            connection.settimeout(600)
            connection = context.wrap_socket(connection, server_side=True)
            connection.settimeout(None)
        except (OSError, ValueError):
            connection.close()
            return
    serve(connection)


def listen(context, host):
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, 0))
    listener.listen(1024)

    def accept():
        while True:
            connection, _ = listener.accept()
            # Do not hang up because the machine has no free thread at the moment.
            while True:
                try:
                    threading.Thread(target=greet, args=(connection, context), daemon=True).start()
                    break
                except RuntimeError:
                    time.sleep(0.01)

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def obey(command):
    verb = command["do"]
    with lock:
        if verb == "set":
            behaviours[command["path"]] = command["behaviour"]
        elif verb == "facts":
            path = command["path"]
            return {
                "count": counts.get(path, 0), "abandoned": abandoned.get(path, 0), "sent": sent.get(path, 0), "connections": connections.get(path, 0),
                "last": next((r for r in reversed(requests) if r["target"].partition("?")[0] == path), None),
            }
        elif verb == "release":
            gates.setdefault(command["gate"], threading.Event()).set()
        elif verb == "close":
            gates[command["gate"]] = threading.Event()
        else:
            raise ValueError(verb)
    return {}


def main():
    threading.stack_size(256 * 1024)
    # A connection that waits at a gate stays open when its client has gone.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    host = "127.0.0.1"
    if "--host" in sys.argv:
        index = sys.argv.index("--host")
        host = sys.argv[index + 1]
        del sys.argv[index:index + 2]
    port = listen(None, host)
    tls_port = None
    if len(sys.argv) == 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        tls_port = listen(context, host)
    print(json.dumps({"port": port, "tlsPort": tls_port}), flush=True)
    for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8"):
        print(json.dumps(obey(json.loads(line))), flush=True)
    os._exit(0)


main()
