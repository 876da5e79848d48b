#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Installs each package of .build/dist in a fresh root of its Debian, uses it as a person who is not
# root, and removes it: nothing of it may be left. SIGNET_DEBIAN=13 takes that system's alone. It
# prints how many seconds a person needs for all of it, without apt's download.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck disable=SC2016 # what the shell inside expands
readonly check='
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    files() { find / -xdev -path "$PWD" -prune -o \( -type f -o -type l \) -print | grep -i signet | grep -v ^/etc/signet-complete | sort || true; }
    before=$(files)
    apt-get install -y -qq man-db >/dev/null 2>&1
    apt-get install -y -qq --download-only "./$PACKAGE" >/dev/null 2>&1
    SECONDS=0
    apt-get install -y -qq "./$PACKAGE" >/dev/null 2>&1
    useradd --create-home person
    as_person() { (cd /home/person && su person -c "$1"); }
    echo "$NAME: $(as_person "signet --version"), $(du -sk --apparent-size /usr/bin/signet | cut -f 1) KiB, $(dpkg-query --show --showformat="\${Installed-Size} KiB installed" signet)"
    as_person "signet audit" >/tmp/audit || { tail -n 5 /tmp/audit; exit 1; }
    echo "$NAME: audit: $(tail -n 7 /tmp/audit)"
    as_person "
        set -e
        signet jwk generate --output key.json --public jwks.json
        signet jwt sign --key key.json --iss https://idp.example --aud api --sub u1 --exp 5m >token
        signet jwt verify --key jwks.json --iss https://idp.example --aud api <token >/dev/null
        echo text >notes.txt
        signet seal --new-key seal.key --input notes.txt --output notes.sealed
        signet open --key-file seal.key --input notes.sealed | cmp - notes.txt
        signet vault init --new-key-file vault.key
        printf %s s3cret | signet vault set api/token --key-file vault.key
        signet run --key-file vault.key --env TOKEN=api/token -- printenv TOKEN | grep -qx s3cret"
    echo "$NAME: a token and a sealed file, there and back, and a secret in a program; $SECONDS s since the download"
    dpkg --verify signet
    bash -n /usr/share/bash-completion/completions/signet
    as_person "man signet-jwt-sign" | grep -c "signet jwt sign" >/dev/null
    echo "$NAME: the manual has $(ls /usr/share/man/man1/signet*.1.gz | wc -l) pages"
    userdel --remove person 2>/dev/null
    apt-get purge -y -qq signet >/dev/null
    left=$(diff <(echo "$before") <(files) | grep -v "^[<>] /\(var/log\|var/cache\|tmp\)/" | grep "^[<>] /" || true)
    [[ -z $left ]] || { echo "$NAME: left behind: $left" >&2; exit 1; }
    echo "$NAME: removed, and nothing is left"'

found=
for package in .build/dist/*.deb; do
    [[ $package =~ ~deb([0-9]+)_ ]] || { echo "test-deb: make deb comes first" >&2; exit 1; }
    [[ " ${SIGNET_DEBIAN:-${BASH_REMATCH[1]}} " == *" ${BASH_REMATCH[1]} "* ]] || continue
    found=yes
    Scripts/debian.sh "${BASH_REMATCH[1]}" --fresh "NAME=debian${BASH_REMATCH[1]} PACKAGE=$package; $check"
done
[[ -n $found ]] || { echo "test-deb: .build/dist has no package of this system" >&2; exit 1; }
