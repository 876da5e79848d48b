#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds, from outside, a package with programs that depend on the products SignetJOSE,
# SignetSessionTokens, SignetIdentity, SignetVault, SignetSecretService, SignetLogin, SignetCurl,
# SignetEmail, SignetPostgres and SignetFoundation, and checks that each links what its product needs
# and nothing else: tokens, sessions and identity neither SQLite nor a network, the vault and accounts
# on a person's machine no GLib, the transport
# over libcurl no Foundation, e-mail addresses not even libcrypto. No other package is resolved.
#
# It builds the program that verifies tokens first and by itself, and shows how long that takes from scratch. The size of
# that program has a limit. The build stays in .build/release-check, for bench-check.sh.
#
# At last it changes a copy of Signet, and builds a program that was built before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Stripped, without the static standard library.
readonly maximum_verifier_bytes=1500000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=()
targets=
program() { # name, products, source
    programs+=("$1")
    local product products=
    for product in $2; do products+=".product(name: \"$product\", package: \"signet\"), "; done
    targets+="
        .executableTarget(name: \"$1\", dependencies: [$products]),"
    mkdir -p "$work/Sources/$1"
    cp "$3" "$work/Sources/$1/main.swift"
}
program verifier SignetJOSE Snippets/SignAndVerify.swift
program sessions SignetSessionTokens Scripts/consumer/sessions.swift
program identity SignetIdentity Scripts/consumer/identity.swift
program dates "SignetFoundation SignetJOSE" Scripts/consumer/dates.swift
program keeper SignetVault Scripts/consumer/keeper.swift
program mailer SignetEmail Scripts/consumer/mailer.swift
program keyring SignetSecretService Scripts/consumer/keyring.swift
program login SignetLogin Scripts/consumer/login.swift
program fetcher SignetCurl Scripts/consumer/fetcher.swift
program server SignetPostgres Scripts/consumer/server.swift
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

# Prints the names of the linked libraries, one per line. ldd runs outside the pipeline: in it, a missing ldd would look like a program
# that links nothing.
linked() { # program
    local all
    all=$(ldd "$1")
    awk '{ print $1 }' <<<"$all" |
        grep -vE '^(linux-vdso|/lib|lib(c|m|gcc_s|stdc\+\+|dl|pthread|rt)\.so|libswift|libdispatch|libBlocksRuntime)' || true
}

# What the programs may link besides Swift's runtime and the C library. libz and libzstd come with libcrypto and SQLite. libcurl has many
# libraries of its own, but none of them is Foundation.
declare -A allowed=(
    [verifier]='lib(crypto|z|zstd)\.so'
    [sessions]='lib(crypto|z|zstd)\.so'
    [identity]='lib(crypto|z|zstd)\.so'
    [dates]='lib(crypto|z|zstd|FoundationEssentials|_FoundationCollections)\.so'
    [keeper]='lib(crypto|z|zstd|sqlite3|FoundationEssentials|_FoundationCollections)\.so'
    [login]='lib(crypto|z|zstd|sqlite3|FoundationEssentials|_FoundationCollections)\.so'
    [mailer]='nothing at all'
    [fetcher]='lib[a-z0-9]'
)
declare -A needed=(
    [verifier]=libcrypto
    [sessions]=libcrypto
    [identity]=libcrypto
    [dates]='libcrypto libFoundationEssentials'
    [keeper]='libcrypto libsqlite3'
    [login]='libcrypto libsqlite3'
    [mailer]=''
    [keyring]='libcrypto libsecret-1 libglib-2.0'
    [fetcher]='libcrypto libcurl'
    [server]='libcrypto libsqlite3 libpq'
)

readonly built=$root/.build/release-check
rm -rf "$built"
release=(--package-path "$work" -c release --scratch-path "$built")
build() { # what is built, the goal, options
    local start=$SECONDS
    swift build "${release[@]}" "${@:3}" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "a package that depends on Signet does not build"
    }
    echo "consumer: $1: built in $((SECONDS - start)) s$2"
}
# The code is not at fault if the machine is busy, so no time makes this fail.
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

