#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Prints a pattern for swift test's --filter and --skip for each suite and test that has a tag.

    tagged-tests.py TAGS-FILE LISTING [TAG]

TAGS-FILE declares the tags, LISTING is the event stream of --list-tests. Without TAG, it prints the
tests that `make test` leaves out: those with the tag of a part that are not `sampled`.
"""

import json
import re
import sys

tags_file, listing = sys.argv[1:3]
tag = sys.argv[3] if len(sys.argv) > 3 else ""
with open(tags_file, encoding="utf-8") as file:
    parts = set(re.findall(r"static var (\w+):", file.read())) - {"sampled"}


def is_chosen(tags):
    return tag in tags if tag else bool(parts & tags) and "sampled" not in tags


with open(listing, encoding="utf-8") as file:
    for record in map(json.loads, file):
        test = record["payload"]
        # Swift 6.3 calls the tags "_tags", and puts a dot before each.
        tags = {name.split(".")[-1] for name in test.get("tags", test.get("_tags", []))}
        if record["kind"] != "test" or not is_chosen(tags):
            continue
        if test["kind"] == "suite":
            print("^" + re.escape(test["id"]) + "/")
        else:
            # A function's identifier ends with its place in the source, which swift test leaves
            # out.
            print("^" + re.escape(test["id"].rsplit("/", 1)[0]) + "(/|$)")
