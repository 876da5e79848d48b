# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Another user of this machine, who calls a sign-in's port: started by root, it becomes uid 65534.

Reads commands, one JSON object a line, and answers each with one:

  call   sends a request for "target" to "port"; "how": plain, mapped (a socket of IPv6), device
         (bound to lo), address (from 127.0.0.2), half (closes its sending side). {"text"}
  leave  the same, and hangs up without reading; "how": close, reset.
  hold   connects and stays, silent; {"port"} is its own.
  flood  two threads connect to "port" and say nothing, until calm. {"count"} of connections.
"""

import collections
import json
import os
import socket
import struct
import sys
import threading

RESET = struct.pack("ii", 1, 0)
held = []
flooding = threading.Event()
threads = []
counts = []


def connect(port, how="plain"):
    family = socket.AF_INET6 if how == "mapped" else socket.AF_INET
    end = socket.socket(family)
    if how == "device":
        end.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo")
    if how == "address":
        end.bind(("127.0.0.2", 0))
    end.connect(("::ffff:127.0.0.1" if how == "mapped" else "127.0.0.1", port))
    return end


def request(command):
    return f"GET {command['target']} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def call(command):
    with connect(command["port"], command["how"]) as end:
        end.sendall(request(command))
        if command["how"] == "half":
            end.shutdown(socket.SHUT_WR)
        text = b""
        try:
            while part := end.recv(65536):
                text += part
        except ConnectionResetError:
            pass
    return {"text": text.decode()}


def leave(command):
    try:
        with connect(command["port"]) as end:
            if command["how"] == "reset":
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            end.sendall(request(command))
    except OSError:
        pass  # The sign-in is over.
    return {}


def hold(command):
    end = connect(command["port"], command["how"])
    held.append(end)
    return {"port": end.getsockname()[1]}


def connect_for_ever(port):
    # A reset leaves no TIME_WAIT: ports must be left for the browser.
    last, count = collections.deque(), 0
    while flooding.is_set():
        try:
            end = connect(port)
        except OSError:
            continue
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        last.append(end)
        count += 1
        if len(last) > 400:
            last.popleft().close()
    counts.append(count)


def flood(command):
    flooding.set()
    for _ in range(2):
        threads.append(threading.Thread(target=connect_for_ever, args=[command["port"]]))
        threads[-1].start()
    return {}


def calm(_):
    flooding.clear()
    for thread in threads:
        thread.join()
    threads.clear()
    total = sum(counts)
    counts.clear()
    return {"count": total}


os.setgroups([])
os.setgid(65534)
os.setuid(65534)
COMMANDS = {"call": call, "leave": leave, "hold": hold, "flood": flood, "calm": calm}
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(COMMANDS[asked["do"]](asked)), flush=True)
flooding.clear()
