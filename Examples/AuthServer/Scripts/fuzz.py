#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Sends malformed requests to the example server and looks at the answers.

Each request is wrong in at least one way that makes success impossible: a token that was altered, an expired token in place of a good one,
or HTTP that is broken. Requests go out in pipelines. One with broken framing is the last of its pipeline, because the server may close the
connection after it. The same seed makes the same requests.
"""

import argparse
import collections
import multiprocessing
import os
import random
import re
import socket
import sys
import time

ID, EXPIRED, SESSION = (os.environ[name].encode() for name in ("ID_TOKEN", "EXPIRED_TOKEN", "SESSION_TOKEN"))
PIPELINE = 24
ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
METHODS = [b"GET", b"POST", b"DELETE", b"PUT", b"PATCH", b"OPTIONS", b"HEAD", b"TRACE", b"PROPFIND", b"M-SEARCH", b"LINK"]
PATHS = [
    b"/api/auth/mobile/google", b"/v1/auth/me", b"/api/visits", b"/v1/auth/id-token", b"/v1/auth/refresh",
    b"/v1/auth/codes/verify", b"/.well-known/jwks.json", b"/health",
]
SIGN_IN = PATHS[0]
CONTROLS = bytes([*range(0x20), 0x7F])
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r]*\r\n)*?)\r\n")
LENGTH = re.compile(rb"(?i)content-length: (\d+)")


def mutate(rng, data, times):
    """Changes octets: flips, removes, repeats, inserts, swaps."""
    data = bytearray(data)
    for _ in range(times):
        if not data:
            return bytes(rng.randbytes(4))
        at = rng.randrange(len(data))
        kind = rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at : at + rng.randrange(1, 9)]
        elif kind == 2:
            data[at:at] = data[at : at + rng.randrange(1, 33)]
        elif kind == 3:
            data[at:at] = rng.randbytes(rng.randrange(1, 5))
        elif kind == 4:
            other = rng.randrange(len(data))
            data[at], data[other] = data[other], data[at]
        else:
            data[at] = rng.choice(b'"{}[]\\,:.= \0\x7f\xff\xc0')
    return bytes(data)


def token(rng, good):
    """A token that differs from the good one, often in a way that still looks like a token."""
    while True:
        kind = rng.randrange(6)
        if kind == 0:
            made = bytearray(good)
            made[rng.randrange(len(made))] = rng.choice(ALPHABET)
            made = bytes(made)
        elif kind == 1:
            made = good[: rng.randrange(len(good))]
        elif kind == 2:
            parts = good.split(b".")
            rng.shuffle(parts)
            made = b".".join(parts)
        elif kind == 3:
            parts = good.split(b".")
            parts[rng.randrange(len(parts))] = bytes(rng.choices(ALPHABET, k=rng.randrange(200)))
            made = b".".join(parts)
        elif kind == 4:
            made = bytes(octet for octet in mutate(rng, good, rng.randrange(1, 6)) if octet in ALPHABET or octet == 46)
        else:
            made = good + bytes(rng.choices(ALPHABET + b".", k=rng.randrange(1, 60)))
        if made != good:
            return made


def framed(method, path, headers, body=None):
    lines = [method + b" " + path + b" HTTP/1.1", b"Host: 127.0.0.1"] + headers
    if body is not None:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")


def json_body(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return mutate(rng, b'{"idToken":"' + EXPIRED + b'"}', rng.randrange(1, 8))
    if kind == 1:
        return b'{"idToken":"' + token(rng, ID) + b'"}'
    if kind == 2:
        return b"[" * rng.randrange(1, 2000)
    if kind == 3:
        return b'{"a":' * rng.randrange(1, 300) + b"1" + b"}" * rng.randrange(300)
    if kind == 4:
        return b'{"idToken":%s}' % rng.choice([b"null", b"1e999", b"-", b"true", b'"\\ud800"', b'"\\u0000"', b"{}", b"[]", b'""', b'"\xff"'])
    if kind == 5:
        return rng.randbytes(rng.randrange(200))
    if kind == 6:
        return b'{"idToken":"' + bytes(rng.choices(ALPHABET, k=rng.randrange(1, 20000))) + b'"}'
    return b'{"idToken":"' + EXPIRED + b'","idToken":"' + token(rng, ID) + b'"}'


def header(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return b"X-" + bytes(rng.choices(ALPHABET, k=20)) + b": " + bytes(rng.choices(ALPHABET, k=rng.randrange(8000)))
    if kind == 1:
        return b"X-Request-Id: " + mutate(rng, b"gateway-0001", 2).translate(None, CONTROLS)
    if kind == 2:
        return b"Cookie: session=" + SESSION
    if kind == 3:
        return b"Content-Type: " + rng.choice([b"text/plain", b"application/json", b"multipart/form-data; boundary=a", b";", b""])
    if kind == 4:
        return b"Accept: " + b"a/b," * rng.randrange(200)
    if kind == 5:
        return b"X-Forwarded-For: 127.0.0.1"
    if kind == 6:
        return b"Expect: 100-continue" if rng.randrange(50) == 0 else b"TE: trailers"
    return b"Authorization: " + rng.choice([b"Basic YTpi", b"Bearer", b"Bearer  a", b"", b"Bearer a b", b"Negotiate x"])


def well_framed(rng):
    """A request that HTTP allows and that must not succeed."""
    kind = rng.randrange(10)
    extra = [header(rng) for _ in range(rng.randrange(3))]
    if kind < 4:
        extra = [one for one in extra if not one.startswith((b"Content-Type", b"Expect"))]
        return framed(b"POST", SIGN_IN, [b"Content-Type: application/json"] + extra, json_body(rng))
    if kind < 7:
        extra = [one for one in extra if not one.startswith(b"Expect")]
        method, path = rng.choice([(b"GET", PATHS[1]), (b"DELETE", PATHS[1]), (b"GET", PATHS[2])])
        return framed(method, path, [b"Authorization: Bearer " + token(rng, SESSION)] + extra)
    if kind == 7:
        extra = [one for one in extra if not one.startswith((b"Content-Type", b"Expect"))]
        body = mutate(rng, b'{"place":"London"}', 3)
        return framed(b"POST", PATHS[2], [b"Content-Type: application/json", b"Authorization: Bearer " + token(rng, SESSION)] + extra, body)
    if kind == 8:
        method = rng.choice(METHODS)
        path = rng.choice(PATHS[:3]) + rng.choice([b"", b"/", b"//", b"?a=%00", b"/../", b"%2f", b"?" + b"x" * 500])
        # Nothing that a route without sign-in would answer.
        return framed(method, path, [one for one in extra if not one.startswith(b"Expect")], b"" if method == b"POST" else None)
    path = b"/" + bytes(octet for octet in rng.randbytes(rng.randrange(60)) if 0x21 <= octet < 0x7F and octet not in b"#")
    return framed(rng.choice(METHODS), path, [])


def broken(rng):
    """A request that is not, or only nearly, HTTP."""
    kind = rng.randrange(8)
    if kind == 0:
        return mutate(rng, framed(b"POST", SIGN_IN, [b"Content-Type: application/json"], b'{"idToken":"' + EXPIRED + b'"}'), rng.randrange(1, 12))
    if kind == 1:
        return rng.randbytes(rng.randrange(1, 400)) + b"\r\n\r\n"
    if kind == 2:
        return framed(b"GET", PATHS[1], [b"X: " + b"a" * rng.randrange(20_000, 90_000)])
    if kind == 3:
        return framed(b"GET", PATHS[1], [b"X-%d: a" % number for number in range(rng.randrange(64, 300))])
    if kind == 4:
        return b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %s\r\n\r\n{}" % (SIGN_IN, rng.choice([b"-1", b"1, 2", b"99999999999999999999", b"0x2", b" ", b"2\r\nContent-Length: 3"]))
    if kind == 5:
        return b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%s" % (SIGN_IN, rng.choice([b"zz\r\n", b"-1\r\n{}\r\n0\r\n\r\n", b"fffffffffffffffff\r\n", b"2\r\n{}0\r\n\r\n", b"2\r\n{}\r\n0\r\n\r\n"]))
    if kind == 6:
        return b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}" % SIGN_IN
    return b"GET /health HTTP/%s\r\nHost: a\r\n\r\n" % rng.choice([b"0.9", b"2.0", b"1.9", b"x", b""])


class Connection:
    def __init__(self, port):
        self.port = port
        self.socket = None
        self.closes = False

    def open(self):
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    def answers(self, expected_methods):
        """Reads one answer for each method; fewer if the server closes the connection."""
        pending, found, buffer = list(expected_methods), [], b""
        while len(found) < len(pending):
            match = STATUS.match(buffer)
            if match:
                length = LENGTH.search(match.group(2))
                count = 0 if pending[len(found)] == b"HEAD" else int(length.group(1)) if length else 0
                if len(buffer) >= match.end() + count:
                    found.append(int(match.group(1)))
                    self.closes = b"connection: close" in match.group(2).lower()
                    buffer = buffer[match.end() + count :]
                    continue
            data = self.socket.recv(1 << 16)
            if not data:
                break
            buffer += data
        return found


def work(arguments):
    port, seed, count = arguments
    rng = random.Random(seed)
    tally, connection = collections.Counter(), Connection(port)
    sent = 0
    while sent < count:
        requests = [well_framed(rng) for _ in range(min(PIPELINE, count - sent))]
        tail = broken(rng) if rng.randrange(3) == 0 and len(requests) > 1 else None
        if tail:
            requests[-1:] = []
        if connection.socket is None:
            connection.open()
        methods = [request.split(b" ", 1)[0] for request in requests]
        connection.socket.sendall(b"".join(requests))
        statuses = connection.answers(methods)
        if len(statuses) != len(requests):
            # The server closes the connection after a request that is not HTTP, and ignores what follows in the pipeline.
            if not statuses or statuses[-1] != 400 or not connection.closes:
                return tally, f"after {len(statuses)} answers the connection was closed: {requests[len(statuses)][:300]!r}"
            connection.close()
            tail = None
        for request, status in zip(requests, statuses):
            tally[str(status)] += 1
            open_route = any(
                path in request[:40] for path in (b" /health", b" /.well-known", b" / ", b" /signin")
            ) or re.match(rb"[A-Z]+ /+(\?\S*)? ", request)
            # 503 is for an unknown key whose issuer may not be asked again yet (keyHeldBack).
            if (status >= 500 and status != 503) or (status < 300 and not open_route):
                return tally, f"{status} for {request[:600]!r}"
        sent += len(statuses)
        if tail:
            try:
                connection.socket.sendall(tail)
                # This closes our side, so that the server does not wait for ever for more of the request.
                connection.socket.shutdown(socket.SHUT_WR)
                data = b""
                while chunk := connection.socket.recv(1 << 16):
                    data += chunk
                status = data[9:12].decode("latin-1") if data.startswith(b"HTTP/1.1 ") else "closed"
                if status.startswith("5") and status not in ("501", "505"):
                    return tally, f"{status} for {tail[:600]!r}"
                tally[f"{status} (broken HTTP)"] += 1
            except (ConnectionError, BrokenPipeError):
                tally["closed (broken HTTP)"] += 1
            except TimeoutError:
                return tally, f"no answer and no end: {tail[:300]!r}"
            connection.close()
            sent += 1
    connection.close()
    return tally, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    share, start = options.requests // options.processes + 1, time.monotonic()
    total, problems = collections.Counter(), []
    with multiprocessing.Pool(options.processes) as pool:
        jobs = [(options.port, options.seed * 1000 + number, share) for number in range(options.processes)]
        for tally, problem in pool.imap_unordered(work, jobs):
            total += tally
            if problem:
                problems.append(problem)
    for name, count in sorted(total.items()):
        print(f"  {count:>9}  {name}")
    print(f"  {sum(total.values()):>9}  in all, {sum(total.values()) / (time.monotonic() - start):.0f} a second")
    for problem in problems:
        print(f"fuzz.py: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