# If a consumer changes its own files, Signet must not be compiled again. This tries it with
# SwiftPM's own seed, which differs each time, and without the headers of libcurl, libsecret and
# libpq.
headers=$(Scripts/headers-that-fail.sh \
    curl/curl.h libsecret/secret.h glib.h libpq-fe.h postgresql/libpq-fe.h)
trap 'rm -rf "$work" "$headers"' EXIT
readonly growing=$work/growing
mkdir -p "$growing/Sources/growing"
cat >"$growing/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "growing",
    dependencies: [.package(name: "signet", path: "$root")],
    targets: [
        .executableTarget(name: "growing", dependencies: [.product(name: "SignetJOSE", package: "signet")])
    ]
)
MANIFEST
echo "import SignetJOSE" >"$growing/Sources/growing/main.swift"
options=(--package-path "$growing" -debug-info-format none -Xcc "-I$headers")
times=0
env -u SWIFT_DETERMINISTIC_HASHING swift build "${options[@]}" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "a program without those libraries' headers does not build"
}
for file in 1 2 3 4 5 6; do
    touch "$work/before"
    echo "let number$file = $file" >"$growing/Sources/growing/File$file.swift"
    env -u SWIFT_DETERMINISTIC_HASHING swift build "${options[@]}" >"$work/log" 2>&1 ||
        fail "with a file more, it does not build again"
    find "$growing/.build/" -path '*/growing.build/*' -name 'File*.o' -newer "$work/before" | grep -q . ||
        fail "the new file was not compiled"
    [[ -z $(find "$growing/.build/" -path '*/Signet*.build/*' -name '*.o' -newer "$work/before") ]] ||
        times=$((times + 1))
done
echo "consumer: without those libraries' headers: six files added, Signet compiled again $times times"
[[ $times == 0 ]] || fail "a file added to a consumer compiles Signet again"

# If Signet changes, what is made of it must be compiled again, even if a module in between stays as
# it was: else a program keeps the old sizes of values, and reads wrong ones. NumericDate is declared
# in SignetBase, which this program does not name.
readonly changing=$work/changing
mkdir -p "$changing/signet" "$changing/program/Sources/program"
cp -r Package.swift Sources Tests TestVectors Snippets "$changing/signet/"
cat >"$changing/program/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "program",
    dependencies: [.package(path: "../signet")],
    targets: [
        .executableTarget(name: "program", dependencies: [.product(name: "SignetJSON", package: "signet")])
    ]
)
MANIFEST
cat >"$changing/program/Sources/program/main.swift" <<SOURCE
import SignetJSON
print(MemoryLayout<NumericDate>.size)
SOURCE
size() {
    swift run --package-path "$changing/program" -debug-info-format none program 2>"$work/log" || {
        cat "$work/log" >&2
        fail "a program whose copy of Signet changes does not build"
    }
}
before=$(size)
declared=$(grep -rl --include='*.swift' '^public struct NumericDate' Sources)
sed -i '/^public struct NumericDate/a\    private var another = 0' \
    "$changing/signet/$declared"
after=$(size)
echo "consumer: a value of $before bytes gets another part: $after bytes in a program built before"
[[ $after == 16 && $before == 8 ]] || fail "a program is not compiled again when Signet changes"

# Inside Signet too, each target lists all that it is made of.
swift package dump-package | python3 -c '
import json, sys
package = json.load(sys.stdin)
kinds = {target["name"]: target["type"] for target in package["targets"]}
listed = {
    target["name"]: {next(iter(each.values()))[0] for each in target["dependencies"]} & kinds.keys()
    for target in package["targets"]
}
for product in package["products"]:
    listed["product " + product["name"]] = set(product["targets"])
missing = [
    f"{user} lists {name}, and not {part}"
    for user, names in listed.items()
    for name in names if kinds[name] == "regular"
    for part in listed[name] - names if kinds[part] == "regular"
]
sys.exit("\n".join(sorted(missing)) or None)
' || fail "Package.swift leaves out what would have to be compiled again"
