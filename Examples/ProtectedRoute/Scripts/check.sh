#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Starts the example and, on loopback, an issuer, which is a folder of files. Then sends it good and
# bad tokens.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift build -debug-info-format none
example=$(swift build --show-bin-path)/protected-route
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

ask() { # what it is, the expected status, token
    local status
    status=$(curl -sS -o "$work/body" -w '%{http_code}' ${3:+-H "Authorization: Bearer $3"} \
        "http://127.0.0.1:$port/hello")
    [[ "$status $(cat "$work/body")" == "$2" ]] ||
        fail "$1: $status $(cat "$work/body"), expected $2"
    echo "protected-route: $1: $status"
}
refused='401 {"error":"Not authenticated"}'
ask "no token" "$refused" ""
ask "a good token" "200 Hello, ada" "$(token key https://api.example)"
ask "a token for another server" "$refused" "$(token key https://other.example)"
ask "a token of another key" "$refused" "$(token other https://api.example)"
! grep -q 'eyJ' "$work/log" || fail "the log holds a token"
