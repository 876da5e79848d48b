#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# What others take for items of 300 bytes: python-keyring with the encrypted file of keyrings.alt, and libsecret with
# gnome-keyring. Prints the table of Documentation/PERFORMANCE.md. Each peer has SECONDS (60) to fill its store; one that is
# not installed is left out, with the reason on standard error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly seconds=${SECONDS_EACH:-60}
readonly venv=.cache/peers-venv
readonly requirements=Benchmarks/Peers/requirements.txt
readonly stamp=$venv/requirements.txt
# On a disk, like the vault's: gnome-keyring waits for it.
work=$(mktemp -d /var/tmp/signet-peers.XXXXXXXX)
readonly work
trap 'rm -rf "$work"' EXIT

left_out() { echo "peers: $1 left out: $2" >&2; }

keyring_file() {
    if ! cmp -s "$requirements" "$stamp" || ! "$venv/bin/python3" -c '' 2>/dev/null; then
        rm -rf "$venv"
        mkdir -p "$(dirname "$venv")"
        python3 -m venv "$venv" >/dev/null 2>&1 || { left_out keyring 'python3 has no venv'; return 0; }
        "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 30 \
            --requirement "$requirements" || { left_out keyring 'it could not be installed'; return 0; }
        cp "$requirements" "$stamp"
    fi
    mkdir -m 700 "$work/keyring"
    "$venv/bin/python3" Benchmarks/Peers/keyring_file.py "$work/keyring" "$seconds"
}

libsecret() {
    local program
    for program in dbus-run-session gnome-keyring-daemon pkg-config cc; do
        command -v "$program" >/dev/null 2>&1 || { left_out libsecret "$program is not installed"; return 0; }
    done
    pkg-config --exists libsecret-1 || { left_out libsecret 'libsecret-1-dev is not installed'; return 0; }
    # shellcheck disable=SC2046  # flags are words
    cc -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -o "$work/libsecret" Benchmarks/Peers/libsecret.c $(pkg-config --cflags --libs libsecret-1)
    mkdir -m 700 "$work/home" "$work/run"
    # A bus, a home and a keyring of their own; the daemon is ended by its number.
    # shellcheck disable=SC2016  # for the inner shell
    env -u DISPLAY -u WAYLAND_DISPLAY -u DBUS_SESSION_BUS_ADDRESS HOME="$work/home" XDG_DATA_HOME="$work/home/data" \
        XDG_RUNTIME_DIR="$work/run" WORK="$work" SECONDS_EACH="$seconds" dbus-run-session -- bash -c '
            printf "a passphrase" | gnome-keyring-daemon --foreground --unlock --components=secrets >"$WORK/daemon.log" 2>&1 &
            daemon=$!
            trap "kill $daemon 2>/dev/null" EXIT
            for _ in {1..50}; do
                [[ -e $XDG_DATA_HOME/keyrings/login.keyring ]] && break
                sleep 0.1
            done
            "$WORK/libsecret" "$SECONDS_EACH"' || left_out libsecret 'it failed'
}

{ keyring_file; libsecret; } | awk '
    function time(ns) {
        if (ns < 1e6) return sprintf("%.0f µs", ns / 1e3)
        if (ns < 1e9) return sprintf("%.2f ms", ns / 1e6)
        return sprintf("%.2f s", ns / 1e9)
    }
    BEGIN {
        title["keyring"] = "Python keyring, encrypted file"
        title["libsecret"] = "libsecret, gnome-keyring"
        print "| Peer | Items | Write of one item: median (p95) | Read by key: median (p95) |"
        print "|---|--:|--:|--:|"
    }
    { printf "| %s | %d | %s (%s) | %s (%s) |\n", title[$1], $2, time($3), time($4), time($5), time($6) }'
