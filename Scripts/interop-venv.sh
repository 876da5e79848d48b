#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Makes .cache/interop-venv with the Python libraries that the interop tests talk to, at the
# versions that Tests/tokens/SignetIdentityTests/Interop/requirements.txt pins. It never fails: without
# Python or a package index the tests are skipped, and say so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly folder=.cache/interop-venv
readonly requirements=Tests/tokens/SignetIdentityTests/Interop/requirements.txt
readonly stamp=$folder/requirements.txt

skip() {
    rm -f "$stamp"
    echo "interop: $1; the tests against PyJWT, joserfc, jwcrypto, Authlib, mcp," \
        "supabase-auth, schemathesis, aiosmtpd and standardwebhooks, and on cryptography_vectors, will be skipped" >&2
    exit 0
}

# The stamp is written last, so an interrupted installation starts again.
if [[ -x $folder/bin/python3 ]] && cmp -s "$requirements" "$stamp" && "$folder/bin/python3" -c '' 2>/dev/null; then
    exit 0
fi

command -v python3 >/dev/null 2>&1 || skip "python3 is not installed"

echo "interop: making $folder"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
python3 -m venv "$folder" >/dev/null 2>&1 || skip "python3 has no venv (Debian: package python3-venv)"
"$folder/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 30 \
    --requirement "$requirements" || skip "the pinned Python packages could not be installed"
cp "$requirements" "$stamp"
