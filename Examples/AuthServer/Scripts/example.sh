#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Walks through the example server with curl: signing in, using a session, refusals, rotations, deleting an account.
# It needs no account anywhere: a local issuer takes Google's place. It compares each status and body; a difference ends it with status 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v curl >/dev/null || { echo "example.sh: curl is needed (package curl)" >&2; exit 3; }

work_log=$(mktemp)
build() { # what is built, the command: shows the command's output only if it fails
    echo "Building $1 ..."
    "${@:2}" >"$work_log" 2>&1 || { cat "$work_log" >&2; exit 1; }
}
# Builds with the same flags as make test-example, so that nothing is compiled twice.
flags=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
build auth-server swift build "${flags[@]}" --product auth-server
build dev-issuer swift build "${flags[@]}" --product dev-issuer
bin=$(swift build "${flags[@]}" --show-bin-path)
read -r -a root_flags <<<"$(../../Scripts/bootstrap.sh --flags)"
build signet swift build --package-path ../.. "${root_flags[@]}" --product signet
rm -f "$work_log"
signet=$(cd ../.. && swift build --show-bin-path)/signet

# shellcheck source-path=SCRIPTDIR source=servers.sh
source Scripts/servers.sh

step() { printf '\n\033[1m%s\033[0m\n' "$1"; }

# One exchange: method, path, the expected status, then curl's own arguments. Leaves the body in $body, the head in $work/head.
exchange() {
    local method=$1 path=$2 expected=$3 status
    shift 3
    status=$(curl -sS --max-time 20 -o "$work/body" -D "$work/head" -w '%{http_code}' -X "$method" "$@" "$server$path")
    body=$(cat "$work/body")
    # Tokens are secrets, even in the terminal of a demonstration.
    printf '  %-6s %-28s %s %s\n' "$method" "$path" "$status" "$(sed -E 's/[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|srt_[A-Za-z0-9_-]+/(a token)/g' <<<"$body" | cut -c 1-200)"
    [[ $status == "$expected" ]] || fail "$method $path answered $status, expected $expected"
}

expect_body() {
    [[ $body == "$1" ]] || fail "the body is not the expected one: $1"
}

expect_in_body() {
    [[ $body == *"$1"* ]] || fail "the body does not hold: $1"
}

expect_header() {
    grep -qi "^$1" "$work/head" || fail "the answer has no header: $1"
}

sign_in() { # ID token, expected status
    exchange POST /api/auth/mobile/google "$2" -H 'Content-Type: application/json' -d "{\"idToken\":\"$1\"}"
}

refused() { # what it is, ID token
    sign_in "$2" 401
    expect_body '{"error":"Invalid ID token"}'
    echo "         ^ $1: $(grep 'request refused' "$work/server.log" | tail -n 1 | grep -oE ' code=[A-Za-z.]+') in the log, the same answer for all"
}

# The session token in the last body.
session_token() { sed -nE 's/.*"sessionToken":"([^"]+)".*/\1/p' <<<"$body"; }

# The key identifiers in the last body.
key_ids() { grep -oE '"kid":"[^"]+"' <<<"$body" | wc -l; }

ada='"sub":"110000000000000000001","email":"ada@company.example","email_verified":true,"name":"Ada Example","given_name":"Ada"'

start_issuer --client-id dev-client --client-id dev-client-web --client-id signet \
    --redirect-uri http://127.0.0.1/callback --token-lifetime 2
start_server AUTH_ALLOWED_DOMAINS="company.example, *.partner.example"
echo "The issuer: $issuer   the server: $server"

step "Signing in"
id_token=$(mint "{\"person\":{$ada}}")
sign_in "$id_token" 200
token=$(session_token)
expect_in_body '"success":true'
expect_in_body '"user":{"email":"ada@company.example","id":"110000000000000000001","image":null,"name":"Ada Example"}'
expect_in_body '"expiresIn":2592000'

