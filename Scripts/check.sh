#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs make's targets given one after the other, says how long each took, and ends with swift test's closing line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# An earlier run's is nothing to end with.
rm -f .build/closing-line
times=
summary() {
    # What the times are worth depends on what they were taken on.
    echo "check: $times on $(nproc) cores, $(sed -nE 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)"
}
for target in "$@"; do
    start=$SECONDS
    make "$target" || {
        status=$?
        summary
        echo "check: make $target failed after $((SECONDS - start)) s" >&2
        exit "$status"
    }
    times+="$target $((SECONDS - start)) s, "
done
summary
cat .build/closing-line
