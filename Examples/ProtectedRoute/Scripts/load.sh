#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# What a verified token costs a server, in processor time of its process (utime + stime), so that neither wrk nor another program on
# the machine counts: GET /health is the plain route, GET /hello the same with an RS256 access token verified, both over connections
# that stay open and with the same header, and verification-alone is the verification of that token without a server. Each is
# measured RUNS=5 times in turns; of the medians, the route with the token may cost 1.15 × plain route plus verification. It is one
# token throughout: nothing keeps the outcome of a verification, so that each request verifies a signature.
#
# Then memory: REQUESTS=1000000 of both routes in turns, resident memory after each 100,000. It fails when the end is more than
# 4 MiB above the state after the first 200,000. Last the slow clients of slow.py.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v wrk >/dev/null || { echo "load.sh: wrk is needed (package wrk)" >&2; exit 3; }

[[ -n ${SKIP_BUILD:-} ]] || swift build -c release -debug-info-format none
bin=$(swift build -c release --show-bin-path)
example=$bin/protected-route
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

runs=${RUNS:-5} seconds=${SECONDS_EACH:-5} requests=${REQUESTS:-1000000} verifications=${VERIFICATIONS:-40000}
connections=${CONNECTIONS:-8} hertz=$(getconf CLK_TCK)
token=$(token key https://api.example 86400)
mkfifo "$work/counts" "$work/answers"
"$bin/verification-alone" "$issuer" https://api.example "$token" <"$work/counts" >"$work/answers" &
alone=$!
exec {counts}>"$work/counts" {answers}<"$work/answers"

# After the name of the program, which may hold spaces, in parentheses.
spent() { sed 's/.*) //' "/proc/$1/stat" | awk -v hertz="$hertz" '{ print ($12 + $13) / hertz }'; }

load() { # path, seconds: prints how many requests were answered
    local out
    out=$(wrk -t 2 -c "$connections" -d "$2s" -H "Authorization: Bearer $token" "http://127.0.0.1:$port$1")
    ! grep -qE 'Non-2xx|Socket errors' <<<"$out" || fail "$1: $(grep -E 'Non-2xx|Socket errors' <<<"$out")"
    awk '/requests in/ { print $1 }' <<<"$out"
}
each() { # processor time before, after, count: microseconds for one
    awk -v before="$1" -v after="$2" -v count="$3" 'BEGIN { printf "%.2f\n", (after - before) / count * 1e6 }'
}
route() { # path
    local before count
    before=$(spent "$server")
    count=$(load "$1" "$seconds")
    each "$before" "$(spent "$server")" "$count"
}
verification() {
    local before
    before=$(spent "$alone")
    echo "$verifications" >&"$counts"
    read -r _ <&"$answers"
    each "$before" "$(spent "$alone")" "$verifications"
}
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

for path in /health /hello; do load $path 2 >"$work/warm"; done
echo "| Processor time, µs         | plain route | RS256 verified | verification alone |"
echo "|----------------------------|------------:|---------------:|-------------------:|"
for run in $(seq 1 "$runs"); do
    plain=$(route /health)
    verified=$(route /hello)
    bare=$(verification)
    echo "$plain" >>"$work/plain"
    echo "$verified" >>"$work/verified"
    echo "$bare" >>"$work/bare"
    printf '| run %-22s | %11s | %14s | %18s |\n' "$run" "$plain" "$verified" "$bare"
done
plain=$(median <"$work/plain") verified=$(median <"$work/verified") bare=$(median <"$work/bare")
printf '| %-26s | %11s | %14s | %18s |\n' median "$plain" "$verified" "$bare"
missed=0
awk -v plain="$plain" -v verified="$verified" -v bare="$bare" 'BEGIN {
    ratio = verified / (plain + bare)
    printf "ratio to plain route plus verification: %.3f (at most 1.15)\n", ratio
    exit (ratio > 1.15) }' || missed=1

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
sent=0 line=100000 warm=0
printf 'requests  resident (KiB)\n%8d  %d\n' 0 "$(resident)"
while [[ $sent -lt $requests ]]; do
    for path in /health /hello; do sent=$((sent + $(load $path 1))); done
    [[ $sent -ge $line || $sent -ge $requests ]] || continue
    now=$(resident) line=$((sent / 100000 * 100000 + 100000))
    printf '%8d  %d\n' "$sent" "$now"
    [[ $warm -ne 0 || $sent -lt $((requests / 5)) ]] || warm=$now
done
echo "memory: $((now - warm)) KiB between the warm-up and $sent requests"
[[ $now -le $((warm + 4096)) ]] || { echo "memory grew by more than 4096 KiB"; missed=1; }

python3 Scripts/slow.py "$port" || missed=1
exit "$missed"