step "What the session opens"
exchange GET /v1/auth/me 200 -H "Authorization: Bearer $token"
expect_in_body '{"profile":{"favorite_teams":[],"first_name":"Ada"},"user":{"created_at":'
expect_in_body '"email":"ada@company.example","email_verified":true,"full_name":"Ada Example"'
exchange PATCH /v1/auth/me 200 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"username":"ada.example"}'
expect_in_body '"username":"ada.example"'
exchange GET /v1/auth/usernames/ADA.example 200 -H "Authorization: Bearer $token"
expect_body '{"free":false}'
exchange POST /api/visits 201 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"place":"London"}'
exchange GET /api/visits 200 -H "Authorization: Bearer $token"
expect_in_body '"place":"London"'
exchange GET /api/visits 401
expect_header 'www-authenticate: Bearer'
exchange GET /api/visits 401 -H "Authorization: Bearer ${token}x"
exchange GET /api/visits 400 -H "Authorization: Bearer two tokens"

step "Requests without a token in them"
for bad in '{}' '{"idToken":null}' '{"idToken":""}' '{"idToken":7}' 'no JSON'; do
    exchange POST /api/auth/mobile/google 400 -H 'Content-Type: application/json' -d "$bad"
    expect_body '{"error":"Missing idToken"}'
done
exchange POST /api/auth/mobile/google 415 -H 'Content-Type: text/plain' -d "{\"idToken\":\"$id_token\"}"
head -c 40000 /dev/zero | tr '\0' a >"$work/long"
exchange POST /api/auth/mobile/google 413 -H 'Content-Type: application/json' --data-binary "@$work/long"

step "ID tokens that are refused"
IFS=. read -r header payload signature <<<"$id_token"
refused "expired" "$(mint "{\"person\":{$ada},\"claims\":{\"iat\":1700000000,\"exp\":1700003600}}")"
refused "for another application" "$(mint "{\"person\":{$ada},\"audience\":\"somebody-else\"}")"
refused "of another issuer" "$(mint "{\"person\":{$ada},\"claims\":{\"iss\":\"https://accounts.google.com\"}}")"
refused "signed by an impostor" "$(mint "{\"person\":{$ada},\"key\":\"impostor\"}")"
refused "of an unknown key" "$(mint "{\"person\":{$ada},\"key\":\"unpublished\"}")"
refused "without a signature" "$(printf '{"alg":"none"}' | base64 -w0 | tr -d = | tr '+/' '-_').$payload."
sleep 1.2 # the cooldown for keys that may have been replaced, of which the impostor's token was one; until then 503
refused "with another's signature" "$header.$payload.AAAAAAAA${signature:8}"
refused "no token" "hello"

step "Whose organisation may not sign in"
for address in ada@gmail.com ada@company.example.evil.example ada@sub.company.example; do
    sign_in "$(mint "{\"person\":{\"sub\":\"1\",\"email\":\"$address\",\"email_verified\":true}}")" 403
    expect_body '{"error":"Account not allowed"}'
done
sign_in "$(mint '{"person":{"sub":"2","email":"eve@company.example","email_verified":false}}')" 403
sign_in "$(mint '{"person":{"sub":"3","email":"bob@mail.partner.example","email_verified":true}}')" 200

step "The command line signs in at the issuer: a browser, then a code on another device"
native() { # signet's arguments: runs it in a home of its own, with curl as the browser
    HOME=$work/home XDG_DATA_HOME='' XDG_STATE_HOME='' DISPLAY=:0 SSH_CONNECTION='' SSH_CLIENT='' \
        SSH_TTY='' PATH=$work/browser:$PATH "$signet" "$@"
}
mkdir -m 700 "$work/home" "$work/browser"
# shellcheck disable=SC2016  # the script's own argument
printf '#!/bin/sh\nexec curl -sSL --max-time 20 -o /dev/null "$1"\n' >"$work/browser/xdg-open"
chmod 700 "$work/browser/xdg-open"
native login --without-keyring --issuer "$issuer" --client-id signet 2>/dev/null | sed 's/^/  /'
native whoami | sed 's/^/  /'
first=$(native token)
sleep 3
[[ -n $first && $(native token) != "$first" ]] || fail "the token was not exchanged"
echo "  a token, and after 3 s another one, without a second login"
native login --account tv --device --issuer "$issuer" --client-id signet 2>"$work/device" &
login=$!
until grep -q 'enter the code' "$work/device"; do sleep 0.1; done
sed 's/^/  /' "$work/device"
code=$(sed -n 's/.*enter the code //p' "$work/device")
curl -sS --fail "$issuer/device?user_code=$code" >/dev/null
wait "$login" || fail "the device was not signed in"
native account list | sed 's/^/  /'
native logout
status=0
native token 2>/dev/null || status=$?
[[ $status == 4 ]] || fail "a token after the sign-out: status $status"

