#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds both sides of the migration guides and runs them against each other. The guides' examples are
# parts of these files (Scripts/examples.py), and this script tries every row of their tables of
# refusals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(-debug-info-format none -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)
swift build "${options[@]}"
folder=$(swift build "${options[@]}" --show-bin-path)
for program in from-jwt-kit from-swift-crypto; do
    echo "migration: $program"
    "$folder/$program" </dev/null
done
