# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the scripts that measure: builds for release and sets $bin and $cores. SKIP_BUILD=1 uses an existing build.

if [[ -z ${SKIP_BUILD:-} ]]; then
    echo "Building for release ..." >&2
    swift build -c release --product auth-server >&2
    swift build -c release --product dev-issuer >&2
fi
# shellcheck disable=SC2034  # both are for scripts that source this
bin=$(swift build -c release --show-bin-path)
# shellcheck disable=SC2034
cores=$(nproc)

need() { # command, package
    command -v "$1" >/dev/null || { echo "${0##*/}: $1 is needed (package $2)" >&2; exit 3; }
}
