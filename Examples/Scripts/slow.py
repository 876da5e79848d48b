#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# slow.py PORT [CONNECTIONS]: do slow clients silence /health of a server on loopback? A third of the connections sends nothing, a
# third a byte a round, a third half a request and no more. In each of 20 rounds, a second apart, /health is asked 10 times, each
# on a connection of its own that gives up after 5 seconds, as a load balancer does. One that gives up is a failure.
import selectors
import socket
import sys
import time

port = int(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
request = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: " + b"a" * 100 + b"\r\n\r\n"
half = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Ha"


def healthy():
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False


def still_open(connections):
    """How many of the connections the server has neither answered nor ended."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ)
        return len(connections) - len(selector.select(0))


connections = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(count)]
silent, dripping, stuck = (connections[n::3] for n in range(3))
for connection in stuck:
    connection.sendall(half)
asked = answered = 0
for turn in range(20):
    for connection in dripping:
        try:
            connection.sendall(request[turn : turn + 1])
        except OSError:  # The server has ended it, which it may.
            pass
    for _ in range(10):
        asked += 1
        answered += healthy()
    time.sleep(1)
left = ", ".join(
    f"{still_open(some)} of {len(some)} {name}"
    for name, some in (("silent", silent), ("dripping", dripping), ("half a request", stuck))
)
print(f"slow clients: {count} connections; /health answered {answered} of {asked}; still open: {left}")
sys.exit(answered != asked)
