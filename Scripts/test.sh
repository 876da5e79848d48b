#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the tests and runs some of them.
#
#   test.sh [--quick | --tag NAME] [options of swift test]
#
#   --quick   without the tests that have one of the tags in TestSupport/Tags.swift and are
#             not `sampled`
#   --tag     only the tests with this tag, at full effort (TestSupport/Effort.swift)
#
# SIGNET_TEST_TARGETS=A,B builds and runs only these test targets (Package.swift).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tags_file=$(Scripts/package.py path TestSupport/Tags.swift)
readonly tags_file
chosen_tag=
quick=
options=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --quick) quick=1 ;;
    --tag)
        [[ -n ${2:-} ]] || { echo "test: --tag needs a value" >&2; exit 2; }
        chosen_tag=$2
        shift
        ;;
    *) options+=("$1") ;;
    esac
    shift
done
[[ -z $chosen_tag ]] || grep -q "static var $chosen_tag:" "$tags_file" || {
    echo "test: $tags_file has no tag $chosen_tag" >&2
    exit 2
}

[[ -z $chosen_tag || (-z $quick && " ${options[*]} " != *" --filter"*) ]] || {
    echo "test: --tag goes with neither --quick nor --filter" >&2
    exit 2
}

# swift build gets all options except those that choose tests.
build=()
for ((i = 0; i < ${#options[@]}; i++)); do
    case ${options[i]} in
    --filter | --skip) i=$((i + 1)) ;;
    --filter=* | --skip=* | --no-parallel | --parallel) ;;
    *) build+=("${options[i]}") ;;
    esac
done
# Every test is a Swift Testing test: with XCTest on, swift test would add "Executed 0 tests".
read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"
flags+=(--disable-xctest)

swift build --product signetPackageTests "${flags[@]}" "${build[@]}"

# Before 6.4, swift test cannot choose by tag: this lists the tests with a tag and names them one by one.
# Only version 99 of the event stream contains tags.
tagged=()
if [[ -n $quick$chosen_tag ]]; then
    listing=$(mktemp)
    trap 'rm -f "$listing"' EXIT
    folder=$(swift build "${flags[@]}" "${build[@]}" --show-bin-path)
    "$folder/signetPackageTests.xctest" --testing-library swift-testing --list-tests \
        --event-stream-output-path "$listing" --experimental-event-stream-version 99 >/dev/null
    names=$(Scripts/tagged-tests.py "$tags_file" "$listing" "$chosen_tag")
    [[ -z $names ]] || mapfile -t tagged <<<"$names"
    [[ -n $quick || ${#tagged[@]} -gt 0 ]] || { echo "test: no test has the tag $chosen_tag" >&2; exit 1; }
fi
[[ -z $chosen_tag ]] || export SIGNET_FULL_EFFORT=1
choice=()
for name in "${tagged[@]}"; do
    if [[ -n $quick ]]; then choice+=(--skip "$name"); else choice+=(--filter "$name"); fi
done

status=0
exec 3> >(tee .build/test.log)
reader=$!
# Without a terminal, ends a run that does not end by itself, and shows its tests and its threads.
readonly minutes=${SIGNET_TEST_MINUTES:-25}
limit=()
if [[ ! -t 0 ]]; then
    limit=(timeout -k 10 "${minutes}m")
    {
        timeout $((minutes * 60 - 20)) tail --pid=$$ -f /dev/null ||
            Scripts/stacks.sh "$PWD/.build/.*signetPackageTests.xctest"
    } >.build/test.stacks 2>&1 3>&- </dev/null &
fi
"${limit[@]}" swift test --skip-build "${flags[@]}" "${choice[@]}" "${options[@]}" >&3 2>&1 3>&- || status=$?
exec 3>&-
timeout 10 tail --pid="$reader" -f /dev/null || {
    echo "test: a process outlived the tests and holds their output" >&2
    kill "$reader"
    status=1
}
if [[ $status -eq 124 || $status -eq 137 ]]; then
    # swift test leaves its child behind.
    pkill -KILL -P 1 -f "$PWD/.build/.*signetPackageTests.xctest" || true
    echo "test: not over after $minutes minutes; what had not ended:"
    awk '/^[^ ]+ (Test|Suite) .* (started|passed after .*|failed after .*)\.?$/ {
            name = $0
            sub(/^[^ ]+ /, "", name); sub(/ (started|passed after|failed after)[^"]*$/, "", name)
            sub(/ with [0-9]+ test cases?$/, "", name)
            if ($0 ~ / started\.?$/) open[name] = 1; else delete open[name]
        }
        END { for (name in open) if (name !~ /^Test case/) print "test:   " name }' .build/test.log |
        head -n 20 || true
    echo "test: where threads were"
    cat .build/test.stacks
fi
if [[ $status -ne 0 ]]; then
    # Of a log, only the end may be kept.
    echo "test: what failed"
    grep -aE '✘ .* recorded an issue|Fatal error|Sanitizer: ' .build/test.log |
        sort -u | head -n 20 | cut -c 1-400 || true
    grep -aE 'Test run with .* failed after ' .build/test.log | tail -n 1 || true
    exit 1
fi
# swift test succeeds even if its filters match nothing.
grep -qaE 'Test run with [1-9][0-9]* tests? .*passed after' .build/test.log || {
    echo "test: no test was run" >&2
    exit 1
}
