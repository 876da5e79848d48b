#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Sends a million malformed requests (REQUESTS, SEED): broken HTTP, JSON, tokens, headers, methods. None may be answered with success or with
# 500, database and vault must be the same afterwards, and the server must answer a good request as before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source-path=SCRIPTDIR source=build-release.sh
source Scripts/build-release.sh
# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh
need python3 python3
need curl curl

requests=${REQUESTS:-1000000}
seed=${SEED:-1}
start_issuer --client-id dev-client
start_server AUTH_LOG_LEVEL=error
good_token() { mint '{"person":{"sub":"110000000000000000001","email":"ada@company.example","email_verified":true},"lifetime":86400}'; }
sign_in() {
    curl -sS --fail -H 'Content-Type: application/json' -d "{\"idToken\":\"$1\"}" "$server/api/auth/mobile/google" |
        sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p'
}
id_token=$(good_token)
expired=$(mint '{"person":{"sub":"110000000000000000001"},"claims":{"iat":1700000000,"exp":1700003600}}')
session=$(sign_in "$id_token")
curl -sS --fail -o /dev/null -H "Authorization: Bearer $session" -H 'Content-Type: application/json' -d '{"place":"London"}' "$server/api/visits"

# A digest of everything in the database and the vault, whichever of SQLite's files holds it.
state() {
    python3 - "$AUTH_DATABASE" "$AUTH_VAULT" <<'PYTHON'
import hashlib, sqlite3, sys
for path in sys.argv[1:]:
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    digest = hashlib.sha256()
    for line in database.iterdump():
        # Refused requests also count towards the limits.
        if "signet_limits" in line:
            continue
        digest.update(line.encode("utf-8", "surrogateescape") + b"\n")
    print(digest.hexdigest())
PYTHON
}

before=$(state)
echo "fuzz: $requests malformed requests, seed $seed"
ID_TOKEN=$id_token EXPIRED_TOKEN=$expired SESSION_TOKEN=$session \
    python3 Scripts/fuzz.py --port "${server##*:}" --requests "$requests" --seed "$seed" --processes "$cores"
kill -0 "${running[server]}" || fail "the server is gone"
after=$(state)
[[ $before == "$after" ]] || fail "database or vault changed"
errors=$(grep ' error auth-server' "$work/server.log" | grep -v code=keyHeldBack || true)
[[ -z $errors ]] || fail "errors in the log: ${errors%%$'\n'*}"
[[ -n $(sign_in "$(good_token)") ]] || fail "no one can sign in any more"
curl -sS --fail -o /dev/null -H "Authorization: Bearer $session" "$server/v1/auth/me" || fail "the session from before does not open any more"
stop server
echo "fuzz: database and vault are unchanged, and the server serves"