step "The issuer changes its key, and withdraws the one before"
curl -sS --fail -X POST -H 'Content-Type: application/json' "$issuer/dev/rotate-keys?forget=1" >/dev/null
sleep 1.2 # the cooldown for unknown keys, which is 1 s for an issuer on this machine
sign_in "$(mint "{\"person\":{$ada}}")" 200
refused "of the withdrawn key" "$id_token"

step "An app that refreshes, and signs out"
exchange POST /v1/auth/id-token 200 -H 'Content-Type: application/json' -d "{\"idToken\":\"$(mint "{\"person\":{$ada}}")\"}"
refresh=$(sed -nE 's/.*"refresh_token":"([^"]+)".*/\1/p' <<<"$body")
exchange POST /v1/auth/refresh 200 -H 'Content-Type: application/json' -d "{\"refresh_token\":\"$refresh\"}"
second=$(sed -nE 's/.*"access_token":"([^"]+)".*/\1/p' <<<"$body")
exchange GET /v1/auth/sessions 200 -H "Authorization: Bearer $second"
exchange POST /v1/auth/sign-out 204 -H "Authorization: Bearer $second"
exchange GET /v1/auth/me 401 -H "Authorization: Bearer $second"
exchange GET /.well-known/jwks.json 200
expect_header 'cache-control: public, max-age=300'
[[ $(key_ids) == 1 ]] || fail "one key is expected"

step "The server stops and starts again: the session goes on"
stop server
website=https://www.company.example
website_secret=$(head -c 33 /dev/urandom | base64)
start_server AUTH_CODES_FILE="$work/codes" AUTH_WEBSITE="$website" AUTH_SECRET="$website_secret"
exchange GET /v1/auth/me 200 -H "Authorization: Bearer $token"

