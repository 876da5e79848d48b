#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# The same work on the same tokens in Signet, Rust's jsonwebtoken, Go's golang-jwt, PyJWT, joserfc,
# and node with and without jose: builds what there is to build, tries all of them, lets them take
# turns, and prints a table of medians and ratios. A second table opens an encrypted token in those
# that can, and in jwcrypto.
#
#   run.sh [--quick] [--rounds 7] [--milliseconds 80] [--filter 'hs256 verify'] [--lines]
#   run.sh --filter 'jwe open'
#
# What is missing is installed with apt-get where that is allowed (not with SIGNET_NO_INSTALL=1); a
# peer that still cannot be had is left out, with the reason on standard error. Python's packages
# come from requirements.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly here=Benchmarks/Peers
readonly build=.build/token-peers
readonly contenders=$build/contenders
readonly venv=.cache/token-peers-venv
readonly crates=/usr/share/cargo/registry
readonly go_sources=/usr/share/gocode

options=("$@")
[[ ${1:-} != --quick ]] || options=(--rounds 3 --milliseconds 20 "${@:2}")

has() { command -v "$1" >/dev/null 2>&1; }
left_out() { echo "token peers: $1 left out: $2" >&2; }
debian_version() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || echo unknown; }
contender() { (IFS='|' && echo "$*" >>"$contenders"); } # name, title, versions, program

# As Scripts/bootstrap.sh does: as root, or where sudo asks for no password.
install_packages() { # packages
    echo "token peers: not here: $* (Debian's names)" >&2
    local as=()
    [[ -z ${SIGNET_NO_INSTALL:-} ]] && has apt-get || return 0
    if [[ $(id -u) != 0 ]]; then
        has sudo && sudo -n true 2>/dev/null || return 0
        as=(sudo -n)
    fi
    "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true
    local package
    for package in "$@"; do
        "${as[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
            echo "token peers: apt-get could not install $package" >&2
    done
}

survey() {
    local missing=()
    python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || missing+=(python3 python3-venv)
    has cc || missing+=(gcc libc6-dev)
    has cargo || missing+=(cargo)
    compgen -G "$crates/jsonwebtoken-*" >/dev/null || missing+=(librust-jsonwebtoken-dev)
    has go || missing+=(golang-go)
    [[ -d $go_sources/src/github.com/golang-jwt/jwt ]] || missing+=(golang-github-golang-jwt-jwt-dev)
    has node || missing+=(nodejs)
    [[ -d /usr/share/nodejs/jose ]] || missing+=(node-jose)
    [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

python_environment() {
    if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt" || ! "$venv/bin/python3" -c '' 2>/dev/null; then
        rm -rf "$venv"
        mkdir -p "$(dirname "$venv")"
        if ! python3 -m venv "$venv" ||
            ! "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 30 \
                --requirement "$here/requirements.txt"; then
            echo "token peers: needs Python 3 with venv and, from PyPI, the packages of $here/requirements.txt" >&2
            exit 3
        fi
        cp "$here/requirements.txt" "$venv/requirements.txt"
    fi
}

signet() {
    local options=(-c release --package-path Benchmarks --product token-peer) swift libcrypto
    swift build --quiet "${options[@]}"
    swift=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9.]+).*/\1/p' | head -n 1)
    libcrypto=$(pkg-config --modversion libcrypto 2>/dev/null || openssl version)
    contender signet Signet "this tree, Swift $swift, the system's libcrypto $libcrypto" \
        "$(swift build "${options[@]}" --show-bin-path)/token-peer"
}

crate_version() { awk -v name="\"$1\"" '$3 == name { getline; gsub(/"/, "", $3); print $3 }' "$build/rust/Cargo.lock"; }

# Debian's crates are a directory that cargo takes for its registry; the lock file is made in the
# copy.
rust() {
    has cargo || { left_out jsonwebtoken 'no cargo'; return 0; }
    mkdir -p "$build/rust"
    cp -p "$here"/Rust/* "$build/rust"
    (cd "$build/rust" && cargo build --quiet --release --offline \
        --config 'source.crates-io.replace-with="debian"' --config "source.debian.directory=\"$crates\"") ||
        { left_out jsonwebtoken 'it does not build'; return 0; }
    contender rust 'Rust jsonwebtoken' \
        "$(crate_version jsonwebtoken), ring $(crate_version ring), rustc $(rustc --version | cut -d ' ' -f 2)" \
        "$build/rust/target/release/token-peer"
}

golang() {
    has go || { left_out golang-jwt 'no go'; return 0; }
    GO111MODULE=off GOPATH=$go_sources GOCACHE=$PWD/$build/go-cache GOFLAGS='' \
        go build -o "$build/go-peer" "$here/Go/main.go" || { left_out golang-jwt 'it does not build'; return 0; }
    contender go golang-jwt "$(debian_version golang-github-golang-jwt-jwt-dev), $(go version | cut -d ' ' -f 3)" "$build/go-peer"
}

pinned_version() { sed -nE "s/^$1==//p" "$here/requirements.txt"; }

python() {
    local versions program="$venv/bin/python3 $here/Python/peer.py"
    versions=$("$venv/bin/python3" -c 'import cryptography, platform
from cryptography.hazmat.backends.openssl import backend
print("cryptography", cryptography.__version__, "with its own", backend.openssl_version_text(), "on Python", platform.python_version())')
    contender pyjwt PyJWT "$(pinned_version PyJWT), $versions" "$program pyjwt"
    contender joserfc joserfc "$(pinned_version joserfc), $versions" "$program joserfc"
    contender jwcrypto jwcrypto "$(pinned_version jwcrypto), $versions" "$program jwcrypto"
}

node_peers() {
    has node || { left_out node 'not installed'; return 0; }
    local version program="$here/Node/peer.js"
    version="$(node -p process.versions.node) with OpenSSL $(node -p process.versions.openssl)"
    contender node "node crypto" "$version" "node $program node"
    export NODE_PATH=/usr/share/nodejs
    if node -e 'require("jose")' 2>/dev/null; then
        contender node-jose "node jose" "$(node -p 'require("/usr/share/nodejs/jose/package.json").version'), node $version" \
            "node $program node-jose"
    else
        left_out 'node jose' 'node-jose is not installed'
    fi
}

mkdir -p "$build"
: >"$contenders"
survey
python_environment
signet
rust
golang
python
node_peers

processor=$(sed -nE 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
system=$(sed -nE 's/^PRETTY_NAME="?([^"]*)"?$/\1/p' /etc/os-release)
echo "${processor:-unknown processor}, $(nproc) cores, $system"
echo
"$venv/bin/python3" -B "$here/turns.py" "${options[@]}" "$contenders"
