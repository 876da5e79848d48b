#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Shows the main tasks on real input, with the commands that a user has: verifies and refuses tokens, seals a file, keeps
# a token, signs a person in, runs the published vectors. Fails if an answer is not the expected one.
#
#   demo.sh [SIGNET]    the program; without it the one on the PATH
set -euo pipefail

signet=${1:-signet}
demo=$(cd "$(dirname "${BASH_SOURCE[0]}")/demo" && pwd)
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$demo/token" "$demo/jwks.json" .
export SIGNET_VAULT=$work/demo.signet

title() { printf '\n== %s\n' "$1"; }

expect() { # STATUS INPUT, then signet's arguments: fails if it ends with another status
    local wanted=$1 input=$2 status=0
    shift 2
    printf '\n$ signet'
    printf ' %q' "$@"
    [[ $input == /dev/null ]] || printf ' < %s' "$input"
    printf '\n'
    "$signet" "$@" <"$input" 2>&1 || status=$?
    [[ $status -eq $wanted ]] && return
    echo "demo: status $status instead of $wanted, which must never happen" >&2
    exit 1
}

flip() { # FILE OFFSET: a copy with the lowest bit of one byte changed, FILE.changed
    local byte
    cp "$1" "$1.changed"
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((byte ^ 1)))" |
        dd of="$1.changed" bs=1 seek="$2" conv=notrunc status=none
}

"$signet" --version

title "A token that PyJWT minted, verified with its issuer's key set"
policy=(--key jwks.json --issuer https://idp.example)
during=1790000060
expect 0 token jwt verify "${policy[@]}" --audience shop-api --at $during
echo "-- with one bit of its claims changed:"
flip token 100
expect 1 token.changed jwt verify "${policy[@]}" --audience shop-api --at $during
echo "-- an hour after it expired:"
expect 1 token jwt verify "${policy[@]}" --audience shop-api --at 1790007200
echo "-- at a service that it was not made for:"
expect 1 token jwt verify "${policy[@]}" --audience another-api --at $during

title "A new key pair and a token of our own"
expect 0 /dev/null jwk generate --algorithm ES256 --output key.json
"$signet" jwk public --key key.json >public.json
echo '{"iss":"https://shop.example","aud":"shop","sub":"user-1093"}' >claims.json
expect 0 claims.json jwt sign --key key.json --lifetime 3600 | tee signed
tail -n 1 signed >our-token
expect 0 our-token jwt verify --key public.json --issuer https://shop.example --audience shop

title "A secret, sealed"
echo "database password: correct horse battery staple" >notes
expect 0 /dev/null seal --new-key seal.key --input notes --output notes.sealed
expect 0 /dev/null open --key-file seal.key --input notes.sealed
echo "-- with one bit changed:"
flip notes.sealed 120
expect 1 /dev/null open --key-file seal.key --input notes.sealed.changed

title "A token, kept in a vault"
echo "correct horse battery staple" >passphrase
echo "correct horse battery stable" >another
item=(--service api.example --account jane --passphrase-file)
expect 0 /dev/null vault init --new-passphrase-file passphrase
expect 0 token vault set "${item[@]}" passphrase
echo "-- with another passphrase:"
expect 1 /dev/null vault get "${item[@]}" another
echo "-- with the right one:"
expect 0 /dev/null vault get "${item[@]}" passphrase
echo "-- that of another person, which is absent, and the vault proves it:"
expect 1 /dev/null vault get --service api.example --account john --passphrase-file passphrase
expect 0 /dev/null vault verify --passphrase-file passphrase
echo "-- with one bit of the file changed:"
# SQLite fills pages from their ends, and the seventh page holds the values, so this is ciphertext.
flip demo.signet $((7 * 4096 - 1))
expect 1 /dev/null vault verify --vault demo.signet.changed --read lazy --passphrase-file passphrase

title "Signed in at a provider, and kept so: access tokens of 2 s"
if command -v python3 >/dev/null; then
    # Uses a provider, a browser and a home folder of its own.
    coproc provider { exec python3 -B -u "$demo/issuer.py" "$(command -v "$signet")" "$work" 2; }
    read -r issuer <&"${provider[0]}"
    issuer=${issuer//\"/}
    export HOME=$work XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state DISPLAY=:0
    unset SSH_CONNECTION SSH_CLIENT SSH_TTY
    PATH=$demo/bin:$PATH
    expect 0 /dev/null login --issuer "$issuer" --client-id demo --without-keyring
    expect 0 /dev/null whoami
    expect 0 /dev/null token
    sleep 3
    echo "-- three seconds later, without another login:"
    expect 0 /dev/null token
    expect 0 /dev/null logout
    expect 4 /dev/null token
else
    echo "python3 is not here, which the provider of this part runs on."
fi

title "The published test vectors on this machine"
printf '\n$ signet audit | tail -n 7\n'
"$signet" audit >audit.txt
tail -n 7 audit.txt
echo "The whole report, with what it was made from: signet audit --html audit.html"
