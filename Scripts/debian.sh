#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command in a Debian of its own, with this clone.
#
#   debian.sh 12|13 COMMAND           in bash, in this folder, with this machine's Swift
#   debian.sh 12|13 --fresh COMMAND   in a minimal system, without Swift; what changes there is lost
#
# Debian 12 has OpenSSL 3.0, Debian 13 has 3.5. The roots are made once by debootstrap, in
# ~/.cache/signet, and are then kept. It needs root for chroot and for mounts, which are the
# command's alone: they end with it. Exits 77 where that cannot be done, and says why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What Swift's toolchain itself needs, and the FIPS provider. All else is bootstrap.sh's to install.
wanted=(ca-certificates git binutils gcc g++ libc6-dev libncurses6 libedit2 libsqlite3-0 libxml2 zlib1g-dev tzdata openssl make)
case ${1:-} in
12) suite=bookworm wanted+=(libstdc++-12-dev) ;;
13) suite=trixie wanted+=(libstdc++-14-dev openssl-provider-fips) ;;
*) set -- ;;
esac
fresh=
[[ ${2:-} != --fresh ]] || { fresh=yes; set -- "$1" "${@:3}"; }
[[ $# -eq 2 ]] || { echo "usage: debian.sh 12|13 [--fresh] COMMAND" >&2; exit 2; }
readonly name=debian$1
readonly place=${XDG_CACHE_HOME:-$HOME/.cache}/signet
readonly minimal=$place/$name-minimal

cannot() {
    echo "$name: did not run, because $1" >&2
    exit 77
}

[[ $(id -u) == 0 ]] || cannot "only root may change into another system's root"
unshare --mount true 2>/dev/null || cannot "this system allows no mounts (unshare --mount)"

[[ -n $fresh ]] || command -v swift >/dev/null || cannot "swift is not in PATH"
tree=$place/$name
[[ -z $fresh ]] || tree=$minimal
mkdir -p "$place"
exec 9>"$place/$name.lock"
flock 9
if [[ ! -e $tree/etc/signet-complete && ! -e $minimal/etc/signet-complete ]]; then
    if ! command -v debootstrap >/dev/null; then
        apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1 ||
            cannot "debootstrap is not here, and apt-get could not install it"
    fi
    rm -rf "$minimal"
    debootstrap --variant=minbase "$suite" "$minimal" >"$place/$name.log" 2>&1 ||
        cannot "debootstrap failed: $(tail -n 1 "$place/$name.log") ($place/$name.log)"
    touch "$minimal/etc/signet-complete"
fi
if [[ ! -e $tree/etc/signet-complete ]]; then
    rm -rf "$tree"
    cp -a "$minimal" "$tree"
    rm "$tree/etc/signet-complete"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    chroot "$tree" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c 'apt-get update -qq && exec apt-get install -y -qq --no-install-recommends "$@"' apt "${wanted[@]}" \
        >"$place/$name.log" 2>&1 || cannot "apt-get failed: $(tail -n 1 "$place/$name.log") ($place/$name.log)"
    touch "$tree/etc/signet-complete"
fi
exec 9>&-

# What the build reads from this machine, each at its own place: this clone and the published
# vectors beside it, the toolchain, and the folders from which git is told to fetch packages.
toolchain=/nonexistent
if [[ -z $fresh ]]; then
    toolchain=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
    [[ $toolchain != /usr ]] || cannot "swift is part of this system, in /usr: it needs one in a folder of its own"
fi
readonly toolchain
mapfile -t packages < <(git config --get-regexp 'url\..*\.insteadof' | sed -nE 's/^url\.(\/[^ ]*)\.insteadof .*/\1/p' | sort -u)
shared=../shared
[[ ! -d $shared ]] || shared=$(realpath "$shared")
# shellcheck disable=SC2016 # what the shell inside expands
NAME=$name ROOT=$tree FRESH=$fresh FOLDER=$PWD SHARED=$shared TOOLCHAIN=$toolchain COMMAND=$2 exec unshare --mount --pid --fork --kill-child -- bash -euo pipefail -c '
    mount --make-rprivate /
    if [[ -n $FRESH ]]; then
        mount -t tmpfs changes /mnt
        mkdir /mnt/upper /mnt/work /mnt/root
        mount -t overlay -o "lowerdir=$ROOT,upperdir=/mnt/upper,workdir=/mnt/work" root /mnt/root
        ROOT=/mnt/root
    fi
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
        HOME=/root LC_ALL=C.UTF-8 SIGNET_SYSTEM="$NAME-root" bash -euo pipefail -c "$COMMAND"
' debian "${packages[@]}"
