# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""A proxy in front of PostgreSQL that speaks TLS in records of awkward sizes.

Arguments: the server's Unix socket, a certificate and its key. Its port goes to standard output as
JSON. Each answer of the server leaves in one piece: three small records, and a full one behind.
"""

import json
import os
import select
import socket
import ssl
import sys
import threading

FULL = 16384


def shake(client, tls, into, out):
    while True:
        try:
            tls.do_handshake()
            client.sendall(out.read())
            return
        except ssl.SSLWantReadError:
            client.sendall(out.read())
            octets = client.recv(65536)
            if not octets:
                raise EOFError
            into.write(octets)


def answer(server):
    """What the server says until it is ready, or waits for the client."""
    octets = server.recv(65536)
    while octets and octets[-6:-1] != b"Z\0\0\0\5" and select.select([server], [], [], 0.05)[0]:
        more = server.recv(65536)
        if not more:
            break
        octets += more
    return octets


def records(octets):
    head = len(octets) - FULL
    if not 3 <= head <= 1000:
        return [octets]
    third = head // 3
    return [octets[:third], octets[third : 2 * third], octets[2 * third : head], octets[head:]]


def serve(client, path, context):
    client.recv(8)
    client.sendall(b"S")
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(into, out, server_side=True)
    shake(client, tls, into, out)
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    while True:
        try:
            # What came behind the handshake is there already.
            while plain := tls.read(65536):
                server.sendall(plain)
        except ssl.SSLWantReadError:
            pass
        ready = select.select([client, server], [], [])[0]
        if client in ready:
            octets = client.recv(65536)
            if not octets:
                return server.close()
            into.write(octets)
        if server in ready:
            octets = answer(server)
            if not octets:
                return client.close()
            for record in records(octets):
                tls.write(record)
            client.sendall(out.read())


def guarded(*arguments):
    try:
        serve(*arguments)
    except (OSError, EOFError):
        pass


def main():
    path, certificate, key = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=guarded, args=(client, path, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    # It ends with its parent.
    sys.stdin.read()
    os._exit(0)


main()
