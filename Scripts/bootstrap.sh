#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Finds out what this machine lacks, and installs it with apt-get if that is allowed; otherwise says exactly
# what to install and exits 3. If nothing is missing, it starts no package manager and returns at once.
#
#   bootstrap.sh [--check] [build|test]
#   bootstrap.sh --flags
#   bootstrap.sh --without
#
#   build     a Swift toolchain, git, the headers of libcrypto, SQLite and libcurl: what building the
#             command line and `make demo` need (default)
#   test      the same; python3, which selects the tests; the headers of libsecret and libpq;
#             what the tests talk to (venv, the openssl command, oathtool, the jose command, jose
#             for Node, a PostgreSQL server, gnome-keyring under dbus-run-session); and valgrind,
#             which counts instructions
#
# For a build, libsecret's headers are wanted but not needed: without them the command line has no
# --backend secret-service. pkg-config and the programs that the tests talk to are also only wanted:
# without them everything still runs, and says what is left out.
#
#   --check   report only, install nothing (also: SIGNET_NO_INSTALL=1)
#   --flags   only print the flags that swift build and swift test need: the trait that SIGNET_TRAITS
#             names; no debug information, which is a quarter of the work, unless SIGNET_DEBUG_INFO
#             is dwarf or lines (the part that a sanitizer's report needs to name functions, files
#             and lines); an index of this package's modules only: SwiftPM looks up tests in it, and
#             an index of the system's modules is a third of the work
#   --without only print those of libsecret and libpq whose headers are missing, separated by a
#             comma: the value for SIGNET_WITHOUT (Package.swift)
set -euo pipefail

readonly minimum_swift=6.3
readonly minimum_openssl=3.0
readonly openssl_packages="package libssl-dev (Debian, Ubuntu) or openssl-devel (Fedora, RHEL)"
readonly sqlite_packages="package libsqlite3-dev (Debian, Ubuntu) or sqlite-devel (Fedora, RHEL)"
readonly libcurl_packages="package libcurl4-openssl-dev (Debian, Ubuntu) or libcurl-devel (Fedora, RHEL)"
readonly libpq_packages="package libpq-dev (Debian, Ubuntu) or libpq-devel (Fedora, RHEL)"
readonly libsecret_packages="package libsecret-1-dev (Debian, Ubuntu) or libsecret-devel (Fedora, RHEL)"

cd "$(dirname "${BASH_SOURCE[0]}")/.."

purpose=build
print=
install_allowed=yes
[[ -z ${SIGNET_NO_INSTALL:-} ]] || install_allowed=no
usage() {
    echo "usage: bootstrap.sh [--check] [build|test], bootstrap.sh --flags, bootstrap.sh --without" >&2
    exit 2
}
while [[ $# -gt 0 ]]; do
    case $1 in
    build | test) purpose=$1 ;;
    --check) install_allowed=no ;;
    --flags) print=flags ;;
    --without) print=without ;;
    *) usage ;;
    esac
    shift
done

# Installing what is only wanted is tried once: a machine without a network must not pay for it at every run. The file lists what was tried.
readonly tried=.cache/bootstrap-tried-$purpose

