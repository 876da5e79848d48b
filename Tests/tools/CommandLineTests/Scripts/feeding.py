#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Runs a command at a terminal of its own and feeds it a file as slowly as it takes.

feeding.py FIFO FILE END COMMAND…: writes FILE into FIFO a few bytes at a time, until the terminal
shows progress or there is no more; then, for END `close`, closes FIFO, and for END `interrupt`
presses Ctrl-C. Prints what the terminal showed; ends with the command's status (128 + signal for a
signal).
"""

import os
import pty
import select
import sys

PAUSE = 0.05


def main() -> int:
    fifo, name, end, *command = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    shown = b""
    # Waits until the command reads.
    feed = os.open(fifo, os.O_WRONLY)
    with open(name, "rb") as file:
        while b"ing: " not in shown and (part := file.read(16)):
            try:
                os.write(feed, part)
            except BrokenPipeError:  # It has ended.
                break
            if select.select([terminal], [], [], PAUSE)[0]:
                shown += os.read(terminal, 4096)
    if end == "interrupt":
        os.write(terminal, b"\x03")
    else:
        os.close(feed)
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(shown)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


sys.exit(main())
