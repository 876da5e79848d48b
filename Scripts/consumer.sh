#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds, from outside, a package with programs that depend on the products SignetJOSE, SignetIdentity, SignetVault, SignetSecretService,
# SignetCurl, SignetEmail, SignetEmailIDNA, SignetPublicSuffix and SignetFoundation, and checks that each links what its product needs and nothing else:
# tokens and identity neither SQLite nor a network, the vault no GLib, the transport over libcurl no Foundation, e-mail addresses not even libcrypto. No other package is resolved.
#
# The program that verifies tokens is built first and by itself: how long that takes from nothing is shown, and its size has
# a limit. What was built stays in .build/release-check, for bench-check.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# SwiftPM hands the traits to the compiler in the order of a hash table: with a seed of its own each time, it would compile
# everything anew at the second call.
export SWIFT_DETERMINISTIC_HASHING=1

# Stripped, without the static standard library.
readonly maximum_verifier_bytes=1500000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=()
targets=
program() { # name, product, source
    programs+=("$1")
    targets+="
        .executableTarget(name: \"$1\", dependencies: [.product(name: \"$2\", package: \"signet\")]),"
    mkdir -p "$work/Sources/$1"
    cp "$3" "$work/Sources/$1/main.swift"
}
optional_program() { # what bootstrap.sh calls the library, and the same
    if Scripts/bootstrap.sh --has "$1"; then
        program "${@:2}"
    else
        echo "consumer: $1's headers are not here: no program with $3"
    fi
}
program verifier SignetJOSE Snippets/SignAndVerify.swift
program identity SignetIdentity Scripts/consumer/identity.swift
program dates SignetFoundation Scripts/consumer/dates.swift
program keeper SignetVault Scripts/consumer/keeper.swift
program mailer SignetEmail Scripts/consumer/mailer.swift
optional_program libsecret keyring SignetSecretService Scripts/consumer/keyring.swift
optional_program libcurl fetcher SignetCurl Scripts/consumer/fetcher.swift
optional_program icu converter SignetEmailIDNA Scripts/consumer/converter.swift
optional_program libpsl registrar SignetPublicSuffix Scripts/consumer/registrar.swift
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

# What they may link besides Swift's runtime and the C library; -z libraries are libcrypto's and SQLite's own, idn2 and
# unistring libpsl's, and libcurl has many, but none of them is Foundation.
declare -A allowed=(
    [verifier]='lib(crypto|z|zstd)\.so'
    [identity]='lib(crypto|z|zstd)\.so'
    [dates]='lib(crypto|z|zstd|FoundationEssentials|_FoundationCollections)\.so'
    [keeper]='lib(crypto|z|zstd|sqlite3|FoundationEssentials|_FoundationCollections)\.so'
    [mailer]='nothing at all'
    [fetcher]='lib[a-z0-9]'
    [converter]='lib(icuuc|icudata)\.so'
    [registrar]='lib(psl|idn2|unistring|icuuc|icudata)\.so'
)
declare -A needed=(
    [verifier]=libcrypto
    [identity]=libcrypto
    [dates]='libcrypto libFoundationEssentials'
    [keeper]='libcrypto libsqlite3'
    [mailer]=''
    [keyring]='libcrypto libsecret-1 libglib-2.0'
    [fetcher]='libcrypto libcurl'
    [converter]=libicuuc
    [registrar]=libpsl
)

readonly built=$root/.build/release-check
rm -rf "$built"
release=(--package-path "$work" -c release --scratch-path "$built")
build() { # what it is, the goal, options
    local start=$SECONDS
    swift build "${release[@]}" "${@:3}" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "a package that depends on Signet does not build"
    }
    echo "consumer: $1: built in $((SECONDS - start)) s$2"
}
# A loaded machine is no fault of the code's: the time fails nothing.
build "verifier, from nothing" " (goal: under 60 s, on 2 cores with nothing else to do)" --product verifier
build "the others" ""
if [[ -d $built/checkouts ]] && [[ -n $(ls "$built/checkouts") ]]; then
    fail "other packages were resolved: $(ls "$built/checkouts")"
fi

folder=$(swift build "${release[@]}" --show-bin-path)
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
    names="Swift's runtime${needed[$name]:+, ${needed[$name]// /, }}"
    [[ -z ${allowed[$name]:-} ]] || names+=", nothing else"
    size=$(stat -c %s "$work/stripped")
    echo "consumer: $name: $size bytes stripped; links $names"
    [[ $name != verifier || $size -le $maximum_verifier_bytes ]] ||
        fail "a program that verifies tokens has $size bytes; at most $maximum_verifier_bytes are allowed"
done
