#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the command line as on a machine without the headers of libsecret and libpq, and checks that
# it needs none of them and does not link GLib. It never links FoundationNetworking, because its
# transport uses libcurl.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A script of an earlier time may still name ICU: it is told, and builds.
said=$(SIGNET_WITHOUT=icu swift package dump-package 2>&1 >/dev/null)
[[ $said == *"SIGNET_WITHOUT=icu is no longer needed"* ]] || {
    echo "without-libraries: no message says that ICU is no longer needed: $said" >&2
    exit 1
}

headers=$(Scripts/headers-that-fail.sh libsecret/secret.h glib.h libpq-fe.h postgresql/libpq-fe.h)
trap 'rm -rf "$headers"' EXIT
export SIGNET_WITHOUT=libsecret,libpq
options=(--product signet --scratch-path .build/without-libraries -debug-info-format none
    -Xcc "-I$headers")
swift build "${options[@]}"
libraries=$(ldd "$(swift build "${options[@]}" --show-bin-path)/signet")
if grep -E 'lib(glib|gio|gobject|secret|pq|FoundationNetworking)' <<<"$libraries"; then
    echo "without-libraries: signet links what it should not" >&2
    exit 1
fi
echo "without-libraries: signet is built, and links neither GLib nor FoundationNetworking"
