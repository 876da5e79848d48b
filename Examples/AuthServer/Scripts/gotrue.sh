#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Counts the lines of GoTrueServer, and starts it. The official Python client signs people up on it, before and after a
# restart (gotrue_client.py). So do the official clients of JavaScript and of Swift (gotrue_client.mjs,
# ServerLife.swift) where SIGNET_AUTH_JS names a module and SIGNET_SUPABASE_SWIFT a driver, as for
# AuthJSLifeTests and SupabaseSwiftLifeTests.
set -euo pipefail
module=${SIGNET_AUTH_JS:+$(realpath -- "$SIGNET_AUTH_JS")}
driver=${SIGNET_SUPABASE_SWIFT:+$(realpath -- "$SIGNET_SUPABASE_SWIFT")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

lines=$(grep -cv '^[[:space:]]*$' Sources/GoTrueServer/main.swift)
echo "GoTrueServer: $lines lines without blank ones, of 40"
[[ $lines -le 40 ]] || exit 1

python=$(cd ../.. && pwd)/.cache/interop-venv/bin/python3
if [[ ! -x $python ]]; then
    echo "gotrue.sh: the Python client is not here (Scripts/interop-venv.sh)" >&2
    [[ ${SIGNET_REQUIRE_INTEROP:-} != 1 ]] || exit 1
    exit 0
fi
[[ -n $module ]] || echo "gotrue.sh: auth-js is skipped: SIGNET_AUTH_JS names no module of it"
[[ -n $driver ]] || echo "gotrue.sh: supabase-swift is skipped: SIGNET_SUPABASE_SWIFT names no driver of it"

# With the same flags as make test-example, so that nothing is compiled twice.
flags=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
swift build "${flags[@]}" --product GoTrueServer
bin=$(swift build "${flags[@]}" --show-bin-path)
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=http://127.0.0.1:$port/auth/v1
key=sb_publishable_3kf9aJd0
start_gotrue() {
    local _
    DATA_FOLDER=$work ADDRESS=$server HTTP_PORT=$port PUBLISHABLE_KEY=$key \
        "$bin/GoTrueServer" >>"$work/server.log" 2>&1 &
    running[gotrue]=$!
    for _ in $(seq 1 600); do
        ! curl -s --fail -o "$work/health" "$server/health" || return 0
        kill -0 "${running[gotrue]}" 2>/dev/null || fail "GoTrueServer did not start"
        sleep 0.1
    done
    fail "GoTrueServer did not listen within a minute"
}

clients() { # again
    "$python" Scripts/gotrue_client.py "$server" "$key" "$work" "$@"
    [[ -z $module ]] || node Scripts/gotrue_client.mjs "$module" "$server" "$key" "$work" "$@"
    [[ -z $driver ]] || "$driver" "$server" "$key" "$work" "$@"
}

start_gotrue
clients
stop gotrue
start_gotrue
clients again
curl -sS -o "$work/preflight" -D "$work/fields" -X OPTIONS -H 'Origin: https://app.example' \
    -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: apikey,content-type' "$server/otp"
grep -qi '^access-control-allow-origin: \*' "$work/fields" || fail "a page of another origin is refused"
! grep -qE 'srt_|eyJ|ann@|bob@|correct horse' "$work/server.log" || fail "the log holds a token, an address or a password"
stop gotrue
echo "GoTrueServer: people stay over a restart, and SIGTERM ends it"
