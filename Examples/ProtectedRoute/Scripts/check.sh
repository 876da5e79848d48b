#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Starts the example beside an issuer on loopback, which is a folder of files, and asks it with good
# and bad tokens.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift build -debug-info-format none
example=$(swift build --show-bin-path)/protected-route
# shellcheck disable=SC2046  # several flags
(cd ../.. && swift build $(Scripts/bootstrap.sh --flags) --product signet)
signet=$(cd ../.. && swift build --show-bin-path)/signet

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
fail() {
    echo "protected-route: $1" >&2
    exit 1
}

mkdir -p "$work/site/.well-known"
python3 -u -m http.server --bind 127.0.0.1 --directory "$work/site" 0 >"$work/issuer" 2>&1 &
for _ in $(seq 1 300); do
    grep -q ' port ' "$work/issuer" && break
    sleep 0.1
done
issuer=http://127.0.0.1:$(sed -nE 's/.* port ([0-9]+).*/\1/p' "$work/issuer" | head -n 1)
cat >"$work/site/.well-known/openid-configuration" <<JSON
{"issuer":"$issuer","jwks_uri":"$issuer/keys"}
JSON
"$signet" jwk generate --algorithm RS256 --output "$work/key.json"
"$signet" jwk generate --algorithm RS256 --output "$work/other.json"
"$signet" jwk public --key "$work/key.json" >"$work/site/keys"

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
ISSUER=$issuer AUDIENCE=https://api.example HTTP_PORT=$port "$example" >"$work/log" 2>&1 &
for _ in $(seq 1 300); do
    curl -s -o "$work/none" "http://127.0.0.1:$port/" && break
    sleep 0.1
done

token() { # key, audience
    printf '{"iss":"%s","aud":"%s","sub":"ada","client_id":"c","jti":"1"}' "$issuer" "$2" |
        "$signet" jwt sign --key "$work/$1.json" --type at+jwt --lifetime 60
}
ask() { # what it is, expected, token
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
