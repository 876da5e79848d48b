#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Measures what a session costs the server, on SQLite. The plain route is the key set, which looks at no token. The visits' route verifies an
# ES256 token, looks up its session in the database and reads one table; GET /v1/auth/me does the same with account and profile. /health
# asks the database now and then. The access log is off for all routes (AUTH_LOG_LEVEL=warning). The slow clients come last.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source-path=SCRIPTDIR source=build-release.sh
source Scripts/build-release.sh
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh
need curl curl

start_issuer --client-id dev-client
start_server AUTH_LOG_LEVEL=warning
id_token=$(mint '{"person":{"sub":"110000000000000000001","email":"ada@company.example","email_verified":true}}')
token=$(curl -sS --fail -H 'Content-Type: application/json' -d "{\"idToken\":\"$id_token\"}" "$server/api/auth/mobile/google" |
    sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p')
process=${running[server]} port=${server##*:}
# shellcheck source-path=SCRIPTDIR source=../../Scripts/load.sh
source ../Scripts/load.sh

routes=(/.well-known/jwks.json /health /api/visits /v1/auth/me)
for path in "${routes[@]}"; do load "$path" 1 >"$work/warm"; done
table "Processor time, µs" route "${routes[@]}"
slow_clients
stop server
exit "$missed"
