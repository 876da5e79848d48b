#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Tries the sign-in server on PostgreSQL: two servers on one database, which is stopped and started again.
# It starts a PostgreSQL of its own in a temporary folder, and needs what example.sh has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
[[ -n $programs ]] || { echo "postgres.sh: PostgreSQL is needed (package postgresql)" >&2; exit 3; }
flags=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
bin=$(swift build "${flags[@]}" --show-bin-path)
[[ -x $bin/auth-server ]] || { echo "postgres.sh: run make example first" >&2; exit 3; }
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

# PostgreSQL refuses to run as root.
as_owner() { if [[ $(id -u) == 0 ]]; then runuser -u postgres -- "$@"; else "$@"; fi; }
data=$(as_owner mktemp -d)
postgres() {
    as_owner "$programs/pg_ctl" -D "$data/db" -w -l "$data/log" \
        -o "-k $data -c listen_addresses=''" "$@" >/dev/null
}
remove_data() { postgres -m immediate stop 2>/dev/null || true; rm -rf "$data"; }
trap 'status=$?; remove_data; (exit $status); finish' EXIT
as_owner "$programs/initdb" -D "$data/db" -A trust -U signet >/dev/null
postgres start
as_owner chmod 755 "$data"
export AUTH_DATABASE="postgresql:///postgres?host=$data&user=signet"

status_of() { # path, then curl's own arguments
    curl -sS --max-time 60 -o "$work/body" -w '%{http_code}' "${@:2}" "$server$1"
}
expect() { # status, what, status that came
    echo "  $2: $3"
    [[ $3 == "$1" ]] || fail "$2 answered $3, expected $1"
}
sign_in() {
    status_of /api/auth/mobile/google -H 'Content-Type: application/json' -d "{\"idToken\":\"$id_token\"}"
}

start_issuer --client-id dev-client
id_token=$(mint '{"person":{"sub":"1","email":"ada@company.example","email_verified":true}}')
start_server AUTH_LOG_LEVEL=info
expect 200 "a sign-in" "$(sign_in)"
bearer="Authorization: Bearer $(sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p' "$work/body")"
stop server
start_server AUTH_LOG_LEVEL=info
expect 200 "the session, at another server" "$(status_of /v1/auth/me -H "$bearer")"
postgres -m immediate stop
expect 503 "a sign-in without the database" "$(sign_in)"
expect 503 "the session without it" "$(status_of /v1/auth/me -H "$bearer")"
expect 503 "/health without it" "$(status_of /health)"
postgres start
for _ in $(seq 1 100); do [[ $(status_of /health) != 200 ]] || break; sleep 0.2; done
expect 200 "/health with it again" "$(status_of /health)"
expect 200 "a sign-in" "$(sign_in)"
expect 200 "the session" "$(status_of /v1/auth/me -H "$bearer")"
expect 204 "the account's end" "$(status_of /v1/auth/me -X DELETE -H "$bearer")"
expect 401 "the session after that" "$(status_of /v1/auth/me -H "$bearer")"
stop server
echo "postgres.sh: all answers as expected"
