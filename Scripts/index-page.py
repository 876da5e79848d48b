#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Writes the first page of the site: the products, grouped by what a reader wants to do, with tasks.

`docc merge` makes a first page that lists them by name. It is an error if a product is in no group,
or if the site lacks a product of a group.

    Scripts/index-page.py SITE
"""

import json
import pathlib
import sys

# The products of each group, in the order in which a reader needs them.
GROUPS = {
    "Verify and issue tokens": ["SignetJOSE", "SignetSessionTokens", "SignetIdentity"],
    "Sign people in": ["SignetSignIn", "SignetSupabase", "SignetEmail"],
    "Run a sign-in server": [
        "SignetHummingbird",
        "SignetHummingbirdAccounts",
        "SignetHummingbirdGoTrue",
        "SignetAccounts",
        "SignetPostgres",
        "SignetSMTP",
        "SignetGoTrue",
        "SignetSupabaseAdmin",
    ],
    "Stay signed in on a client": ["SignetSession", "SignetLogin"],
    "Keep and seal secrets": [
        "SignetVault",
        "SignetSecretService",
        "SignetCrypto",
    ],
    "Reach the network": ["SignetCurl"],
    "Prove and test": [
        "SignetAudit",
        "SignetVaultTesting",
        "SignetSessionTesting",
        "SignetAccountsTesting",
    ],
    "What the others use": ["SignetBase", "SignetFoundation", "SignetJSON"],
}

ABSTRACT = (
    "Verify and issue tokens, sign people in, keep secrets, and run a server that holds their"
    " accounts."
)
PACKAGE = """\
dependencies: [
    .package(url: "file:///srv/signet", revision: "…")
],
targets: [
    .executableTarget(
        name: "server",
        dependencies: [.product(name: "SignetJOSE", package: "signet")])
]"""


def text(words):
    return {"type": "text", "text": words}


def paragraph(*parts):
    return {"type": "paragraph", "inlineContent": list(parts)}


def overview():
    """The content above the groups."""
    return [
        {"type": "heading", "level": 2, "text": "Start here", "anchor": "Start-here"},
        paragraph(
            text("Find below what you want to do. Each task is a page with code that was run. "),
            text("Name the product that it belongs to in your "),
            {"type": "codeVoice", "code": "Package.swift"},
            text(", with your clone of the repository and a commit of it:"),
        ),
        {"type": "codeListing", "syntax": "swift", "code": PACKAGE.splitlines()},
        paragraph(
            text("The repository's "),
            {"type": "codeVoice", "code": "README.md"},
            text(" says what to install, and which guides are beside this reference: "),
            text("limits, comparisons, threat models and formats."),
        ),
    ]


def tasks(data, module):
    """The module's task articles in its own order, and how its page refers to them."""
    page = json.loads((data / "documentation" / f"{module.lower()}.json").read_text(encoding="utf-8"))
    for section in page.get("topicSections", []):
        if section.get("title") == "Tasks":
            for identifier in section["identifiers"]:
                yield identifier, page["references"][identifier]


def regroup(navigator, modules):
    """The products in the site's side bar, in the same groups."""
    (root,) = navigator["interfaceLanguages"]["swift"]
    children = {child["title"]: child for child in root["children"] if "path" in child}
    root["children"] = []
    for title, names in GROUPS.items():
        root["children"].append({"title": title, "type": "groupMarker"})
        root["children"] += [children[name] for name in names if name in modules]


def main(site):
    data = pathlib.Path(site, "data")
    first = data / "documentation.json"
    page = json.loads(first.read_text(encoding="utf-8"))
    modules = {name.rpartition("/")[2]: name for name in page["references"]}
    grouped = [name for names in GROUPS.values() for name in names]
    odd = set(grouped) ^ set(modules)
    if odd or len(grouped) != len(modules):
        print(f"Scripts/index-page.py: in no group, in two, or not in the site: {sorted(odd)}")
        return 1
    page["abstract"] = [text(ABSTRACT)]
    page["primaryContentSections"] = [{"kind": "content", "content": overview()}]
    page["topicSections"] = []
    for title, names in GROUPS.items():
        identifiers = []
        for name in names:
            identifiers.append(modules[name])
            for identifier, reference in tasks(data, name):
                page["references"][identifier] = reference
                identifiers.append(identifier)
        page["topicSections"].append(
            {"title": title, "anchor": title.replace(" ", "-"), "identifiers": identifiers}
        )
    first.write_text(json.dumps(page), encoding="utf-8")

    index = pathlib.Path(site, "index", "index.json")
    navigator = json.loads(index.read_text(encoding="utf-8"))
    regroup(navigator, modules)
    index.write_text(json.dumps(navigator), encoding="utf-8")
    return 0


sys.exit(main(sys.argv[1]))
