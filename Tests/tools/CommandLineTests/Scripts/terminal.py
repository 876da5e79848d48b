#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Runs a command at a terminal of its own and answers its prompts.

terminal.py ANSWERS COMMAND…: ANSWERS is a JSON list of lines, typed one at each "… passphrase: ", "Value: ", "The same again: ",
"[y/N] " or "-digit code: "; null presses Ctrl-C, "file NAME" types what is in a file once it is there. Prints what the
terminal showed; ends with the command's status (128 + signal for a signal).
"""

import json
import os
import pty
import select
import sys
import time

PROMPTS = (b"assphrase: ", b"The same again: ", b"Value: ", b"[y/N] ", b"-digit code: ")


def content(name: str) -> str:
    # Whatever happens during a prompt may now begin.
    with open(name + ".asked", "w", encoding="utf-8"):
        pass
    while not os.path.exists(name):
        time.sleep(0.05)
    with open(name, encoding="utf-8") as file:
        return file.read().strip()


def main() -> int:
    answers = json.loads(sys.argv[1])
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.argv[2], sys.argv[2:])
    shown = b""
    seen = 0
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            os.kill(child, 9)
            break
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
        if answers and any(prompt in shown[seen:] for prompt in PROMPTS):
            seen = len(shown)
            answer = answers.pop(0)
            if answer and answer.startswith("file "):
                answer = content(answer.removeprefix("file "))
            os.write(terminal, b"\x03" if answer is None else answer.encode() + b"\n")
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(shown)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


sys.exit(main())
