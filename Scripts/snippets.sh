#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Compiles and runs every file of Snippets/, and has Scripts/examples.py check that each example in the documents and
# doc comments is part of one. So an example that a reader copies has been built and run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

Scripts/examples.py

mapfile -t snippets < <(find Snippets -name '*.swift' | sort)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"
swift build "${flags[@]}"
folder=$(swift build --show-bin-path)
for snippet in "${snippets[@]}"; do
    name=$(basename "$snippet" .swift)
    echo "snippets: running $name"
    if ! "$folder/$name" </dev/null >"$work/output" 2>&1; then
        cat "$work/output" >&2
        echo "snippets: $snippet failed" >&2
        failures=$((failures + 1))
    fi
done

# What is kept must open at the next start.
for start in first second; do
    STATE_DIRECTORY=$work/state "$folder/EndWithoutLoss" </dev/null >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        echo "snippets: the $start start of EndWithoutLoss in one folder failed" >&2
        failures=$((failures + 1))
    }
done

[[ $failures -eq 0 ]] || exit 1
echo "snippets: ${#snippets[@]} built and run"
