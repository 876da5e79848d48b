# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the other scripts here, which source it. start_issuer and start_server start the issuer for
# development and the server on free ports, in a folder of their own; stop ends one of them, and
# both end with the script, whatever happens. It sets $work, $issuer and $server.

: "${bin:?the folder of the two programs}"
work=$(mktemp -d)
chmod 700 "$work"
declare -A running=()
# A limit on the size of files stands for a full disk (fill_disk). Exceeding it must be an error, not kill a program.
trap '' XFSZ

finish() {
    local status=$? name
    for name in "${!running[@]}"; do kill "${running[$name]}" 2>/dev/null || true; done
    wait 2>/dev/null || true
    if [[ $status -ne 0 && -s $work/server.log ]]; then
        echo "The last lines of the server's log:" >&2
        tail -n 20 "$work/server.log" >&2
    fi
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
    echo "${0##*/}: $1" >&2
    exit 1
}

# Waits for a file that a program writes once it listens, as long as the program runs.
await_file() { # file, process, name
    local _
    for _ in $(seq 1 600); do
        [[ ! -s $1 ]] || return 0
        kill -0 "$2" 2>/dev/null || fail "$3 did not start"
        sleep 0.1
    done
    fail "$3 did not listen within a minute"
}

start_issuer() { # options
    rm -f "$work/issuer"
    "$bin/dev-issuer" --issuer-file "$work/issuer" "$@" 2>>"$work/issuer.log" &
    running[issuer]=$!
    await_file "$work/issuer" $! "dev-issuer"
    issuer=$(cat "$work/issuer")
}

export GOOGLE_CLIENT_ID="dev-client,dev-client-web" AUTH_ISSUER="https://auth.company.example"
export AUTH_DATABASE="$work/people.sqlite" AUTH_VAULT="$work/keys.vault" AUTH_VAULT_KEY_FILE="$work/vault.key"
unset AUTH_ALLOWED_DOMAINS AUTH_CODES_FILE AUTH_SMTP AUTH_PROXIES AUTH_VAULT_CREDENTIAL AUTH_HOST AUTH_LOG_LEVEL AUTH_WEBSITE AUTH_SECRET AUTH_SECRET_1 AUTH_SECRET_2 AUTH_SECRET_3

start_server() { # settings as NAME=VALUE
    rm -f "$work/port"
    env AUTH_DEV_ISSUER="$issuer" AUTH_PORT=0 AUTH_PORT_FILE="$work/port" "$@" "$bin/auth-server" \
        >>"$work/server.log" &
    running[server]=$!
    await_file "$work/port" $! "auth-server"
    # shellcheck disable=SC2034  # for scripts that source this
    server=http://127.0.0.1:$(cat "$work/port")
}

# Lets the server write to no file past its first 4 KiB, and lets it write to all again.
fill_disk() { prlimit --pid "${running[server]}" --fsize=4096:unlimited; }
empty_disk() { prlimit --pid "${running[server]}" --fsize=unlimited:unlimited; }

# Ends one of the two, and fails unless it exits by itself with status 0.
stop() { # issuer or server
    local process=${running[$1]} status=0
    unset "running[$1]"
    kill -TERM "$process"
    wait "$process" || status=$?
    [[ $status -eq 0 ]] || fail "$1 ended with status $status after SIGTERM"
}

# An ID token from the issuer. The argument is the body of POST /dev/token.
mint() {
    curl -sS --fail --max-time 10 -H 'Content-Type: application/json' -d "$1" "$issuer/dev/token" |
        sed -nE 's/.*"id_token":"([^"]+)".*/\1/p'
}
