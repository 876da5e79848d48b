#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Prints where the threads of the processes with this name are, innermost call first, as far as gdb can tell.
#
#   stacks.sh NAME
#
# It leaves out idle threads, and calls of C libraries and of Swift's own libraries.
set -euo pipefail

command -v gdb >/dev/null || { echo "stacks: gdb is not here"; exit 0; }
for process in $(pgrep -f "$1" | grep -vx $$); do
    gdb -p "$process" -batch -ex 'thread apply all bt 60' 2>/dev/null |
        awk '/^Thread / { count++; calls = 0 }
            /^#/ && / \$s/ && !/\/lib(swift|Foundation)[^ ]*[.]so/ && calls++ < 6 {
                for (i = 1; i <= NF; i++) if ($i ~ /^\$s/) print "stacks:   thread " count ": " $i
            }' | swift demangle --simplified | cut -c 1-160 || true
done
