#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds a server-like package that depends on the product SignetJOSE alone, from outside, and checks that depending on
# Signet stays light: no other package is resolved, and the program links libcrypto and Swift's own runtime, nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/Sources/verifier"
cat >"$work/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "verifier",
    dependencies: [.package(name: "signet", path: "$root")],
    targets: [.executableTarget(name: "verifier", dependencies: [.product(name: "SignetJOSE", package: "signet")])]
)
MANIFEST
cp Snippets/SignAndVerify.swift "$work/Sources/verifier/main.swift"

start=$SECONDS
swift build --package-path "$work" -c release >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "consumer: a package that depends on SignetJOSE does not build" >&2
    exit 1
}
seconds=$((SECONDS - start))
program=$(swift build --package-path "$work" -c release --show-bin-path)/verifier
"$program" >/dev/null

if [[ -d $work/.build/checkouts ]] && [[ -n $(ls "$work/.build/checkouts") ]]; then
    echo "consumer: other packages were resolved: $(ls "$work/.build/checkouts")" >&2
    exit 1
fi
# By itself: in the pipeline below, a missing ldd would look like a program that links nothing.
linked=$(ldd "$program")
others=$(awk '{ print $1 }' <<<"$linked" |
    grep -vE '^(linux-vdso|/lib|lib(crypto|c|m|gcc_s|stdc\+\+|dl|pthread|rt|z|zstd)\.so|libswift|libdispatch|libBlocksRuntime)' || true)
if [[ -n $others ]]; then
    echo "consumer: the program links more than libcrypto and Swift's runtime:" >&2
    echo "$others" >&2
    exit 1
fi
strip -o "$work/stripped" "$program"
echo "consumer: built in $seconds s from nothing, $(stat -c %s "$work/stripped") bytes stripped; links libcrypto and Swift's runtime, nothing else"
