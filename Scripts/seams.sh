#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the wing `servers` as packages of their own, on products of a package without it: what they
# use of the other wings is public API, or the build fails. `package` reaches no other package.
#
# The packages are made of this tree in .build/seams: a manifest is a copy of Package.swift with an
# end that keeps the package's own targets, and the sources are links. A second run compiles what was
# changed since the first.
#
#   seams.sh            every package
#   seams.sh NAME …     these, and what they stand on
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly root=$PWD work=$PWD/.build/seams

# A package and its targets. What has no row is of the package `signet`.
declare -A packages=(
    [servers]="SignetAccounts SignetAccountsTesting SignetGoTrue SignetSMTP SignetHummingbird
        SignetHummingbirdAccounts SignetHummingbirdGoTrue"
    [postgres]="CLibPQ PostgresBridge SignetPostgres"
)
chosen=("$@")
[[ $# -gt 0 ]] || chosen=(servers postgres)
# Variables with which Package.swift leaves out targets, or gives flags that no other package may use.
unset "${!SIGNET_@}"

fail() {
    echo "seams: $1" >&2
    exit 1
}

owners= # "SignetAccounts": "servers", …
for name in "${!packages[@]}"; do
    for target in ${packages[$name]}; do owners+="\"$target\": \"$name\", "; done
done
while read -r target folder; do
    [[ $folder != Sources/servers/* || $owners == *"\"$target\":"* ]] ||
        fail "$folder is in none of the packages: add it to a row of Scripts/seams.sh"
done <<<"$(Scripts/package.py targets)"

package() { # name
    mkdir -p "$work/$1"
    ln -sfn "$root/Sources" "$work/$1/Sources"
    ln -sfn "$root/TestVectors" "$work/$1/TestVectors"
    {
        cat Package.swift
        cat <<TAIL

// From here on by Scripts/seams.sh.
let owners = [$owners]
let products = Dictionary(
    package.products.compactMap { \$0 as? Product.Library }.compactMap { product in
        product.targets.first.map { (\$0, product.name) }
    }, uniquingKeysWith: { one, _ in one })
func owner(_ target: String) -> String { owners[target] ?? "signet" }
package.name = "$1"
package.targets.removeAll { target in
    owner(target.name) != "$1" || target.type == .executable || target.type == .test
        || target.path?.hasPrefix("Tests/") == true
}
package.products = package.products.compactMap { product in
    guard let library = product as? Product.Library, owner(library.targets[0]) == "$1" else {
        return nil
    }
    let targets = library.targets.filter { owner(\$0) == "$1" }
    return .library(name: library.name, type: library.type, targets: targets)
}
for target in package.targets {
    // What a target lists itself has a product. The rest comes with that.
    for name in direct[target.name] ?? [] where owner(name) != "$1" && products[name] == nil {
        fatalError("\(target.name) uses \(name), which is no product")
    }
    target.dependencies = target.dependencies.compactMap { dependency in
        guard let name = nameOfTarget(dependency), owner(name) != "$1" else { return dependency }
        return products[name].map { .product(name: \$0, package: owner(name)) }
    }
}
if "$1" == "signet" {
    (package.dependencies, package.traits) = ([], [])
} else {
    package.dependencies.append(.package(path: "../signet"))
}
if !["signet", "servers"].contains("$1") {
    package.dependencies.append(.package(path: "../servers", traits: ["Hummingbird"]))
}
TAIL
    } >"$work/$1/Package.swift"
}

products= # of the chosen packages, for the one that is built
dependencies=
package signet
package servers
for name in "${chosen[@]}"; do
    [[ -n ${packages[$name]:-} ]] || fail "there is no package $name: expected one of ${!packages[*]}"
    package "$name"
    trait=
    [[ $name != servers ]] || trait=', traits: ["Hummingbird"]'
    dependencies+=".package(path: \"../$name\"$trait), "
    for target in ${packages[$name]}; do
        [[ $target != Signet* ]] || products+=".product(name: \"$target\", package: \"$name\"), "
    done
done
mkdir -p "$work/all/Sources/all"
# Written anew each time: SwiftPM looks for new files of the others only if this one is newer.
cat >"$work/all/Package.swift" <<MANIFEST
// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "all",
    dependencies: [$dependencies],
    targets: [.target(name: "all", dependencies: [$products])]
)
MANIFEST
echo "// It uses nothing: what it depends on is built." >"$work/all/Sources/all/All.swift"

mapfile -t flags < <(Scripts/bootstrap.sh --flags | tr ' ' '\n')
build=(--package-path "$work/all" --scratch-path "$work/build" "${flags[@]}")
start=$SECONDS
swift build "${build[@]}" || fail "what the servers use is not public (above)"
echo "seams: ${chosen[*]}: built as packages of their own, on products, in $((SECONDS - start)) s"

# The border is one: what is for the package `signet` alone is out of reach from the other.
modules=$(swift build "${build[@]}" --show-bin-path)/Modules
cat >"$work/crossing.swift" <<<"import SignetBase
let lock = Lock()"
reaches() { swiftc -typecheck -package-name "$1" -I "$modules" "$work/crossing.swift" 2>&1; }
reaches signet >/dev/null || fail "the probe of the border does not compile where it should"
! found=$(reaches servers) || fail "the package servers reaches what is for the package signet alone"
[[ $found == *"'Lock'"* ]] || fail "the probe of the border fails for another reason: $found"
echo "seams: what the package signet has for itself, the package servers does not reach"
