#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Compiles and runs every file of Snippets/, and checks that each ```swift block of the documents is, line by line,
# part of one of them: an example that a reader copies has been built and run. Indentation and blank lines do not
# count. A block that cannot be a snippet (a Package.swift line, say) is fenced ```swift no-snippet.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t documents < <(find . -path '*/.*' -prune -o -name '*.md' -print | sed 's#^\./##' | sort)
snippets=()
[[ ! -d Snippets ]] || mapfile -t snippets < <(find Snippets -name '*.swift' | sort)

squeeze() { # one line without its indentation, nothing for a blank one
    sed -E 's/^[[:space:]]+//; s/[[:space:]]+$//; /^$/d'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for snippet in "${snippets[@]}"; do
    { echo; squeeze <"$snippet"; } >"$work/$(basename "$snippet").flat"
done

failures=0
blocks=0
for document in "${documents[@]}"; do
    rm -f "$work"/block.*
    awk -v folder="$work" '
        inside && /^[[:space:]]*```[[:space:]]*$/ { inside = 0; close(name); next }
        inside { print > name }
        !inside && /^[[:space:]]*```swift[[:space:]]*$/ { inside = 1; name = folder "/block." FNR; printf "" > name }
    ' "$document"
    for block in "$work"/block.*; do
        [[ -e $block ]] || continue
        blocks=$((blocks + 1))
        wanted=$'\n'$(squeeze <"$block")$'\n'
        found=no
        for flat in "$work"/*.flat; do
            [[ -e $flat ]] || continue
            if [[ $(cat "$flat")$'\n' == *"$wanted"* ]]; then
                found=yes
                break
            fi
        done
        if [[ $found == no ]]; then
            echo "snippets: $document:${block##*.}: this example is not part of any file in Snippets/" >&2
            failures=$((failures + 1))
        fi
    done
done

if [[ ${#snippets[@]} -gt 0 ]]; then
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
fi

[[ $failures -eq 0 ]] || exit 1
echo "snippets: ${#snippets[@]} built and run, $blocks blocks of the documents are part of them"
