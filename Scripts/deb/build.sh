#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Makes the package for the Debian that this runs on, its SBOM and lintian's report.
#
#   build.sh FOLDER     where they are put
#
# SIGNET_MAINTAINER ("Name <address>") is who stands in the package as its maintainer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

mkdir -p "$1"
output=$(realpath "$1")
stage=$(Scripts/release.sh --if-needed)
place=$(dirname "$stage")
SOURCE_DATE_EPOCH=$(<"$place/epoch")
export SOURCE_DATE_EPOCH
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "deb${VERSION_ID:?}")
architecture=$(dpkg --print-architecture)
commit=$(<"$place/commit")
number=$("$stage/bin/signet" --version)
# Where no tag has the number: before it, and in the order of the commits' times.
version=${number%% *}
tags=${SIGNET_TAGS-$(git tag --points-at HEAD 2>/dev/null || true)}
grep -qx "$version" <<<"$tags" || version+=~git$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).${commit::8}
version+=~$release

root=$place/root
rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/usr/share/doc/signet"
cp -R "$stage/." "$root/usr"
mkdir "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_signet" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
Scripts/deb/copyright.py >"$root/usr/share/doc/signet/copyright"
maintainer=${SIGNET_MAINTAINER:-Signet maintainers <maintainers@signet.example>}
gzip -9n >"$root/usr/share/doc/signet/changelog.gz" <<CHANGES
signet ($version) unstable; urgency=medium

  * Built from commit $commit.
    CHANGELOG.md in the sources says what is different for whom.

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
CHANGES

mkdir -p "$place/shlibs/debian"
printf 'Source: signet\n\nPackage: signet\nArchitecture: any\n' >"$place/shlibs/debian/control"
depends=$(cd "$place/shlibs" && dpkg-shlibdeps -O -e "$OLDPWD/$root/usr/bin/signet" |
    sed -n 's/^shlibs:Depends=//p')
size=$(du -k --apparent-size -s "$root" | cut -f 1)
cat >"$root/DEBIAN/control" <<CONTROL
Package: signet
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends
Recommends: ca-certificates
Section: utils
Priority: optional
Description: tokens, sealed files, secrets and an audit of libcrypto
 signet signs, verifies and encrypts tokens (JWS, JWT, JWE), verifies the ID
 tokens of identity providers, seals files, keeps secrets in a sealed vault or
 in the desktop's keyring, and stays signed in at servers of OpenID Connect.
 .
 "signet audit" runs published test vectors against the libcrypto that is
 installed, and reports any deviation.
CONTROL
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

# One thread, because the compressed bytes depend on their number.
package=signet_${version}_$architecture.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" "$output/$package" >&2
Scripts/sbom.py "$root/usr" "$place/build" "$output/$package" "$commit" >"$output/${package%.deb}.cdx.json"
lintian --allow-root --tag-display-limit 0 --info "$output/$package" >"$output/${package%.deb}.lintian" || {
    cat "$output/${package%.deb}.lintian" >&2
    echo "deb: lintian has errors" >&2
    exit 1
}
echo "deb: $package, installed $size KiB; $(grep -c '^W:' "$output/${package%.deb}.lintian" || true) warnings of lintian's"
