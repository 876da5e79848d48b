#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Keeps the list of public declarations, Documentation/API.txt, which is made of symbol graphs.

One line a declaration, by module, with the signature that the graph has. Left out is what follows
from a conformance, which the type's line names: members that protocols give, and `==`, `hash(into:)`,
`hashValue`, `init(from:)`, `encode(to:)` and an enumeration's `init(rawValue:)`, which the compiler
may have made (a graph does not say who did). A graph does not say `~Copyable` either.

    api.py FOLDER            compares the list with the graphs in FOLDER, one folder a module
    api.py FOLDER --write    writes it
    api.py                   compares it and CHANGELOG.md with those of a commit: $SIGNET_SINCE, or HEAD

If the list has changed since that commit, CHANGELOG.md must have changed as well, and what changed
there must name each type at the top level that is new or gone. `make docs` makes the graphs and
leaves them in .build/docs-work/symbols if the list is another. api_test.py has the cases.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

import package

LISTING = "Documentation/API.txt"
CHANGELOG = "CHANGELOG.md"
HEAD = """\
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Every public declaration, by module, as the compiler prints it. Scripts/api.py writes it, says what
# is left out, and wants a change of it in CHANGELOG.md.
"""
MADE_BY_COMPILER = re.compile(
    r"static func == \(|func hash\(into |var hashValue: Int |init\(from \w+: any Decoder\)"
    r"|func encode\(to \w+: any Encoder\)")
# What every type is, unless it says otherwise.
USUAL = {"Copyable", "Escapable", "SendableMetatype"}
TYPE = re.compile(r"(?:(?:@\w+|final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)")


def last(name):
    return name.rpartition(".")[2]


def where(constraints):
    """The clause of these constraints, but for those that every type meets."""
    signs = {"sameType": "==", "conformance": ":", "superclass": ":"}
    texts = [
        f"{each['lhs']} {signs[each['kind']]} {each['rhs']}" for each in constraints or ()
        if each["rhs"] not in USUAL]
    return " where " + ", ".join(texts) if texts else ""


def conformances(graph, names):
    """Of each type, by its identifier: where clauses, each with the protocols."""
    found = {}
    for each in graph["relationships"]:
        protocol = names.get(each["target"]) or each.get("targetFallback")
        if each["kind"] == "conformsTo" and protocol and last(protocol) not in USUAL:
            clause = where(each.get("swiftConstraints"))
            found.setdefault(each["source"], {}).setdefault(clause, set()).add(last(protocol))
    return found


def is_left_out(symbol, signature, kinds):
    parent = kinds.get(tuple(symbol["pathComponents"][:-1]))
    return (
        "::SYNTHESIZED::" in symbol["identifier"]["precise"] or MADE_BY_COMPILER.match(signature)
        or parent == "swift.enum" and signature.startswith("init?(rawValue: "))


def declarations(graph):
    """Pairs of a path, for the order, and the line."""
    names = {each["identifier"]["precise"]: each["pathComponents"][-1] for each in graph["symbols"]}
    kinds = {tuple(each["pathComponents"]): each["kind"]["identifier"] for each in graph["symbols"]}
    conforming = conformances(graph, names)
    for symbol in graph["symbols"]:
        path = symbol["pathComponents"]
        signature = " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())
        if is_left_out(symbol, signature, kinds):
            continue
        extension = symbol.get("swiftExtension", {})
        protocols = conforming.get(symbol["identifier"]["precise"], {})
        is_block = symbol["kind"]["identifier"] == "swift.extension"
        for clause in sorted(protocols if is_block else protocols.keys() - {""}):
            yield path, f"extension {'.'.join(path)}: {', '.join(sorted(protocols[clause]))}{clause}"
        if is_block:
            continue
        # A protocol's signature has those that it refines.
        if "" in protocols and symbol["kind"]["identifier"] != "swift.protocol":
            name, mark, rest = signature.partition(" where ")
            signature = f"{name}: {', '.join(sorted(protocols['']))}{mark}{rest}"
        parent, clause = ".".join(path[:-1]), where(extension.get("constraints"))
        # Of a type of another module, of a protocol, or with a clause of its own.
        if clause or extension.get("extendedModule") not in (None, graph["module"]["name"]) or (
                extension and kinds.get(tuple(path[:-1])) == "swift.protocol"):
            parent = f"extension {parent}{clause}"
        yield path, f"{parent} | {signature}" if parent else signature


def listing(root):
    """The text of the list, of the graphs in a folder."""
    text = HEAD
    for folder in sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir()):
        found = set()
        for file in folder.glob(f"{folder.name}*.symbols.json"):
            found |= {
                (tuple(path), line) for path, line in declarations(json.loads(file.read_text(encoding="utf-8")))}
        text += f"\n{folder.name}\n" + "".join(f"    {line}\n" for _, line in sorted(found))
    return text


def modules(text):
    """The lines of each module in a list."""
    found, lines = {}, []
    for line in text.splitlines():
        if line.startswith("    "):
            lines.append(line[4:])
        elif line and not line.startswith("#"):
            lines = found.setdefault(line, [])
    return found


def top_types(text):
    lines = (line for lines in modules(text).values() for line in lines)
    return {match[1] for match in map(TYPE.match, lines) if match}


def changes(old, new, old_changelog, new_changelog):
    """What the changelog does not tell of the list's changes."""
    if old == new:
        return
    if old_changelog == new_changelog:
        yield f"{LISTING} has changed, and {CHANGELOG} has not: say there what changes for whom"
    told = "\n".join(set(new_changelog.splitlines()) - set(old_changelog.splitlines()))
    before, after = top_types(old), top_types(new)
    for name in sorted(before ^ after):
        if not re.search(rf"\b{name}\b", told):
            yield f"{name} is {'new' if name in after else 'gone'}, and no changed line of {CHANGELOG} names it"


def at(commit, path):
    """A file as it was at a commit; None if there is none."""
    answer = subprocess.run(
        ["git", "show", f"{commit}:{path}"], cwd=package.ROOT, capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 else None


def untold():
    commit = os.environ.get("SIGNET_SINCE") or "HEAD"
    old, old_changelog = at(commit, LISTING), at(commit, CHANGELOG)
    if old is None or old_changelog is None:
        print(f"api: not compared, because Git has no {LISTING} at {commit}")
        return []
    new, new_changelog = (
        (package.ROOT / path).read_text(encoding="utf-8") for path in (LISTING, CHANGELOG))
    return [f"since {commit}: {each}" for each in changes(old, new, old_changelog, new_changelog)]


def unlike(folder):
    kept, made = (package.ROOT / LISTING).read_text(encoding="utf-8"), listing(folder)
    found = difflib.unified_diff(kept.splitlines(), made.splitlines(), LISTING, "the code", n=0, lineterm="")
    differences = list(found)
    if differences:
        differences.append(
            f"{LISTING} is not what the code declares. If the change is meant: "
            f"Scripts/api.py {folder} --write, and tell of it in {CHANGELOG}")
    return differences


def main(arguments):
    folders = [each for each in arguments if each != "--write"]
    if len(folders) > 1 or not folders and arguments:
        sys.exit(__doc__)
    if "--write" in arguments:
        (package.ROOT / LISTING).write_text(listing(folders[0]), encoding="utf-8")
        return 0
    findings = [line for folder in folders for line in unlike(folder)] + untold()
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