step "A visitor of the website: its cookie of Auth.js next to a bearer token"
jose=/usr/share/nodejs/jose
web=
if command -v node >/dev/null && [[ -e $jose/package.json ]]; then
    # What the website's callback does at a sign-in, with the claims that Auth.js has by then.
    claims=$(AUTH_SERVER=$server node --input-type=module -e '
        const { userOf } = await import(process.argv[1])
        const token = { sub: crypto.randomUUID(), email: "ada@company.example" }
        token.authServerUser = await userOf(process.argv[2])
        console.log(JSON.stringify(token))' "$PWD/Website/auth-server.mjs" "$(mint "{\"person\":{$ada}}")")
    # Ending the session that asked may fail: that is logged, and the person is signed in all the same.
    for fault in 503 "no answer"; do
        user=$(AUTH_SERVER=$server node --input-type=module -e '
            const [path, idToken, fault] = process.argv.slice(1)
            const send = globalThis.fetch
            globalThis.fetch = async (url, request) => {
                if (!url.endsWith("/sign-out")) return send(url, request)
                if (fault === "503") return new Response(null, { status: 503 })
                throw new TypeError("fetch failed")
            }
            const { userOf } = await import(path)
            console.log(await userOf(idToken))' "$PWD/Website/auth-server.mjs" "$(mint "{\"person\":{$ada}}")" "$fault" 2>"$work/website.log")
        [[ $claims == *"\"authServerUser\":\"$user\""* ]] || fail "the session was not ended ($fault), and the user is $user"
        printf '  userOf, the session not ended (%s): the same user; %s\n' "$fault" "$(cat "$work/website.log")"
        [[ $(cat "$work/website.log") == "auth-server: the session was not ended: "* ]] || fail "$fault at the end of a session is not logged"
    done
    web=$(printf '{"sessions":[{"isV5":true,"cookie":"__Secure-authjs.session-token","secrets":["%s"],"now":%d,"claims":%s}]}' \
        "$website_secret" "$(date +%s)" "$claims" |
        node ../../Tests/tokens/SignetIdentityTests/Interop/Scripts/encrypted.js "$jose" |
        sed -nE 's/.*"token":"([^"]+)".*/\1/p')
    cookie="Cookie: theme=dark; __Secure-authjs.session-token=$web"
    exchange GET /v1/auth/me 200 -H "Authorization: Bearer $token"
    by_token=$body
    exchange GET /v1/auth/me 200 -H "$cookie"
    expect_body "$by_token"
    exchange POST /api/visits 201 -H "$cookie" -H "Origin: $website" -H 'Content-Type: application/json' -d '{"place":"Paris"}'
    exchange GET /api/visits 200 -H "Authorization: Bearer $token"
    expect_in_body '"place":"Paris"'
    exchange POST /api/visits 403 -H "$cookie" -H 'Content-Type: application/json' -d '{"place":"Rome"}'
    exchange GET /v1/auth/me 400 -H "$cookie" -H "Authorization: Bearer $token"
    exchange GET /v1/auth/me 400 -H "Authorization: Bearer $web"
    exchange GET /v1/auth/me 401 -H "${cookie}x"
elif [[ ${SIGNET_REQUIRE_INTEROP:-} == 1 ]]; then
    fail "jose for Node is not here (packages nodejs, node-jose)"
else
    echo "  left out: jose for Node is not here (packages nodejs, node-jose)"
fi

step "A code by phone, which goes to a file here"
phone='"phone":"+14155551234"'
exchange POST /v1/auth/codes 202 -H 'Content-Type: application/json' -d "{$phone}"
challenge=$(sed -nE 's/.*("challenge":"[^"]+").*/\1/p' <<<"$body")
for _ in $(seq 1 100); do [[ -s $work/codes ]] && break; sleep 0.1; done
code=$(cut -f 3 "$work/codes")
exchange POST /v1/auth/codes/verify 400 -H 'Content-Type: application/json' -d "{$phone,\"code\":\"$code\"}"
exchange POST /v1/auth/codes/verify 400 -H 'Content-Type: application/json' -d "{$phone,$challenge,\"code\":\"12345\"}"
exchange POST /v1/auth/codes/verify 200 -H 'Content-Type: application/json' -A 'Pixel 9' -d "{$phone,$challenge,\"code\":\"$code\"}"
expect_in_body '"phone":"+14155551234"'
coded=$(sed -nE 's/.*"access_token":"([^"]+)".*/\1/p' <<<"$body")
exchange GET /v1/auth/sessions 200 -H "Authorization: Bearer $coded"
expect_in_body '"device":"Pixel 9"'

step "The issuer is away"
stop issuer
sign_in "$id_token" 503
exchange GET /v1/auth/me 200 -H "Authorization: Bearer $token"
exchange GET /health 200

step "The disk is full: 503, and all goes on by itself once there is room"
start_issuer --port "${issuer##*:}" --client-id dev-client --client-id dev-client-web
id_token=$(mint "{\"person\":{$ada}}")
fill_disk
sign_in "$id_token" 503
exchange PATCH /v1/auth/me 503 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"full_name":"Ada King"}'
sleep 1.1 # for that long /health repeats its last answer
exchange GET /health 503
exchange GET /v1/auth/me 200 -H "Authorization: Bearer $token"
empty_disk
sleep 1.1
exchange GET /health 200
sign_in "$id_token" 200
fresh=$(session_token)
stop issuer

step "The account is deleted, after a sign-in of just now: with it, every session"
exchange DELETE /v1/auth/me 204 -H "Authorization: Bearer $fresh"
for gone in "$token" "$second"; do
    exchange GET /v1/auth/me 401 -H "Authorization: Bearer $gone"
    expect_header 'www-authenticate: Bearer error="invalid_token"'
done
[[ -z $web ]] || exchange GET /v1/auth/me 401 -H "$cookie"
stop server

step "The files are their owner's alone"
for file in people.sqlite keys.vault vault.key; do
    printf '  %-14s %s\n' "$file" "$(stat -c %a "$work/$file")"
    [[ $(stat -c %a "$work/$file") == 600 ]] || fail "$file may be read by others"
done

step "What the log holds"
lines=$(wc -l <"$work/server.log")
for secret in ${web:+"${web##*.}"} "${token##*.}" "${second##*.}" "${id_token##*.}" "$payload" company.example Ada 110000000000000000001 London 14155551234 "code=$code" srt_; do
    ! grep -qF -- "$secret" "$work/server.log" || fail "the log holds: ${secret:0:20}"
done
echo "  $lines lines, and in none of them a token, an address, a name or a subject. The last but one:"
tail -n 2 "$work/server.log" | head -n 1 | sed 's/^/  /'

printf '\nexample: all answers as expected\n'
