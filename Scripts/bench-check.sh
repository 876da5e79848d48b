#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Counts instructions and allocations of operations (signet-counts in Benchmarks) and compares
# them with Benchmarks/thresholds.json; fails if one is above its threshold.
# Documentation/PERFORMANCE.md says what is counted.
#
#   bench-check.sh            compare
#   bench-check.sh --update   rewrite the file: after a change that is meant to cost more, or that costs less
#
# Without valgrind or Python 3 nothing is counted and nothing fails, unless SIGNET_REQUIRE_COUNTS=1
# (CI).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
[[ -z $mode || $mode == --update ]] || {
    echo "usage: bench-check.sh [--update]" >&2
    exit 2
}

for program in valgrind python3; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "bench-check: not here: $program; nothing was counted" >&2
        [[ -z ${SIGNET_REQUIRE_COUNTS:-} && -z $mode ]] || exit 1
        exit 0
    fi
done

# consumer.sh builds the libraries in the same place, with the same flags, so the second of the two
# scripts compiles little.
build=(--package-path Benchmarks -c release --scratch-path .build/release-check)
start=$SECONDS
for product in signet-counts CountAllocations; do swift build "${build[@]}" --product "$product"; done
folder=$(swift build "${build[@]}" --show-bin-path)
echo "bench-check: built in $((SECONDS - start)) s"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Callgrind takes very long to read debug information, or crashes on it.
strip -o "$work/signet-counts" "$folder/signet-counts"

# Fixes what would make the same program count differently on another machine or at another time: an
# inherited environment, seeds of hash tables, symbols that are bound on first use, and the C
# library's versions of memcpy for other processors and caches.
environment=(
    env -i PATH="$PATH" SWIFT_DETERMINISTIC_HASHING=1 LD_BIND_NOW=1 MALLOC_ARENA_MAX=1
    GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-AVX_Fast_Unaligned_Load,-BMI1,-BMI2,-LZCNT,-MOVBE,-ERMS,-FSRM,-RTM,-SSE4_1,-SSE4_2,-SSSE3,-Fast_Unaligned_Copy,-Prefer_No_VZEROUPPER:glibc.cpu.x86_data_cache_size=0x8000:glibc.cpu.x86_shared_cache_size=0x100000:glibc.cpu.x86_non_temporal_threshold=0xc0000:glibc.cpu.x86_rep_movsb_threshold=0x4000:glibc.malloc.tcache_count=7"
)
start=$SECONDS
for operation in $("$work/signet-counts" list); do
    "${environment[@]}" LD_PRELOAD="$folder/libCountAllocations.so" "$work/signet-counts" allocations "$operation"
done >"$work/allocations"
(cd "$work" && "${environment[@]}" valgrind --tool=callgrind --instr-atstart=no --dump-line=no \
    --compress-strings=no --compress-pos=no --callgrind-out-file=dump ./signet-counts instructions >counted 2>log) || {
    tail -n 20 "$work/log" >&2
    exit 1
}
echo "bench-check: counted in $((SECONDS - start)) s"

architecture=$(uname -m)
swift=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1)
python3 Scripts/bench-counts.py "$mode" "$architecture" "$swift" "$("$work/signet-counts" libcrypto)" \
    Benchmarks/thresholds.json "$work"
