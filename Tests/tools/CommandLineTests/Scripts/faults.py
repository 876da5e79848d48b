#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Runs a program whose system calls fail: faults.py CALL[:LENGTH]=WHAT... -- PROGRAM ARGUMENT...

Each CALL (with LENGTH, where its third argument is that) fails with the error WHAT, such as EPERM,
or finds the signal WHAT, such as INT. The kernel asks this process about the calls (seccomp), and
needs no debugger. The status is the program's, 128 and the signal's number after a signal, and 77
where the kernel does not ask.
"""

import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import sys

NUMBERS = {
    "x86_64": {
        "seccomp": 317, "read": 0, "write": 1, "fsync": 74, "linkat": 265, "renameat2": 316},
    "aarch64": {
        "seccomp": 277, "read": 63, "write": 64, "fsync": 82, "linkat": 37, "renameat2": 276},
}.get(platform.machine())
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
RECEIVE, SEND = 0xC0502100, 0xC0182101
CONTINUE = 1


def filtered(numbers):
    """From now on the kernel asks about the calls; returns the descriptor at which it does."""
    steps = [(0x20, 0, 0, 0)]  # The call's number; then a jump to the last step for each.
    for index, number in enumerate(numbers):
        steps.append((0x15, len(numbers) - index, 0, number))
    steps += [(0x06, 0, 0, ALLOW), (0x06, 0, 0, NOTIFY)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    return library.syscall(NUMBERS["seccomp"], 1, 8, program)


def main():
    end = sys.argv.index("--")
    rules = {}
    for rule in sys.argv[1:end]:
        call, what = rule.split("=")
        call, _, length = call.partition(":")
        rules[NUMBERS[call]] = (int(length) if length else None, what)
    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        # As from a shell in the foreground, whatever the tests were started by.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        listener = filtered(rules)
        if listener < 0:
            os._exit(77)
        socket.send_fds(there, [b"."], [listener])
        os.close(listener)
        os.execv(sys.argv[end + 1], sys.argv[end + 1:])
    there.close()
    received = socket.recv_fds(here, 1, 1)[1]
    while (ended := os.waitpid(child, os.WNOHANG if received else 0))[0] == 0:
        if select.select(received, [], [], 0.05)[0]:
            answer(received[0], rules)
    status = os.waitstatus_to_exitcode(ended[1])
    sys.exit(status if status >= 0 else 128 - status)


def answer(listener, rules):
    question = bytearray(80)
    try:
        fcntl.ioctl(listener, RECEIVE, question)
        number, process, call, length = struct.unpack_from("=QI4xi4x24xQ", question)
        wanted, what = rules[call]
        error, flags = 0, CONTINUE
        if wanted in (None, length):
            if what.startswith("E"):
                error, flags = -getattr(errno, what), 0
            else:
                os.kill(process, getattr(signal, "SIG" + what))
        fcntl.ioctl(listener, SEND, struct.pack("QqiI", number, 0, error, flags))
    except FileNotFoundError:
        pass  # A signal has ended the call.


if __name__ == "__main__":
    main()
