#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Prints the package's copyright file (Debian's format, version 1.0): a paragraph for each published
suite of vectors, made from their manifest. A licence that has no text here fails."""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
FIGURES = FOLDER.parent.parent / "TestVectors" / "Figures"

# The licence of a suite as the manifest names it: its name in the copyright file and its holder.
LICENCES = {
    "Apache-2.0": ("Apache-2.0", "the Signet authors"),
    "BSD-1-Clause (C2SP code and data)": ("BSD-1-Clause", "2020 The C2SP Authors"),
    "BSD-3-Clause": ("BSD-3-Clause", "2014 Dominic Sayers"),
    "CC0-1.0": ("CC0-1.0", "the authors of the public suffix list"),
    "IETF Trust (figures of an RFC, transcribed as data)": ("IETF-Trust", "IETF Trust and the authors"),
    "MIT": ("MIT", "2013 Eduardo Gulias Davis"),
    "MIT (Copyright 2014 Dmitriy Vsekhvalnov)": ("MIT", "2014 Dmitriy Vsekhvalnov"),
    "Unlicense": ("Unlicense", "none, dedicated to the public domain"),
    "public domain (NIST)": ("public-domain", "none"),
    "public domain (Ed25519 authors)": ("public-domain", "none"),
}
PUBLIC_DOMAIN = {
    "public domain (NIST)": "A work of the United States government (17 U.S.C. 105), published by NIST.",
    "public domain (Ed25519 authors)": "Placed in the public domain by the authors of Ed25519.",
}


def paragraphs(suites):
    """One paragraph for each document and licence."""
    documents = {}
    for suite in suites:
        if suite["licence"] not in LICENCES:
            sys.exit(f"copyright: {suite['path']} has a licence without a text: {suite['licence']}")
        documents.setdefault((suite["source"]["document"], suite["licence"]), []).append(suite)
    for (document, licence), members in sorted(documents.items()):
        name, holder = LICENCES[licence]
        files = "\n ".join("TestVectors/Figures/" + member["path"] for member in members)
        text = f"\n {PUBLIC_DOMAIN[licence]}" if licence in PUBLIC_DOMAIN else ""
        versions = "\n ".join(sorted({member["source"]["version"] for member in members}))
        yield (f"Files: {files}\nCopyright: {holder}\nLicense: {name}{text}\n"
               f"Comment: {document}\n {versions}\n")


def main():
    manifest = json.loads((FIGURES / "MANIFEST.json").read_text("utf-8"))
    print((FOLDER / "copyright.head").read_text("utf-8"))
    print("\n".join(paragraphs(manifest["suites"])))
    print((FOLDER / "licences").read_text("utf-8"), end="")


main()
