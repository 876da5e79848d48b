#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Measures rotations of refresh tokens, and their SQL statements alone, in SQLite and, if PostgreSQL
# is installed, in a new cluster on this disk with default settings.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(-c release --package-path Benchmarks --product accounts-benchmarks)
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/accounts-benchmarks

folder=$(mktemp -d)
chmod 755 "$folder"
mkdir -m 700 "$folder/sqlite" "$folder/postgres"
as=()
[[ $(id -u) != 0 ]] || as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
programs=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1 || true)
finish() {
    [[ ! -f $folder/postgres/data/postmaster.pid ]] ||
        "${as[@]}" "$programs/pg_ctl" -D "$folder/postgres/data" -m immediate stop >/dev/null
    rm -rf "$folder"
}
trap finish EXIT

if [[ -z $programs ]]; then
    echo "bench-accounts: PostgreSQL is not here (package postgresql)" >&2
    "$program" "$folder/sqlite"
    exit
fi
[[ $(id -u) != 0 ]] || chown postgres "$folder/postgres"
"${as[@]}" "$programs/initdb" -D "$folder/postgres/data" -U admin --auth=trust -E UTF8 --locale=C >/dev/null
"${as[@]}" "$programs/pg_ctl" -D "$folder/postgres/data" -w -l /dev/null \
    -o "-k $folder/postgres -c listen_addresses=" start >/dev/null
connection="host=$folder/postgres user=admin dbname=postgres"
"${as[@]}" "$programs/psql" -q "$connection" -c 'CREATE SCHEMA accounts'
"$program" "$folder/sqlite" "$connection" accounts
