#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Checks the links inside the documentation's site: each page, anchor and picture must exist.

It reads what docc's renderer reads: the pages' JSON and the navigator's. Links to the guides begin
with the path that the site is served under; the guides' own links are zensical's to check. It does not
follow links to other sites.

    Scripts/site-links.py SITE PATH     findings, one per line; fails if there is one
"""

import json
import pathlib
import sys


def values(node, key):
    """Every value of a key, anywhere in the tree."""
    if isinstance(node, dict):
        if key in node:
            yield node[key]
        for child in node.values():
            yield from values(child, key)
    elif isinstance(node, list):
        for child in node:
            yield from values(child, key)


def is_elsewhere(url):
    return url.startswith(("https://", "http://", "mailto:"))


def used(page):
    """The identifiers that the page shows as links, in its text and in its lists."""
    content = {key: value for key, value in page.items() if key not in ("references", "identifier")}
    for name in values(content, "identifiers"):
        yield from name
    for key in ("identifier", "overridingIdentifier"):
        yield from (name for name in values(content, key) if isinstance(name, str))


def findings_of(path, page, anchors, guides):
    references = page.get("references", {})
    for name in sorted(set(used(page))):
        # In a declaration, a symbol of another module may be a name without a page.
        if name.startswith("doc:") and name not in references:
            yield f"{path}: {name} is used and not described"
    for name, reference in sorted(references.items()):
        url = reference.get("url")
        if url is None or is_elsewhere(url) or url in guides:
            continue
        target, _, anchor = url.partition("#")
        if target.lower() not in anchors:
            yield f"{path}: {name} leads to {target}, which is not there"
        elif anchor and anchor not in anchors[target.lower()]:
            yield f"{path}: {name} leads to {url}, which has no such anchor"


def navigated(node):
    yield from (path for path in values(node, "path") if not is_elsewhere(path))


def main(site, base):
    site = pathlib.Path(site)
    guides = {f"{base}{path.parent.relative_to(site).as_posix()}/" for path in site.rglob("index.html")}
    pages = {
        "/" + path.relative_to(site / "data").with_suffix("").as_posix(): json.loads(
            path.read_text(encoding="utf-8")
        )
        for path in sorted((site / "data").rglob("*.json"))
    }
    anchors = {path.lower(): set(values(page, "anchor")) for path, page in pages.items()}
    findings, links = [], 0
    for path, page in pages.items():
        links += len(page.get("references", {}))
        findings += findings_of(path, page, anchors, guides)
        for picture in values(page.get("references", {}), "variants"):
            for url in values(picture, "url"):
                if not is_elsewhere(url) and not (site / url.lstrip("/")).is_file():
                    findings.append(f"{path}: the picture {url} is not there")
    navigator = json.loads((site / "index" / "index.json").read_text(encoding="utf-8"))
    for path in sorted(set(navigated(navigator["interfaceLanguages"]))):
        if path.lower() not in anchors:
            findings.append(f"the navigator leads to {path}, which is not there")
    print("\n".join(findings) if findings else f"site-links: {links} in {len(pages)} pages resolve")
    return 1 if findings else 0


sys.exit(main(*sys.argv[1:]))