# Version numbers are compared as numbers, field by field: 6.10 is newer than 6.3.
at_least() {
    [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

has() {
    command -v "$1" >/dev/null 2>&1
}

swift_version() {
    has swift || return 0
    swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1
}

# Asks pkg-config if it is installed, otherwise reads the header: pkg-config is a convenience, not a requirement.
openssl_version() {
    if has pkg-config && pkg-config --exists libcrypto 2>/dev/null; then
        pkg-config --modversion libcrypto
        return
    fi
    local folder major minor
    for folder in /usr/include /usr/local/include; do
        [[ -r $folder/openssl/opensslv.h ]] || continue
        major=$(sed -nE 's/^# *define OPENSSL_VERSION_MAJOR +([0-9]+).*/\1/p' "$folder/openssl/opensslv.h")
        minor=$(sed -nE 's/^# *define OPENSSL_VERSION_MINOR +([0-9]+).*/\1/p' "$folder/openssl/opensslv.h")
        # OpenSSL 1 has a single macro for its version, and neither of these two.
        echo "${major:-1}.${minor:-0}"
        return
    done
}

has_header() { # the pkg-config module, the header below an include folder
    if has pkg-config && pkg-config --exists "$1" 2>/dev/null; then return 0; fi
    # Debian keeps some headers in a folder named after the architecture.
    compgen -G "/usr/include/$2" >/dev/null || compgen -G "/usr/include/*-linux-gnu*/$2" >/dev/null || [[ -r /usr/local/include/$2 ]]
}

has_libsecret() {
    has_header libsecret-1 libsecret-1/libsecret/secret.h
}

# Debian keeps the header in a folder of its own, where CLibPQ's shim looks for it. This does not ask
# pkg-config, because the build uses none of its flags.
has_libpq() {
    compgen -G "/usr/include/postgresql/libpq-fe.h" >/dev/null || [[ -r /usr/include/libpq-fe.h || -r /usr/local/include/libpq-fe.h ]]
}

if [[ $print == without ]]; then
    without=
    for library in libsecret libpq; do
        "has_$library" || without+=",$library"
    done
    echo "${without#,}"
    exit 0
fi

if [[ $print == flags ]]; then
    debug_info=${SIGNET_DEBUG_INFO:-none}
    [[ $debug_info != lines ]] || debug_info="none -Xswiftc -gline-tables-only"
    echo "${SIGNET_TRAITS:+--traits $SIGNET_TRAITS }-debug-info-format $debug_info" \
        "-Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules"
    exit 0
fi

# What is missing, as two lists: sentences for people, and Debian's packages.
missing=()
packages=()
wanted=()
wanted_packages=()

# The tests need all headers. The command line can be built without some, but lacks a part then.
header() { # the library, Debian's package, what to say about packages, what is then missing
    if "has_$1"; then return 0; fi
    if [[ $purpose == test ]]; then
        missing+=("the headers of $1, which the tests are built with ('make demo' does without): $3")
        packages+=("$2")
    else
        wanted+=("the headers of $1 ($3), without which $4")
        wanted_packages+=("$2")
    fi
}

survey() {
    local found
    missing=() packages=() wanted=() wanted_packages=()

    found=$(swift_version)
    if [[ -z $found ]]; then
        missing+=("a Swift toolchain, $minimum_swift or newer (none in PATH): https://www.swift.org/install/linux/")
        packages+=(swiftlang)
    elif ! at_least "$found" "$minimum_swift"; then
        missing+=("Swift $minimum_swift or newer ($found is in PATH): https://www.swift.org/install/linux/")
        packages+=(swiftlang)
    fi

    if ! has git; then
        missing+=("git (the Swift package manager fetches with it): package git")
        packages+=(git)
    fi

    found=$(openssl_version)
    if [[ -z $found ]]; then
        missing+=("libcrypto's headers, OpenSSL $minimum_openssl or newer: $openssl_packages")
        packages+=(libssl-dev)
    elif ! at_least "$found" "$minimum_openssl"; then
        missing+=("OpenSSL $minimum_openssl or newer (the headers here are $found): $openssl_packages, of a newer release")
        packages+=(libssl-dev)
    fi

    if ! has_header sqlite3 sqlite3.h; then
        missing+=("SQLite's headers (the vault is kept in its files): $sqlite_packages")
        packages+=(libsqlite3-dev)
    fi

    if ! has_header libcurl curl/curl.h; then
        missing+=("libcurl's headers (the command line fetches keys over it): $libcurl_packages")
        packages+=(libcurl4-openssl-dev)
    fi

    header libsecret libsecret-1-dev "$libsecret_packages" "signet is built without --backend secret-service"

    if ! has pkg-config; then
        wanted+=("pkg-config, without which the Swift package manager warns that it cannot ask for libcrypto's place")
        wanted_packages+=(pkg-config)
    fi

    [[ $purpose == test ]] || return 0
    header libpq libpq-dev "$libpq_packages"
    if ! has openssl; then
        wanted+=("the openssl command (package openssl), without which its interop tests skip")
        wanted_packages+=(openssl)
    fi
    if ! has python3; then
        missing+=("Python 3, with which the tests are chosen: package python3")
        packages+=(python3)
    fi
    # An existing environment shows that Python and venv are installed, and saves starting Python.
    if [[ ! -x .cache/interop-venv/bin/python3 ]] && ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
        wanted+=("Python 3 with venv (packages python3, python3-venv), without which its interop tests skip")
        wanted_packages+=(python3 python3-venv)
    fi
    if ! has oathtool; then
        wanted+=("oathtool (package oathtool), without which its interop test of one-time passwords skips")
        wanted_packages+=(oathtool)
    fi
    if ! has jose; then
        wanted+=("the jose command (package jose), without which its interop test of encrypted tokens skips")
        wanted_packages+=(jose)
    fi
    if ! has node || [[ ! -e /usr/share/nodejs/jose/package.json ]]; then
        wanted+=("jose for Node (packages nodejs, node-jose), without which its interop test of encrypted tokens skips")
        has node || wanted_packages+=(nodejs)
        wanted_packages+=(node-jose)
    fi
    if ! has valgrind; then
        wanted+=("valgrind (package valgrind), without which no instructions are counted (bench-check)")
        wanted_packages+=(valgrind)
    fi
    if ! has initdb && ! compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null; then
        wanted+=("a server of PostgreSQL (package postgresql), without which the tests of SignetPostgres skip")
        wanted_packages+=(postgresql)
    fi
    if ! has gnome-keyring-daemon || ! has dbus-run-session; then
        wanted+=("gnome-keyring and dbus-run-session (packages gnome-keyring, dbus), without which the tests with a real keyring skip")
        wanted_packages+=(gnome-keyring dbus)
    fi
}

# Prints what to put in front of apt-get: "env" for root, "sudo -n env" if sudo asks for no password. Fails if apt-get may not be run.
apt_prefix() {
    [[ $install_allowed == yes ]] && has apt-get || return 1
    if [[ $(id -u) == 0 ]]; then
        echo env
    elif has sudo && sudo -n true 2>/dev/null; then
        echo sudo -n env
    else
        return 1
    fi
}

# Keeps Debian's Swift in the list only if it is new enough: otherwise apt-get would install one that cannot build this package.
drop_unusable_swift() {
    local package candidate kept=()
    for package in "${packages[@]}"; do
        if [[ $package == swiftlang ]]; then
            candidate=$(apt-cache policy swiftlang 2>/dev/null | sed -nE 's/^ *Candidate: *([0-9.]+).*/\1/p')
            if [[ -z $candidate ]] || ! at_least "$candidate" "$minimum_swift"; then continue; fi
        fi
        kept+=("$package")
    done
    packages=("${kept[@]}")
}

install_with_apt() {
    echo "bootstrap: installing with apt-get what is missing here"
    "$@" DEBIAN_FRONTEND=noninteractive apt-get update -qq || echo "bootstrap: apt-get update failed" >&2
    drop_unusable_swift
    local package
    for package in "${packages[@]}" "${wanted_packages[@]}"; do
        echo "bootstrap: apt-get install $package"
        "$@" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
            echo "bootstrap: apt-get could not install $package" >&2
    done
}

survey
if [[ ${#missing[@]} -gt 0 ]] ||
    [[ ${#wanted[@]} -gt 0 && $(cat "$tried" 2>/dev/null || true) != "${wanted_packages[*]}" ]]; then
    if apt=$(apt_prefix); then
        read -r -a apt_words <<<"$apt"
        install_with_apt "${apt_words[@]}"
        survey
        mkdir -p "$(dirname "$tried")"
        echo "${wanted_packages[*]}" >"$tried"
    fi
fi

for thing in "${wanted[@]}"; do
    echo "bootstrap: not here, and not needed: $thing" >&2
done

if [[ ${#missing[@]} -gt 0 ]]; then
    {
        echo "Signet cannot be built here yet. Missing:"
        printf '  - %s\n' "${missing[@]}"
        if has apt-get; then
            drop_unusable_swift
            [[ ${#packages[@]} -eq 0 ]] || echo "As root: apt-get update && apt-get install ${packages[*]}"
        fi
        echo "Then give the same command again."
    } >&2
    exit 3
fi
