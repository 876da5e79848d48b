#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the package of the last commit a second time, and compares it with the one in .build/dist:
# another folder, another user, another day (faketime), another time zone and umask. Both must be the
# same bytes; diffoscope, if it is installed, shows where they are not.
#
#   reproducible.sh [12|13]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly system=${1:-12}
variables="SIGNET_TAGS=$(printf %q "${SIGNET_TAGS-$(git tag --points-at HEAD)}")"
variables+=" SIGNET_MAINTAINER=$(printf %q "${SIGNET_MAINTAINER:-}")"
first=(.build/dist/signet_*~deb"$system"_*.deb)
# The list of its parts names the commit that the package there was made from.
if ! grep -qs "\"$(git rev-parse HEAD)\"" "${first[0]%.deb}.cdx.json"; then
    SIGNET_DEBIAN=$system Scripts/debs.sh
    first=(.build/dist/signet_*~deb"$system"_*.deb)
fi
place=$(mktemp -d /var/tmp/signet-XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
readonly other="$place/another-folder/of-the-same-clone"
git clone --quiet --no-hardlinks . "$other"
cp Package.resolved "$other"
chown -R 12345:12345 "$place"
# shellcheck disable=SC2016 # what the shell inside expands
"$other/Scripts/debian.sh" "$system" "export $variables;"'
    command -v faketime >/dev/null || apt-get install -y -qq --no-install-recommends faketime >/dev/null
    id builder >/dev/null 2>&1 || useradd --uid 12345 --create-home builder
    exec su builder -s /bin/bash -c "
        umask 077
        export PATH=\"$PATH\" TZ=Pacific/Auckland LC_ALL=C USER=builder HOME=/home/builder
        export FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 SIGNET_SYSTEM=$SIGNET_SYSTEM
        export SIGNET_WITHOUT=libpq SIGNET_NO_INSTALL=1
        # The folders of packages belong to root.
        git config --global --replace-all safe.directory \"*\"
        # Clang takes modules that nobody has read for 31 days from its cache, while others compile with them.
        faketime -f +20d Scripts/deb/build.sh .build/dist"'
second=("$other"/.build/dist/*.deb)
sha256sum "${first[0]}" "${second[0]}"
cmp "${first[0]}" "${second[0]}" || {
    diffoscope "${first[0]}" "${second[0]}" | head -n 60 >&2 || true
    exit 1
}
cmp "${first[0]%.deb}.cdx.json" "${second[0]%.deb}.cdx.json"
echo "reproducible: the same bytes"
