#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Unpacks Debian's OpenID provider glewlwyd into .cache/glewlwyd, with those of its libraries that
# are not installed here. It does not install the package, because that would add a user, start a
# service and bring a database client. It never fails: without apt-get, or without the package, the
# tests are skipped, and say so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly folder=.cache/glewlwyd
# Written last, so that an interrupted download starts again.
readonly stamp=$folder/complete

skip() {
    rm -rf "$folder"
    echo "glewlwyd: $1; its sign-in tests will be skipped" >&2
    exit 0
}

# What apt-get would install, so that the versions fit: with the alternative that needs no database,
# and without the JavaScript of its pages.
packages() {
    echo glewlwyd
    apt-get install --simulate --no-install-recommends glewlwyd dbconfig-no-thanks 2>/dev/null |
        sed -nE 's/^Inst (lib[^ ]*) .*/\1/p' | grep -v '^libjs-' || true
}

download() {
    rm -rf "$folder"
    mkdir -p "$folder/packages"
    # shellcheck disable=SC2046 # names, one a line
    (cd "$folder/packages" && apt-get download -qq $(packages | sort -u) 2>/dev/null)
}

# A new machine has no lists of packages, and old lists name versions that no longer exist.
update() {
    [[ -z ${SIGNET_NO_INSTALL:-} ]] || return 1
    if [[ $(id -u) == 0 ]]; then
        apt-get update -qq
    else
        command -v sudo >/dev/null 2>&1 && sudo -n apt-get update -qq 2>/dev/null
    fi
}

[[ ! -e $stamp ]] || exit 0
command -v apt-get >/dev/null 2>&1 || skip "there is no apt-get"
echo "glewlwyd: unpacking into $folder"
download || { update && download; } || skip "apt-get could not download it"
for package in "$folder"/packages/*.deb; do
    dpkg-deb -x "$package" "$folder/root" || skip "its package could not be unpacked"
done
rm -r "$folder/packages"
touch "$stamp"
