#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the packages for Debian 12 and 13, each in a root of its own, into .build/dist, with an SBOM
# and lintian's report beside each and SHA256SUMS over all of them. SIGNET_DEBIAN=13 builds one.
# SIGNET_TAGS replaces the tags of this commit: a package has a plain version where one names it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Asked here: the root's Git may not be allowed to read another user's clone.
SIGNET_COMMIT=${SIGNET_COMMIT:-$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
mkdir -p .build/dist
read -r -a systems <<<"${SIGNET_DEBIAN:-12 13}"
for system in "${systems[@]}"; do
    rm -f .build/dist/signet_*"~deb${system}_"*
    Scripts/debian.sh "$system" "
        export SIGNET_COMMIT=$SIGNET_COMMIT SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH
        export SIGNET_TAGS=$(printf %q "${SIGNET_TAGS-$(git tag --points-at HEAD 2>/dev/null || true)}")
        export SIGNET_MAINTAINER=$(printf %q "${SIGNET_MAINTAINER:-}")
        Scripts/bootstrap.sh build
        [[ -z \$(Scripts/bootstrap.sh --without) ]] || export SIGNET_WITHOUT=libpq
        tools=(dpkg-dev lintian python3)
        dpkg-query --show \"\${tools[@]}\" >/dev/null 2>&1 ||
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                \"\${tools[@]}\" >/dev/null
        Scripts/deb/build.sh .build/dist"
done
(cd .build/dist && sha256sum -- *.deb *.cdx.json >SHA256SUMS)
echo "debs: $(realpath .build/dist)"
