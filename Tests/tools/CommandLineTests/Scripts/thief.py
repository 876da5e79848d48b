#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Another user who wants to sign a program in as himself: thief.py BROWSER REPORT.

Started by root, it becomes uid 65534, polls `ps` for what the program BROWSER is told to open, and
opens each address first. REPORT gets a line for each: the address and the status.
"""

import encodings.idna  # Before the change of user: the interpreter's files may be root's alone.
import os
import subprocess
import sys
import urllib.error
import urllib.request

browser = sys.argv[1]
report = open(sys.argv[2], "a", buffering=1)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
seen = set()
while os.getppid() != 1:
    listed = subprocess.run(["ps", "-ww", "-eo", "args"], stdout=subprocess.PIPE).stdout.decode()
    for line in listed.splitlines():
        words = line.split()
        if browser not in words[:-1] or words[-1] in seen or not words[-1].startswith("http"):
            continue
        seen.add(words[-1])
        try:
            status = urllib.request.urlopen(words[-1]).status
        except urllib.error.HTTPError as error:
            status = error.code
        except Exception as error:
            status = type(error).__name__
        report.write(f"{words[-1]} {status}\n")
