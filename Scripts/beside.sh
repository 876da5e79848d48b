#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs two commands at once and fails if one of them does: optimised builds keep one core busy, and there are two. The second
# one's output is shown as it comes, the first one's when both have ended.
#
#   beside.sh 'command' 'command'
set -euo pipefail

[[ $# -eq 2 ]] || {
    echo "usage: beside.sh 'command' 'command'" >&2
    exit 2
}
log=$(mktemp)
first=
# A build that nobody waits for would go on: it is stopped with the processes that it has started, which are a group (set -m).
trap '[[ -z $first ]] || kill -- "-$first" 2>/dev/null || true; rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

set -m
bash -c "$1" >"$log" 2>&1 </dev/null &
first=$!
set +m
status=0
bash -c "$2" || status=$?
other=0
wait "$first" || other=$?
first=
echo "beside.sh: $1"
cat "$log"
[[ $other -eq 0 ]] || echo "beside.sh: '$1' failed with status $other" >&2
[[ $status -eq 0 ]] || echo "beside.sh: '$2' failed with status $status" >&2
[[ $other -eq 0 ]] || exit "$other"
exit "$status"
