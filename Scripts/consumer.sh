#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds, from outside, a package with three programs that depend on the products SignetJOSE, SignetVault and
# SignetSecretService, and checks that each links what its product needs and nothing else: tokens neither SQLite nor GLib,
# the vault no GLib. No other package is resolved.
#
# SIGNET_CHECK_TRAITS=1 also builds the command line without its trait SecretService (a whole build more), which links no GLib.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=(verifier keeper)
targets='
        .executableTarget(name: "verifier", dependencies: [.product(name: "SignetJOSE", package: "signet")]),
        .executableTarget(name: "keeper", dependencies: [.product(name: "SignetVault", package: "signet")]),'
mkdir -p "$work/Sources/verifier" "$work/Sources/keeper"
cp Snippets/SignAndVerify.swift "$work/Sources/verifier/main.swift"
cp Scripts/consumer/keeper.swift "$work/Sources/keeper/main.swift"
if [[ -z $(Scripts/bootstrap.sh --flags) ]]; then
    programs+=(keyring)
    targets+='
        .executableTarget(name: "keyring", dependencies: [.product(name: "SignetSecretService", package: "signet")]),'
    mkdir -p "$work/Sources/keyring"
    cp Scripts/consumer/keyring.swift "$work/Sources/keyring/main.swift"
else
    echo "consumer: libsecret's headers are not here: no program with SignetSecretService"
fi
cat >"$work/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "consumer",
    dependencies: [.package(name: "signet", path: "$root")],
    targets: [$targets
    ]
)
MANIFEST

fail() {
    echo "consumer: $1" >&2
    exit 1
}

# By itself: in a pipeline, a missing ldd would look like a program that links nothing. The libraries by name, one a line.
linked() { # program
    local all
    all=$(ldd "$1")
    awk '{ print $1 }' <<<"$all" |
        grep -vE '^(linux-vdso|/lib|lib(c|m|gcc_s|stdc\+\+|dl|pthread|rt)\.so|libswift|libdispatch|libBlocksRuntime)' || true
}

# What they may link besides Swift's runtime and the C library; -z libraries are libcrypto's and SQLite's own.
declare -A allowed=(
    [verifier]='lib(crypto|z|zstd)\.so'
    [keeper]='lib(crypto|z|zstd|sqlite3|FoundationEssentials|_FoundationCollections)\.so'
)
declare -A needed=([verifier]=libcrypto [keeper]='libcrypto libsqlite3' [keyring]='libcrypto libsecret-1 libglib-2.0')

start=$SECONDS
swift build --package-path "$work" -c release >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "a package that depends on Signet does not build"
}
echo "consumer: built in $((SECONDS - start)) s from nothing"
if [[ -d $work/.build/checkouts ]] && [[ -n $(ls "$work/.build/checkouts") ]]; then
    fail "other packages were resolved: $(ls "$work/.build/checkouts")"
fi

folder=$(swift build --package-path "$work" -c release --show-bin-path)
for name in "${programs[@]}"; do
    (cd "$work" && "$folder/$name" >/dev/null)
    libraries=$(linked "$folder/$name")
    for library in ${needed[$name]}; do
        grep -q "^$library\.so" <<<"$libraries" || fail "$name does not link $library, which it was built to show"
    done
    if [[ -n ${allowed[$name]:-} ]]; then
        others=$(grep -vE "^(${allowed[$name]})" <<<"$libraries" || true)
        [[ -z $others ]] || fail "$name links more than it should: $others"
    fi
    strip -o "$work/stripped" "$folder/$name"
    # shellcheck disable=SC2086  # one line out of many
    echo "consumer: $name: $(stat -c %s "$work/stripped") bytes stripped; links Swift's runtime, ${needed[$name]// /, }$([[ $name == keyring ]] || echo ", nothing else")"
done

if [[ -n ${SIGNET_CHECK_TRAITS:-} ]]; then
    start=$SECONDS
    options=(--disable-default-traits --product signet --scratch-path "$work/traits")
    swift build "${options[@]}" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "the command line does not build without the trait SecretService"
    }
    libraries=$(linked "$(swift build --scratch-path "$work/traits" --show-bin-path)/signet")
    ! grep -E '^lib(glib|gio|gobject|secret)' <<<"$libraries" || fail "signet without the trait SecretService links GLib"
    echo "consumer: signet without the trait SecretService: built in $((SECONDS - start)) s; links no GLib"
fi
