#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the command line as `make install` and the packages take it: optimised, hardened, stripped,
# with Swift's runtime in it, and beside it the manual pages, the completions and the vectors.
#
#   release.sh              prints the folder that holds them, as they lie under PREFIX
#   release.sh --if-needed  the same, but builds nothing where they are there, of this commit
#
# The same commit gives the same bytes, whatever the folder, the user and the day. The folder's
# neighbours `commit` and `epoch` say what it was made from: SIGNET_COMMIT and SOURCE_DATE_EPOCH, else
# what Git says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

# Each system has its own, because a clone may be shown to several (debian.sh).
# shellcheck source=/dev/null
system=${SIGNET_SYSTEM:-$(. /etc/os-release && echo "$ID${VERSION_ID:-}")}
readonly place=.build/release-$system stage=.build/release-$system/stage
commit=${SIGNET_COMMIT:-$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)}
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SIGNET_COMMIT=$commit SOURCE_DATE_EPOCH=$epoch
export SIGNET_WITHOUT=${SIGNET_WITHOUT-$(Scripts/bootstrap.sh --without)}

# For root, who may not be allowed to ask Git about another user's clone, what is there is enough.
if [[ ${1:-} == --if-needed && -e $place/commit && $commit != *-dirty ]] &&
    [[ -z $commit || $commit == "$(<"$place/commit")" ]]; then
    echo "$stage"
    exit
fi

rm -rf "$stage" "$place/commit"
mkdir -p "$stage"/bin "$stage"/share/{signet,man/man1}
read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"
build=(swift build -c release --product signet --scratch-path "$place/build" "${flags[@]}"
    --static-swift-stdlib --disable-local-rpath
    # The linker of the toolchain, the same on each system. And no hash of each module in the program:
    # the compiler takes it before it replaces the names of folders.
    -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
    -Xcc -fstack-protector-strong
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)
"${build[@]}" >&2
program=$("${build[@]}" --show-bin-path)/signet
strip --strip-unneeded --remove-section=.comment --remove-section=.note -o "$stage/bin/signet" "$program"
install -d "$stage/share/signet/TestVectors"
cp -R TestVectors/Figures/. "$stage/share/signet/TestVectors"

# The manual, by the generator of the package with which the command line reads its arguments.
generator=(swift build --package-path "$place/build/checkouts/swift-argument-parser"
    --product generate-manual --scratch-path "$place/manual" -debug-info-format none)
"${generator[@]}" >&2
rm -rf "$place/pages"
mkdir "$place/pages"
# Without faketime (reproducible.sh), under which Foundation never sees that a program has ended.
env -u LD_PRELOAD "$("${generator[@]}" --show-bin-path)/generate-manual" "$stage/bin/signet" --multi-page \
    --date "$(date -d "@$epoch" +%F)" --output-directory "$place/pages" >&2
for page in "$place"/pages/*.1; do
    name=$(basename "$page" .1)
    awk -f Scripts/manual.awk "$page" | gzip -9n >"$stage/share/man/man1/${name//./-}.1.gz"
done

completion() { # shell, file
    mkdir -p "$(dirname "$stage/share/$2")"
    "$stage/bin/signet" --generate-completion-script "$1" | sed "1{/^#!/d}" >"$stage/share/$2"
}
completion bash bash-completion/completions/signet
completion zsh zsh/site-functions/_signet
completion fish fish/vendor_completions.d/signet.fish

find "$stage" -exec touch --no-dereference --date="@$epoch" {} +
echo "$epoch" >"$place/epoch"
echo "${commit:-unknown}" >"$place/commit"
echo "$stage"
