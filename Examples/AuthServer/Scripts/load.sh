#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# What a token costs: wrk on loopback, 2 connections a core, against a route without a token, one that verifies a token, looks at its
# session and reads one table, and GET /v1/auth/me. SECONDS_EACH=30 is how long each is measured.
#
# wrk and the server share the machine's cores, so that the figures are the machine's, not the server's alone. The access log is off
# (AUTH_LOG_LEVEL=warning) for all routes alike.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source-path=SCRIPTDIR source=build-release.sh
source Scripts/build-release.sh
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh
need wrk wrk
need curl curl

seconds=${SECONDS_EACH:-30}
start_issuer --client-id dev-client
start_server AUTH_LOG_LEVEL=warning
id_token=$(mint '{"person":{"sub":"110000000000000000001","email":"ada@company.example","email_verified":true}}')
token=$(curl -sS --fail -H 'Content-Type: application/json' -d "{\"idToken\":\"$id_token\"}" "$server/api/auth/mobile/google" |
    sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p')

measure() { # title, path
    local out
    curl -sS --fail -o /dev/null -H "Authorization: Bearer $token" "$server$2" || fail "$2 does not answer"
    wrk -t "$cores" -c $((2 * cores)) -d 3s -H "Authorization: Bearer $token" "$server$2" >/dev/null
    out=$(wrk -t "$cores" -c $((2 * cores)) -d "${seconds}s" --latency -H "Authorization: Bearer $token" "$server$2")
    ! grep -qE 'Non-2xx|Socket errors' <<<"$out" || fail "$2: $(grep -E 'Non-2xx|Socket errors' <<<"$out")"
    awk -v title="$1" '/Requests\/sec/ { rate = $2 } $1 == "50%" { half = $2 } $1 == "99%" { most = $2 }
        END { printf "| %-46s | %10.0f | %8s | %8s |\n", title, rate, half, most }' <<<"$out"
}

echo "$cores cores, $((2 * cores)) connections, $seconds s each, $(wrk -v 2>&1 | head -n 1 | cut -d ' ' -f 1,2)"
echo "| Route                                          | requests/s |      p50 |      p99 |"
echo "|------------------------------------------------|-----------:|---------:|---------:|"
measure "the key set: no token looked at" /.well-known/jwks.json
measure "visits: token, session and one query (SQLite)" /api/visits
measure "GET /v1/auth/me: session and profile" /v1/auth/me
stop server
