#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
#   install.sh FOLDER    copies what release.sh built into $DESTDIR$PREFIX, and notes what it copied
#   install.sh --remove  removes what the note there names, and folders that are empty then
#
# PREFIX is /usr/local unless it is set.
set -euo pipefail
umask 022

readonly target=${DESTDIR:-}${PREFIX:-/usr/local} note=share/signet/installed
[[ ${PREFIX:-/usr/local} == /* ]] || { echo "install: PREFIX is an absolute path" >&2; exit 2; }

if [[ $1 == --remove ]]; then
    [[ -e $target/$note ]] || { echo "install: nothing of Signet's is in $target" >&2; exit 1; }
    mapfile -t files <"$target/$note"
    for file in "${files[@]}" "$note"; do
        [[ $file != /* && /$file/ != */../* ]] || { echo "install: no file of ours: $file" >&2; exit 1; }
        rm -f "$target/$file"
    done
    find "$target/share/signet" -depth -type d -empty -delete
    echo "install: removed ${#files[@]} files from $target"
    exit
fi

cd "$1"
mapfile -t files < <(find . -type f -printf '%P\n' | LC_ALL=C sort)
for file in "${files[@]}"; do
    mode=644
    [[ $file != bin/* ]] || mode=755
    install -D -p -m "$mode" "$file" "$target/$file"
done
printf '%s\n' "${files[@]}" >"$target/$note"
echo "install: ${#files[@]} files in $target"
