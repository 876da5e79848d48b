#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Measures how the cost of a verification grows with the payload, the number of keys and the number of threads, and draws
# it: Documentation/Images/growth.csv and growth.svg. Needs Python 3, 2 GB of memory and two cores with nothing else to do.
#
#   bench-growth.sh [ROUNDS [MILLISECONDS]]   15 rounds of 10 ms for each point by default
#   bench-growth.sh --draw                    draw what was measured before
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly images=Documentation/Images
if [[ ${1:-} != --draw ]]; then
    build=(--package-path Benchmarks/Counts -c release --scratch-path .build/release-check)
    swift build "${build[@]}"
    folder=$(swift build "${build[@]}" --show-bin-path)
    mkdir -p "$images"
    "$folder/signet-counts" growth "$@" >"$images/growth.csv.new"
    mv "$images/growth.csv.new" "$images/growth.csv"
fi
python3 Scripts/growth-plot.py "$images/growth.csv" "$images/growth.svg"
