#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Makes a folder with Python libraries, at pinned versions:
#
#   interop-venv.sh        .cache/interop-venv, those that the interop tests talk to
#                          (Tests/tokens/SignetIdentityTests/Interop/requirements.txt)
#   interop-venv.sh site   .cache/site-venv, those that build the site's guides
#                          (Scripts/site/requirements.txt)
#
# It never fails: without Python or a package index it says what will be left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

name=${1:-interop}
requirements=Tests/tokens/SignetIdentityTests/Interop/requirements.txt
without="the tests against PyJWT, joserfc, jwcrypto, Authlib, mcp, supabase-auth, schemathesis, aiosmtpd and\
 standardwebhooks, and on cryptography_vectors, will be skipped"
if [[ $name == site ]]; then
    requirements=Scripts/site/requirements.txt
    without="the site will have docc's reference alone, without guides, programs, commands and search"
fi
readonly folder=.cache/$name-venv
readonly stamp=$folder/requirements.txt

skip() {
    rm -f "$stamp"
    echo "$name: $1; $without" >&2
    exit 0
}

# The stamp is written last, so an interrupted installation starts again.
if [[ -x $folder/bin/python3 ]] && cmp -s "$requirements" "$stamp" && "$folder/bin/python3" -c '' 2>/dev/null; then
    exit 0
fi

command -v python3 >/dev/null 2>&1 || skip "python3 is not installed"

echo "$name: making $folder"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
python3 -m venv "$folder" >/dev/null 2>&1 || skip "python3 has no venv (Debian: package python3-venv)"
"$folder/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 30 \
    --requirement "$requirements" || skip "the pinned Python packages could not be installed"
cp "$requirements" "$stamp"
