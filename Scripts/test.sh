#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Runs swift test with the arguments given and prints swift test's own closing line last, whatever followed it.
# The line is kept in .build/closing-line, so that a longer run (make check) can end with it too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p .build
readonly log=.build/test.log
readonly closing_line=.build/closing-line
rm -f "$closing_line"

# Every test here is a Swift Testing test: with XCTest on as well, swift test would add "Executed 0 tests".
status=0
read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"

# Built by itself, with SwiftPM's own hash seed fixed: it passes the traits on in the order of a hash table, and in another
# order compiles everything anew. The tests run with a seed that differs, as a program does.
build=()
for ((i = 1; i <= $#; i++)); do
    case ${!i} in
        --filter | --skip) i=$((i + 1)) ;;
        --filter=* | --skip=* | --no-parallel | --parallel) ;;
        *) build+=("${!i}") ;;
    esac
done
what=(--build-tests)
# With a part of the test targets (Package.swift), neither snippets nor programs that those tests do not start.
[[ -z ${SIGNET_TEST_TARGETS:-} ]] || what=(--product signetPackageTests)
SWIFT_DETERMINISTIC_HASHING=1 swift build "${what[@]}" --disable-xctest "${flags[@]}" "${build[@]}" 2>&1 | tee "$log" || status=$?
[[ $status -eq 0 ]] || exit "$status"

# A target that is misspelt, or a test whose target is left out, would be missed by nobody.
if [[ -n ${SIGNET_TEST_TARGETS:-} ]]; then
    names=$(swift test list --skip-build --disable-xctest "${flags[@]}" "${build[@]}")
    expected=()
    for target in ${SIGNET_TEST_TARGETS//,/ }; do expected+=("^$target\."); done
    for ((i = 1; i < $#; i++)); do
        [[ ${!i} != --filter ]] || expected+=("${*:i+1:1}")
    done
    for wanted in "${expected[@]}"; do
        grep -qE -- "$wanted" <<<"$names" || {
            echo "test: no test of $SIGNET_TEST_TARGETS matches $wanted" >&2
            exit 1
        }
    done
fi

# One run for a part of the tests; all of them one group after the other. Swift Testing has as many threads as there are cores,
# and a test that computes or sleeps holds one of them: on a slow machine those that wait for a server, measure memory or race
# for one item came too late among 1 400 others. Threads that share a vault are among the vault's tests for that. The last
# groups run side by side: one computes, the other starts programs and waits for them. Three at once were 30 s faster of 520.
beside=()
groups=("")
case " $* ${SIGNET_TEST_TARGETS:+--filter}" in
    *" --filter"* | *" --skip"* | *" --sanitize"*) ;;
    *)
        starting='^(CommandLine|Interop|SecretService|VaultFault)Tests\.'
        vault='^(SignetVaultTests\.|ThreadTests\.(ChangeHub|FileVault|Vault))'
        beside=("--filter $starting")
        groups=(
            "--no-parallel --filter RemoteKeyTests.TransportTests --filter RemoteKeyTests.CurlTests"
            "--no-parallel --filter RemoteKeyTests.URLSessionTests"
            "--filter RemoteKeyTests --skip RemoteKeyTests.TransportTests --skip RemoteKeyTests.CurlTests --skip RemoteKeyTests.URLSessionTests"
            "--filter $vault" "--skip RemoteKeyTests --skip $vault --skip $starting"
        )
        ;;
esac

run() { # the group, arguments
    local chosen
    read -r -a chosen <<<"$1"
    swift test --skip-build --disable-xctest "${flags[@]}" "${chosen[@]}" "${@:2}" 2>&1
}

: >"$log"
total=0
died=
finish() { # the group, its result, its output
    cat "$3" >>"$log"
    [[ $2 -eq 0 ]] || status=$2
    # A group that died says nothing of a failure itself.
    [[ $2 -eq 0 ]] || grep -qaE 'Test run with .* failed after ' "$3" || died="test: ended with status $2: swift test $1"
    # Of more than one line the last: swift test repeats it, and a group may have been tried again.
    local count
    count=$(LC_ALL=C sed -nE 's/.*Test run with ([0-9]+) tests? .*/\1/p' "$3" | tail -n 1)
    total=$((total + ${count:-0}))
    [[ ${count:-0} -gt 0 ]] || {
        died="test: no test was run: swift test $1"
        [[ $status -ne 0 ]] || status=1
    }
}

for group in "${groups[@]}"; do
    # FoundationNetworking 6.3.1 now and then leaves an exchange unanswered until its time is over, on some machines more than
    # on others, whoever asks. The tests that are about it have three tries, and say so. No others have, but where there are no
    # headers of libcurl: then the tests of remote keys go over FoundationNetworking too.
    tries=1
    [[ $group != *"--filter RemoteKeyTests.URLSessionTests"* ]] || tries=3
    [[ $group != *"--filter RemoteKeyTests"* ]] || Scripts/bootstrap.sh --has libcurl || tries=3
    waiting=()
    together=()
    if [[ ${#beside[@]} -gt 0 && $group == "${groups[-1]}" ]]; then
        # SwiftPM lets one command at a time into .build, whichever comes first; these build nothing.
        together=(--ignore-lock)
        for ((i = 0; i < ${#beside[@]}; i++)); do
            run "${beside[i]}" "${together[@]}" "$@" >"$log.beside$i" &
            waiting+=($!)
        done
    fi
    while true; do
        result=0
        run "$group" "${together[@]}" "$@" | tee "$log.group" || result=$?
        tries=$((tries - 1))
        [[ $result -ne 0 && $tries -gt 0 ]] || break
        echo "test: '$group' is tried once more" >&2
    done
    for ((i = 0; i < ${#waiting[@]}; i++)); do
        other=0
        wait "${waiting[i]}" || other=$?
        cat "$log.beside$i"
        finish "${beside[i]}" "$other" "$log.beside$i"
    done
    finish "$group" "$result" "$log.group"
done
[[ ${#beside[@]} -eq 0 ]] || echo "test: $total tests in $((${#groups[@]} + ${#beside[@]})) groups"

# Of a run that failed, what failed: a log may be kept by its end alone, and four groups may have passed after the one that did not.
if [[ $status -ne 0 ]]; then
    echo "test: what failed"
    grep -aE '✘ .* recorded an issue' "$log" | sort -u | head -n 12 | cut -c 1-400 || true
    grep -aE 'Fatal error|error: |Sanitizer' "$log" | grep -av '↳' | sort -u | head -n 6 | cut -c 1-400 || true
fi

# The last group's, but a failing one's before it: of a run that failed none says that it passed.
lines=$(grep -aE 'Test run with [1-9][0-9]* tests?' "$log" || true)
failed=$(grep -a ' failed after ' <<<"$lines" || true)
if [[ -n $lines ]]; then
    tail -n 1 <<<"${died:-${failed:-$lines}}" >"$closing_line"
    if [[ $status -eq 0 && ${#beside[@]} -eq 0 && $(tail -n 1 "$log") == "$(cat "$closing_line")" ]]; then
        exit 0
    fi
    cat "$closing_line"
elif [[ -n $died ]]; then
    tee "$closing_line" <<<"$died" >&2
fi
exit "$status"
