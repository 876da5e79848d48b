#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command with busy loops beside it: a test that depends on real time fails here.
#
#   under-load.sh LOOPS command …
set -euo pipefail

[[ $# -ge 2 ]] || { echo "usage: under-load.sh LOOPS command …" >&2; exit 2; }
loops=()
# Waits for them as well, so that their processor time counts.
end_loops() {
    [[ ${#loops[@]} -eq 0 ]] || kill "${loops[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
}
trap end_loops EXIT
for ((i = 0; i < $1; i++)); do
    while kill -0 $$ 2>/dev/null; do :; done >/dev/null 2>&1 &
    loops+=($!)
done
"${@:2}"
