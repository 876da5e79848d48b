# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# For the examples' load.sh, which source it beside their servers.sh: measures what a route costs and whether memory grows, and tries slow
# clients. The server at $port is the process $process; requests carry $token, and $work is a folder. Costs are the processor time of that
# process (utime + stime), so that neither wrk nor other programs on the machine count. RUNS=5, SECONDS_EACH=5, CONNECTIONS=8,
# REQUESTS=1000000.

: "${process:?of the server}" "${port:?of the server}" "${token:?}" "${work:?a folder}"
command -v wrk >/dev/null || { echo "${0##*/}: wrk is needed (package wrk)" >&2; exit 3; }
runs=${RUNS:-5} seconds=${SECONDS_EACH:-5} requests=${REQUESTS:-1000000} missed=0
connections=${CONNECTIONS:-8} hertz=$(getconf CLK_TCK)

# A process's time in seconds. The fields follow the program's name, which is in parentheses and may hold spaces.
spent() { sed 's/.*) //' "/proc/$1/stat" | awk -v hertz="$hertz" '{ print ($12 + $13) / hertz }'; }

load() { # path, seconds, a script for wrk, whose requests may be refused: prints how many requests were answered
    local out with=(-H "Authorization: Bearer $token") bad='Non-2xx|Socket errors'
    [[ $# -lt 3 ]] || with=(-s "$3") bad='Socket errors'
    out=$(wrk -t 2 -c "$connections" -d "$2s" "${with[@]}" "http://127.0.0.1:$port$1")
    ! grep -qE "$bad" <<<"$out" || fail "$1: $(grep -E "$bad" <<<"$out")"
    awk '/requests in/ { print $1 }' <<<"$out"
}
each() { # processor time before, after, count: microseconds for one
    awk -v before="$1" -v after="$2" -v count="$3" 'BEGIN { printf "%.2f\n", (after - before) / count * 1e6 }'
}
route() { # path
    local before count
    before=$(spent "$process")
    count=$(load "$1" "$seconds")
    each "$before" "$(spent "$process")" "$count"
}

declare -A turns=()
# Measures each column RUNS times, in turns, so that other load on the machine affects all of them alike.
table() { # what is measured, a command for one measurement of a column, the columns
    local run column one
    printf '| %-22s |' "$1"
    printf ' %20s |' "${@:3}"
    printf '\n|------------------------|'
    for column in "${@:3}"; do printf -- '---------------------:|'; done
    for run in $(seq 1 "$runs"); do
        printf '\n| run %-18s |' "$run"
        for column in "${@:3}"; do
            one=$("$2" "$column") || exit 1
            turns[$column]+="$one "
            printf ' %20s |' "$one"
        done
    done
    printf '\n| %-22s |' median
    for column in "${@:3}"; do printf ' %20s |' "$(median "$column")"; done
    echo
}
median() { # column
    tr ' ' '\n' <<<"${turns[$1]}" | sort -n |
        awk 'NF { all[++count] = $1 } END { print all[int((count + 1) / 2)] }'
}

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$process/status"; }

# Prints the resident memory after every 100,000 requests. At the end it may be at most so much above what it was after the first fifth.
memory() { # KiB, a command that sends requests and prints how many
    local sent=0 line=100000 warm=0 some now
    printf 'requests  resident (KiB)\n%8d  %d\n' 0 "$(resident)"
    while [[ $sent -lt $requests ]]; do
        some=$("${@:2}") || exit 1
        sent=$((sent + some)) now=$(resident)
        [[ $warm -ne 0 || $sent -lt $((requests / 5)) ]] || warm=$now
        [[ $sent -ge $line || $sent -ge $requests ]] || continue
        line=$((sent / 100000 * 100000 + 100000))
        printf '%8d  %d\n' "$sent" "$now"
    done
    echo "memory: $((now - warm)) KiB between the warm-up and $sent requests"
    [[ $now -le $((warm + $1)) ]] || { echo "memory grew by more than $1 KiB"; missed=1; }
}

slow_clients() { python3 ../Scripts/slow.py "$port" || missed=1; }
