#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the command line without its traits, as a machine without the headers of libsecret and
# libcurl has to, and checks that it links no GLib.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export SWIFT_DETERMINISTIC_HASHING=1
options=(--disable-default-traits --product signet --scratch-path .build/without-traits
    -debug-info-format none)
swift build "${options[@]}"
libraries=$(ldd "$(swift build "${options[@]}" --show-bin-path)/signet")
if grep -E 'lib(glib|gio|gobject|secret)' <<<"$libraries"; then
    echo "without-traits: signet without its traits links GLib" >&2
    exit 1
fi
echo "without-traits: signet is built, and links no GLib"
