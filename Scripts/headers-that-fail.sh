#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Makes a folder of headers with these names, which no compiler gets past, and prints its name. If a
# build succeeds with this folder first among the include folders, it needs none of these headers.
#
#   headers-that-fail.sh HEADER ...
set -euo pipefail
folder=$(mktemp -d)
for header in "$@"; do
    mkdir -p "$(dirname "$folder/$header")"
    echo "#error \"$header is asked for\"" >"$folder/$header"
done
echo "$folder"
