# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the other scripts here, which source it: starts the example and, on loopback, an issuer, which is a folder of files, on free ports, and
# ends both whatever happens. It sets $work, $issuer, $port and $server (a process), and defines fail and token.

: "${example:?the program}"
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
# shellcheck disable=SC2034  # for scripts that source this
server=$!
for _ in $(seq 1 300); do
    curl -s -o "$work/none" "http://127.0.0.1:$port/" && break
    sleep 0.1
done

token() { # key, audience, lifetime in seconds
    printf '{"iss":"%s","aud":"%s","sub":"ada","client_id":"c","jti":"1"}' "$issuer" "$2" |
        "$signet" jwt sign --key "$work/$1.json" --type at+jwt --lifetime "${3:-60}"
}
