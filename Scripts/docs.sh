#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Builds the site into .build/docs, for static hosting. docc makes the reference, of all products' doc
# comments and .docc catalogues: one archive per product, merged. zensical makes the guides and their
# search, of Documentation, Snippets and the commands' own help (Scripts/site). It fails on a warning of
# docc (a link that leads nowhere or is ambiguous, an undocumented parameter), a product without a
# catalogue, a landing page that does not name every type, a link inside the site that leads nowhere,
# and a list of public declarations that is not what the modules declare (Documentation/API.txt).
#
# Where zensical cannot be installed, the site is the reference alone. With SIGNET_REQUIRE_INTEROP=1
# that is a failure.
#
#   docs.sh [--base-path PATH]      the path that the site will be served under; / by default
#
# It reads symbols from the modules that `swift build` makes, so this package needs no plug-in.
# The modules for Hummingbird have symbols only with their trait on, so they are built where `make
# test-hummingbird` builds them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

base_path=
if [[ ${1:-} == --base-path ]]; then base_path=$(sed -E 's#^/+|/+$##g' <<<"$2"); fi
base_path=/${base_path:+$base_path/}

docc=$(command -v docc || true)
[[ -n $docc ]] || docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[[ -x $docc ]] || { echo "docs: there is no docc beside swift" >&2; exit 1; }

Scripts/interop-venv.sh site
zensical=.cache/site-venv/bin/zensical
[[ -r .cache/site-venv/requirements.txt ]] || zensical=
[[ -n $zensical || ${SIGNET_REQUIRE_INTEROP:-} != 1 ]] || { echo "docs: the guides are required" >&2; exit 1; }

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
    # What an article names in code of the repository is a link to the site's page.
    staged=$work/catalogues/$module.docc
    mkdir -p "$work/catalogues"
    cp -r "$catalogue" "$staged"
    if [[ -n $zensical ]]; then
        sed -i -E "s#\`(Snippets/(\w+)\.swift)\`#[\2](${base_path}\1/)#g
            s#\`Documentation/([A-Z0-9-]+)\.md\`#[\1](${base_path}\1/)#g" "$staged"/*.md
        echo "<p style='margin: .6rem 1.3rem'><a href='$base_path'>Signet: guides and search</a></p>" >"$staged/header.html"
    fi
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$folder/Modules" "${maps[@]}" \
        -minimum-access-level public -skip-inherited-docs -emit-extension-block-symbols -output-dir "$symbols"
    "$docc" convert "$staged" --additional-symbol-graph-dir "$symbols" --output-path "$archive" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --fallback-default-module-kind Library --hosting-base-path "$base_path" \
        --experimental-enable-custom-templates --enable-experimental-external-link-support "${dependencies[@]}" \
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
if [[ -n $zensical ]]; then
    "$built/signet" --experimental-dump-help >"$work/help.json"
    Scripts/site/guides.py "$site" "$work/help.json" "$work" || fail "the guides have the findings above"
    "$zensical" build --strict --config-file "$work/mkdocs.yml" || fail "zensical has the findings above"
    Scripts/site/guides.py --index "$site" "$work/site/search.json"
    cp -r "$work/site/." "$site"
else
    echo '<!doctype html><meta http-equiv="refresh" content="0; url=documentation/">' >"$site/index.html"
fi
rm -rf "$work"
Scripts/site-links.py "$site" "$base_path" || fail "the site has the findings above"

# Our code has 100 columns, but a page has room for only 80 in the renderer's own size. A line that
# is wider than the page continues below, four columns in, so that nothing scrolls sideways.
for sheet in "$site"/css/index.*.css; do
    cat >>"$sheet" <<'SHEET'
.code-listing pre>code{font-size:.75rem!important;white-space:pre-wrap;overflow-wrap:break-word}
.code-listing .code-line-container{padding-left:4ch;text-indent:-4ch}
.declaration-group pre.source{white-space:pre-wrap;overflow-wrap:anywhere}
.table-wrapper :is(td,code){overflow-wrap:anywhere}
SHEET
done

echo "docs: $(find "$site/data" -name '*.json' | wc -l) pages of the reference and" \
    "$(find "$site" -name index.html -not -path '*/documentation/*' | wc -l) others in $site" \
    "(python3 -m http.server --directory $site)"
