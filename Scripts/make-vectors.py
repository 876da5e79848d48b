#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Turns published test vectors into the figures under TestVectors/Figures (format: TestVectors/README.md).

    Scripts/make-vectors.py [--check] [folder with the raw files]

The raw files are read in place and are not part of the repository; the default is ../shared/vectors. Every
run writes the same bytes. --check writes nothing and fails if the committed figures are not those bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from vectors import c2sp, domains, jose, jwe, mailbox, nist, rfc
from vectors.figures import FORMAT_VERSION

PROJECT = Path(__file__).resolve().parent.parent
FIGURES = PROJECT / "TestVectors" / "Figures"
RAW = PROJECT.parent / "shared" / "vectors"


def make(root: Path) -> dict[str, bytes]:
    """Every file below Figures/, by its path."""
    read = [*rfc.suites(root), *jose.suites(root), *jwe.suites(root), *nist.suites(root), *c2sp.suites(root),
            *mailbox.suites(root), *domains.suites(root)]
    suites = [suite for suite in read if suite.rows]
    unused = [{**entry, "what": f"{suite.document} {suite.name}: {entry['what']}"}
              for suite in read if not suite.rows for entry in suite.left_out]
    files = {suite.path: suite.encoded() for suite in suites}
    if len(files) != len(suites):
        raise ValueError("two suites have the same path")
    entries = sorted((suite.manifest_entry(root) for suite in suites), key=lambda entry: entry["path"])
    manifest = {"v": FORMAT_VERSION, "suites": entries, "leftOut": jose.left_out() + unused}
    files["MANIFEST.json"] = (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
    return files


def differences(files: dict[str, bytes]) -> list[str]:
    """The differences between the committed figures and `files`, in both directions."""
    present = {str(path.relative_to(FIGURES)) for path in FIGURES.rglob("*") if path.is_file()}
    found = [f"{name}: not made from the raw files" for name in sorted(present - files.keys())]
    for name, content in files.items():
        if name not in present:
            found.append(f"{name}: missing")
        elif (FIGURES / name).read_bytes() != content:
            found.append(f"{name}: differs")
    return found


def main() -> int:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("raw", nargs="?", type=Path, default=RAW, help=f"raw files (default {RAW})")
    parser.add_argument("--check", action="store_true", help="compare with the committed figures")
    options = parser.parse_args()
    files = make(options.raw)
    if options.check:
        found = differences(files)
        print("\n".join(found) or f"{len(files)} files are as made from {options.raw}")
        return 1 if found else 0
    for name, content in files.items():
        path = FIGURES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
