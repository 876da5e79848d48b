# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""A proxy on loopback that opens tunnels (CONNECT) to loopback, whatever the host is called, and says what it saw.

Standard library only. `connect_proxy.py [certificate key]`: with both, the proxy itself speaks TLS. It prints one
line, {"port": N}, and answers each line on standard input with {"heads": [[line, …], …]}: what was asked so far.
A head with `Proxy-Authorization` other than that of `user:p:ss word` gets 407; without one it is let through.
"""
import base64
import json
import os
import socket
import ssl
import sys
import threading

lock = threading.Lock()
heads = []
GOOD = "Basic " + base64.b64encode(b"user:p:ss word").decode()


def copy(source, target):
    try:
        while True:
            octets = source.recv(65536)
            if not octets:
                break
            target.sendall(octets)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection, context):
    try:
        if context is not None:
            connection = context.wrap_socket(connection, server_side=True)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            octet = connection.recv(1)
            if not octet:
                return
            head += octet
        lines = head.decode("latin-1").split("\r\n")[:-2]
        with lock:
            heads.append(lines)
        method, target, _ = lines[0].split(" ")
        given = [line.split(": ", 1)[1] for line in lines if line.lower().startswith("proxy-authorization:")]
        if given and given != [GOOD]:
            connection.sendall(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
            return
        if method != "CONNECT":
            connection.sendall(b"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
            return
        server = socket.create_connection(("127.0.0.1", int(target.rpartition(":")[2])))
        connection.sendall(b"HTTP/1.1 200 Open\r\nX-Secret: of the proxy\r\n\r\n")
        threading.Thread(target=copy, args=(connection, server), daemon=True).start()
        copy(server, connection)
    except (OSError, ValueError):
        pass
    finally:
        connection.close()


def main():
    context = None
    if len(sys.argv) == 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    for _ in sys.stdin:
        with lock:
            print(json.dumps({"heads": heads}), flush=True)
    os._exit(0)


main()
