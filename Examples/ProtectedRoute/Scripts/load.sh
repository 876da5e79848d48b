#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Measures what a verified token costs a server. GET /health is the plain route; GET /hello is the same, but verifies an RS256 access token.
# Both use connections that stay open, and the same header. verification-alone verifies that token without a server. The median of the route
# with the token may be 1.15 × (plain route + verification). All requests carry the same token: nothing caches the outcome of a verification,
# so each request verifies a signature.
#
# Then it measures memory, which may grow by 4 MiB, over both routes in turns. The slow clients come last.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ -n ${SKIP_BUILD:-} ]] || swift build -c release -debug-info-format none
bin=$(swift build -c release --show-bin-path)
example=$bin/protected-route
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh
process=$server token=$(token key https://api.example 86400)
# shellcheck source-path=SCRIPTDIR source=../../Scripts/load.sh
source ../Scripts/load.sh

verifications=${VERIFICATIONS:-40000}
mkfifo "$work/counts" "$work/answers"
"$bin/verification-alone" "$issuer" https://api.example "$token" <"$work/counts" >"$work/answers" &
alone=$!
exec {counts}>"$work/counts" {answers}<"$work/answers"

# shellcheck disable=SC2317,SC2329  # called by table and memory
measure() { # column
    local before
    [[ $1 == alone ]] || { route "$1"; return; }
    before=$(spent "$alone")
    echo "$verifications" >&"$counts"
    read -r _ <&"$answers"
    each "$before" "$(spent "$alone")" "$verifications"
}
# shellcheck disable=SC2317,SC2329
both() {
    local plain verified
    plain=$(load /health 1) verified=$(load /hello 1)
    echo $((plain + verified))
}

both >"$work/warm"
table "Processor time, µs" measure /health /hello alone
awk -v plain="$(median /health)" -v verified="$(median /hello)" -v alone="$(median alone)" 'BEGIN {
    ratio = verified / (plain + alone)
    printf "ratio to plain route plus verification: %.3f (at most 1.15)\n", ratio
    exit (ratio > 1.15) }' || missed=1
memory 4096 both
slow_clients
exit "$missed"
