#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Prints the files that a token walks through, and how many lines they have: the files with a line
# that one ES256 verification to typed claims executes, by the compiler's coverage. Fails above 33
# files or 3,300 lines.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/Sources/walk"
cp Scripts/walk/main.swift "$work/Sources/walk/"
cat >"$work/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "walk",
    dependencies: [.package(name: "signet", path: "$root")],
    targets: [
        .executableTarget(
            name: "walk", dependencies: [.product(name: "SignetJOSE", package: "signet")])
    ]
)
MANIFEST
# The format of the counts is that of the compiler: the distribution's own tools may not read it.
tools=$(dirname "$(readlink -f "$(command -v swift)")")
swift build --package-path "$work" --product walk \
    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping >"$work/build.log" 2>&1 || {
    cat "$work/build.log" >&2
    exit 1
}
LLVM_PROFILE_FILE="$work/walk.profraw" "$work/.build/debug/walk"
"$tools/llvm-profdata" merge -sparse "$work/walk.profraw" -o "$work/walk.profdata"
"$tools/llvm-cov" export -summary-only -instr-profile="$work/walk.profdata" \
    "$work/.build/debug/walk" >"$work/walk.json"
python3 - "$work/walk.json" "$root" <<'PYTHON'
import json, pathlib, sys

root = pathlib.Path(sys.argv[2], "Sources")
with open(sys.argv[1], encoding="utf-8") as file:
    files = json.load(file)["data"][0]["files"]
walked = []
for one in files:
    path = pathlib.Path(one["filename"])
    covered = one["summary"]["lines"]["covered"]
    if covered > 0 and root in path.parents:
        walked.append((str(path.relative_to(root)), covered, len(path.read_text().splitlines())))
for name, covered, lines in sorted(walked):
    print(f"{name}: {covered} of {lines} lines")
total = sum(lines for _, _, lines in walked)
print(f"walk: {len(walked)} files, {total} lines")
if not walked:
    sys.exit("walk: no file of Sources has a line that was executed")
if len(walked) > 33 or total > 3300:
    sys.exit("walk: a token walks through more than 33 files or 3,300 lines")
PYTHON
