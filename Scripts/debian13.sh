#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command in a Debian 13 of its own (OpenSSL 3.5), with this clone and this machine's Swift.
#
#   debian13.sh COMMAND     in bash, in this folder
#
# The root is made once by debootstrap, in ~/.cache/signet/debian13, and is then kept. It needs root for
# chroot and for mounts, which are the command's alone: they end with it. Exits 77 where that cannot
# be done, and says why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly suite=trixie
readonly place=${XDG_CACHE_HOME:-$HOME/.cache}/signet
readonly tree=$place/debian13
# What Swift's toolchain itself needs, and the FIPS provider. All else is bootstrap.sh's to install.
readonly wanted=ca-certificates,git,binutils,gcc,g++,libc6-dev,libstdc++-14-dev,libncurses6,libedit2,libxml2,zlib1g-dev,tzdata,openssl,openssl-provider-fips,make

cannot() {
    echo "debian13: did not run, because $1" >&2
    exit 77
}

[[ $# -eq 1 ]] || { echo "usage: debian13.sh COMMAND" >&2; exit 2; }
[[ $(id -u) == 0 ]] || cannot "only root may change into another system's root"
unshare --mount true 2>/dev/null || cannot "this system allows no mounts (unshare --mount)"

command -v swift >/dev/null || cannot "swift is not in PATH"
mkdir -p "$place"
exec 9>"$place/debian13.lock"
flock 9
if [[ ! -e $tree/etc/signet-complete ]]; then
    if ! command -v debootstrap >/dev/null; then
        apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1 ||
            cannot "debootstrap is not here, and apt-get could not install it"
    fi
    rm -rf "$tree"
    debootstrap --variant=minbase --include=$wanted "$suite" "$tree" >"$place/debian13.log" 2>&1 ||
        cannot "debootstrap failed: $(tail -n 1 "$place/debian13.log") ($place/debian13.log)"
    touch "$tree/etc/signet-complete"
fi
exec 9>&-

# What the build reads from this machine, each at its own place: this clone and the published
# vectors beside it, the toolchain, and the folders from which git is told to fetch packages.
toolchain=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
[[ $toolchain != /usr ]] || cannot "swift is part of this system, in /usr: it needs one in a folder of its own"
readonly toolchain
mapfile -t packages < <(git config --get-regexp 'url\..*\.insteadof' | sed -nE 's/^url\.(\/[^ ]*)\.insteadof .*/\1/p' | sort -u)
shared=../shared
[[ ! -d $shared ]] || shared=$(realpath "$shared")
# shellcheck disable=SC2016 # what the shell inside expands
ROOT=$tree FOLDER=$PWD SHARED=$shared TOOLCHAIN=$toolchain COMMAND=$1 exec unshare --mount --pid --fork --kill-child -- bash -euo pipefail -c '
    mount --make-rprivate /
    mount -t proc proc "$ROOT/proc"
    mount --rbind /dev "$ROOT/dev"
    mount -t sysfs -o ro sys "$ROOT/sys"
    mount -t tmpfs -o mode=1777 tmp "$ROOT/tmp"
    show() { # a folder, at the same place in the root
        [[ -d $1 ]] || return 0
        mkdir -p "$ROOT$1"
        mount --bind "$@" "$ROOT$1"
    }
    show "$FOLDER"
    for folder in "$SHARED" "$TOOLCHAIN" "$@"; do show "$folder" -o ro; done
    # What the tests install for themselves is for one system.
    mkdir -p "$ROOT/var/cache/signet" "$FOLDER/.cache"
    mount --bind "$ROOT/var/cache/signet" "$ROOT$FOLDER/.cache"
    cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
    git config --list --system --null 2>/dev/null >/dev/null && cp /etc/gitconfig "$ROOT/etc/gitconfig" || true
    exec chroot "$ROOT" env --chdir="$FOLDER" PATH="$TOOLCHAIN/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        HOME=/root LC_ALL=C.UTF-8 bash -euo pipefail -c "$COMMAND"
' debian13 "${packages[@]}"
