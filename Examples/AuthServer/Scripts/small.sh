#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Counts the lines of SmallServer, and starts it with a local issuer in Google's place. Authlib's client lives on it for 30
# days of the client's time (authlib_client.py). Users and keys stay over a restart, and SIGTERM ends it with status 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lines=$(grep -cv '^[[:space:]]*$' Sources/SmallServer/main.swift)
echo "SmallServer: $lines lines without blank ones, of 58"
[[ $lines -le 58 ]] || exit 1

python=$(cd ../.. && pwd)/.cache/interop-venv/bin/python3
if [[ ! -x $python ]]; then
    echo "small.sh: Authlib is not here (Scripts/interop-venv.sh)" >&2
    [[ ${SIGNET_REQUIRE_INTEROP:-} != 1 ]] || exit 1
    exit 0
fi

# With the same flags as make test-example, so that nothing is compiled twice.
flags=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
swift build "${flags[@]}" --product SmallServer
swift build "${flags[@]}" --product dev-issuer
bin=$(swift build "${flags[@]}" --show-bin-path)
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=http://127.0.0.1:$port
start_small() {
    local _
    DATA_FOLDER=$work ADDRESS=$server HTTP_PORT=$port ISSUER=$issuer CLIENT_ID=dev-client \
        "$bin/SmallServer" >>"$work/server.log" 2>&1 &
    running[small]=$!
    for _ in $(seq 1 600); do
        ! curl -s -o "$work/keys" "$server/.well-known/jwks.json" || return 0
        kill -0 "${running[small]}" 2>/dev/null || fail "SmallServer did not start"
        sleep 0.1
    done
    fail "SmallServer did not listen within a minute"
}
sign_in() { # leaves the access token in $access and the user's answer in $me
    local id_token body
    id_token=$(mint '{"person":{"sub":"1","email":"ada@company.example","email_verified":true,"name":"Ada Example"}}')
    body=$(curl -sS --fail --max-time 20 -H 'Content-Type: application/json' -d "{\"idToken\":\"$id_token\"}" "$server/sign-in")
    access=$(sed -nE 's/.*"access_token":"([^"]+)".*/\1/p' <<<"$body")
    me=$(curl -sS --fail --max-time 20 -H "Authorization: Bearer $access" "$server/api/me")
}
user() { grep -oE '"id":"[^"]+"' <<<"$me"; }

start_issuer --client-id dev-client
start_small
"$python" Scripts/authlib_client.py "$server" \
    "$(mint '{"person":{"sub":"1","email":"ada@company.example","email_verified":true}}')"

sign_in
first=$(user)
kept=$access
stop small
start_small
[[ $(curl -sS -o "$work/body" -w '%{http_code}' -H "Authorization: Bearer $kept" "$server/api/me") == 200 ]] ||
    fail "a token of before the restart is refused"
sign_in
[[ $(user) == "$first" ]] || fail "the person is another user after the restart"
curl -sS --fail --max-time 20 -X POST -H "Authorization: Bearer $access" "$server/oauth/sign-out?scope=all"
for token in "$access" "$kept"; do
    [[ $(curl -sS -o "$work/body" -w '%{http_code}' -H "Authorization: Bearer $token" "$server/api/me") == 401 ]] ||
        fail "a token is good after the sign-out"
done
! grep -qE 'srt_|eyJ|ada@' "$work/server.log" || fail "the log holds a token or an address"
stop small
stop issuer
echo "SmallServer: users and keys stay over a restart, and SIGTERM ends it"
