#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the site of all products from their doc comments and .docc catalogues into .build/docs, for
# static hosting: one archive per product, merged into one site with an index page. It fails on a
# warning of docc (a link that leads nowhere or is ambiguous, an undocumented parameter), a product
# without a catalogue, a landing page that does not name every type, a link inside the site that leads
# nowhere, and a list of public declarations that is not what the modules declare (Documentation/API.txt).
#
#   docs.sh [--base-path PATH]      the path that the site will be served under; / by default
#
# It reads symbols from the modules that `swift build` makes, so this package needs no plug-in.
# The modules for Hummingbird have symbols only with their trait on, so they are built where `make
# test-hummingbird` builds them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

base_path=/
if [[ ${1:-} == --base-path ]]; then base_path=$2; fi

docc=$(command -v docc || true)
[[ -n $docc ]] || docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[[ -x $docc ]] || { echo "docs: there is no docc beside swift" >&2; exit 1; }

read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"
swift build "${flags[@]}"
built=$(swift build "${flags[@]}" --show-bin-path)

# Modules that others use come first: a page can only link to modules that were built before it.
modules=(
    SignetBase SignetCrypto SignetJSON SignetFoundation SignetEmail SignetJOSE
    SignetSessionTokens SignetIdentity SignetSignIn SignetCurl SignetHummingbird
    SignetAudit SignetVault SignetVaultTesting SignetSecretService SignetSession SignetSessionTesting
    SignetSupabase SignetSupabaseAdmin SignetLogin SignetAccounts SignetAccountsTesting SignetPostgres
    SignetSMTP SignetGoTrue SignetHummingbirdAccounts SignetHummingbirdGoTrue
)
fail() {
    echo "docs: $1" >&2
    exit 1
}
products=$(Scripts/package.py products | grep -v "^_")
while read -r product; do
    [[ " ${modules[*]} " == *" $product "* ]] || fail "$product is not in the list of modules"
done <<<"$products"

readonly with_hummingbird=.build/hummingbird
read -r -a flags <<<"$(SIGNET_TRAITS=Hummingbird Scripts/bootstrap.sh --flags)"
swift build "${flags[@]}" --scratch-path "$with_hummingbird" --target SignetHummingbirdGoTrue

# The C modules that a build's modules import.
read_maps() { # module maps beside those of this package
    local map
    maps=()
    while read -r map; do
        [[ ! -r $map ]] || maps+=(-Xcc "-fmodule-map-file=$(readlink -f "$map")")
    done < <(
        find Sources -name module.modulemap
        printf '%s\n' "$@"
    )
}
target=$(swift -print-target-info | sed -nE 's/^ *"unversionedTriple": "([^"]+)".*/\1/p' | head -n 1)

readonly work=.build/docs-work site=.build/docs
rm -rf "$work" "$site"
archives=() dependencies=() failures=0
for module in "${modules[@]}"; do
    catalogue=$(Scripts/package.py path "$module")/$module.docc
    symbols=$work/symbols/$module
    archive=$work/$module.doccarchive
    [[ -r $catalogue/$module.md ]] || fail "$catalogue/$module.md is not there"
    mkdir -p "$symbols"
    if [[ $module == SignetHummingbird* ]]; then
        folder=$with_hummingbird/debug
        read_maps "$folder"/*.build/module.modulemap "$with_hummingbird"/checkouts/*/Sources/*/include/module.modulemap
    else
        folder=$built
        read_maps
    fi
    # A page of Documentation is an article as well if the landing page names it.
    staged=$work/catalogues/$module.docc
    mkdir -p "$work/catalogues"
    cp -r "$catalogue" "$staged"
    while read -r name; do cp "Documentation/$name.md" "$staged"; done < <(
        sed -nE 's/^- <doc:([A-Z]+(-[A-Z]+)+)>$/\1/p' "$catalogue/$module.md"
    )
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$folder/Modules" "${maps[@]}" \
        -minimum-access-level public -skip-inherited-docs -emit-extension-block-symbols -output-dir "$symbols"
    "$docc" convert "$staged" --additional-symbol-graph-dir "$symbols" --output-path "$archive" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --fallback-default-module-kind Library --hosting-base-path "$base_path" \
        --enable-experimental-external-link-support "${dependencies[@]}" \
        --ide-console-output >"$work/log" 2>&1 || failures=$((failures + 1))
    # Shows each on its own line, with file and place.
    if grep -E '(warning|error): ' "$work/log" | sed "s#$PWD/##; s#$work/catalogues/#Sources/*/#" >&2; then failures=$((failures + 1)); fi
    archives+=("$archive")
    dependencies+=(--dependency "$archive")
    pages=$(find "$archive/data" -name '*.json' | wc -l)
    echo "docs: $module: $pages pages"
done
Scripts/landing-pages.py "$work/symbols" || failures=$((failures + 1))
Scripts/api.py "$work/symbols" || failures=$((failures + 1))
[[ $failures -eq 0 ]] || fail "$failures of the above must be mended"

"$docc" merge "${archives[@]}" --output-path "$site" --synthesized-landing-page-name Signet \
    --synthesized-landing-page-kind "Swift package" --synthesized-landing-page-topics-style list
rm -rf "$work"
Scripts/index-page.py "$site" || fail "the first page could not be written"
Scripts/site-links.py "$site" || fail "the site has the findings above"

# Our code has 100 columns, but a page has room for only 80 in the renderer's own size. A line that
# is wider than the page continues below, four columns in, so that no one has to scroll.
for sheet in "$site"/css/index.*.css; do
    cat >>"$sheet" <<'SHEET'
.code-listing pre>code{font-size:.75rem!important;white-space:pre-wrap;overflow-wrap:break-word}
.code-listing .code-line-container{padding-left:4ch;text-indent:-4ch}
SHEET
done

# The first page is at /documentation, so / leads there.
cat >"$site/index.html" <<'PAGE'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signet</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<p><a href="documentation/">Signet: documentation</a></p>
</html>
PAGE
echo "docs: $(find "$site/data" -name '*.json' | wc -l) pages in $site"
