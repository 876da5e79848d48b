#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Counts the lines of code of the server: without blank lines, comments, and the page for development
# (its HTML). The issuer for development and the tests are not part of it. At most 716. A feature that
# needs more replaces another one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly most=716
total=0
while IFS= read -r file; do
    count=$(grep -cvE '^[[:space:]]*(//.*)?$' "$file" || true)
    printf '%5d %s\n' "$count" "${file#Sources/}"
    total=$((total + count))
done < <(find Sources/AuthServer Sources/AuthServerCommand -name '*.swift' ! -name SignInPage.swift | sort)
printf '%5d lines of code, of %d\n' "$total" "$most"
[[ $total -le $most ]]
