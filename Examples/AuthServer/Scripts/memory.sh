#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Does the server's memory grow? A million requests (REQUESTS) of all kinds, good and refused, in turns. Memory
# may grow by 8 MiB after the warm-up.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source-path=SCRIPTDIR source=build-release.sh
source Scripts/build-release.sh
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh
need curl curl

start_issuer --client-id dev-client
start_server AUTH_LOG_LEVEL=error
id_token=$(mint '{"person":{"sub":"110000000000000000001","email":"ada@company.example","email_verified":true},"lifetime":86400}')
expired=$(mint '{"person":{"sub":"110000000000000000001"},"claims":{"iat":1700000000,"exp":1700003600}}')
token=$(curl -sS --fail -H 'Content-Type: application/json' -d "{\"idToken\":\"$id_token\"}" "$server/api/auth/mobile/google" |
    sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p')
process=${running[server]} port=${server##*:}
# shellcheck source-path=SCRIPTDIR source=../../Scripts/load.sh
source ../Scripts/load.sh
export ID_TOKEN=$id_token EXPIRED_TOKEN=$expired SESSION_TOKEN=$token

cat >"$work/mixture.lua" <<'LUA'
local json = { ["Content-Type"] = "application/json" }
local function sign_in(token) return wrk.format("POST", "/api/auth/mobile/google", json, '{"idToken":"' .. token .. '"}') end
local session = { ["Authorization"] = "Bearer " .. os.getenv("SESSION_TOKEN") }
local wrong = { ["Authorization"] = "Bearer " .. os.getenv("SESSION_TOKEN") .. "x" }
local all, turn = {}, 0
function init()
    local me = wrk.format("GET", "/v1/auth/me", session)
    all = {
        me, wrk.format("GET", "/v1/auth/me", wrong), me, wrk.format("GET", "/v1/auth/me"), me,
        wrk.format("POST", "/api/auth/mobile/google", json, "{"), me, sign_in(os.getenv("EXPIRED_TOKEN")), me,
        wrk.format("GET", "/.well-known/jwks.json"), me, wrk.format("GET", "/nothing"), me, wrk.format("GET", "/api/visits", session),
        me, sign_in("hello"), me, sign_in(os.getenv("EXPIRED_TOKEN")), me, wrk.format("GET", "/health"),
    }
end
function request()
    turn = turn + 1
    -- Signing in writes to the disk: now and then.
    if turn % 1000 == 0 then return sign_in(os.getenv("ID_TOKEN")) end
    return all[turn % #all + 1]
end
LUA

memory 8192 load / 10 "$work/mixture.lua"
curl -sS --fail -o /dev/null -H "Authorization: Bearer $token" "$server/v1/auth/me" || fail "the server no longer answers"
stop server
exit "$missed"
