#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of the site of guides, which zensical then builds: Documentation and what lies
beside it, with links that lead to the site's pages instead of the repository's files.

- What a page links to outside of Documentation becomes a page too, and so do all programs of
  Snippets. A folder's page is its README.md.
- A link to an article of a .docc catalogue leads to docc's page, and the name of a product or a type,
  in code, to its own.
- Each command has a page (commands.py).

It fails if docc's site lacks what a page links to, or if `nav` of mkdocs.yml lacks a page of
Documentation. zensical itself checks the other links.

    Scripts/site/guides.py REFERENCE HELP FOLDER   docc's site; a file with what `signet
                                                   --experimental-dump-help` says; where to write
    Scripts/site/guides.py --index REFERENCE FILE  adds docc's articles and types to the index of the
                                                   search, zensical's search.json
"""

import json
import os
import pathlib
import re
import shutil
import sys

import commands

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
# The pages at which a reader begins.
FIRST = ["*.md", "Documentation/*", "Snippets/*.swift"]
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
BLOCK = r"^ *(?P<fence>`{3,}).*?^ *(?P=fence)$"
# Code between fences or in a line, where nothing is a link.
CODE = re.compile(rf"{BLOCK}|(?<!`)(?P<mark>`+)(?!`).+?(?<!`)(?P=mark)(?!`)", re.M | re.S)
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
# A name in code, and what shows that it is the text of a link already.
NAME = re.compile(rf"\[[^\[\]]*\]\([^)]*\)|{BLOCK}|(?<!`)`(?P<name>\w+)`(?!`)", re.M | re.S)
ARTICLE = re.compile(r".*/(\w+)\.docc/(\w+)\.md")
IMPORT = re.compile(r"^import (Signet\w+)", re.M)
LANGUAGES = {".py": "python", ".sh": "bash", ".js": "js", ".swift": "swift", ".json": "json"}
KINDS = ("module", "class", "struct", "enum", "protocol", "typealias")


def pages_of_docc(reference):
    """The place and the content of each product, article and type in docc's site."""
    data = pathlib.Path(reference, "data")
    for file in sorted([*data.glob("documentation/*.json"), *data.glob("documentation/*/*.json")]):
        page = json.loads(file.read_text(encoding="utf-8"))
        about = page["metadata"]
        if about.get("role") == "article" or about.get("symbolKind") in KINDS:
            yield file.relative_to(data).with_suffix("").as_posix(), page


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def outside(pattern, change, text):
    """Changes the text between the matches of a pattern."""
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [change(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, change(text[end:])])


def page_of(path):
    """The page that shows a path of the repository."""
    if path == "README.md":
        return "START.md"
    if (ROOT / path).is_dir():
        return f"{path}/README.md"
    path, is_beside = path.removeprefix("Documentation/"), not path.startswith("Documentation/")
    return f"{path}.md" if is_beside and not path.endswith(".md") else path


def target_of(path, link):
    return os.path.normpath(os.path.join(os.path.dirname(path), link))


def linked(path):
    """The paths in the repository that a Markdown file links to, articles apart."""
    found = []
    outside(CODE, lambda text: found.extend(link[1] for link in LINK.finditer(text)) or "", read(path))
    for link in found:
        target = target_of(path, link)
        if not ARTICLE.fullmatch(target) and (ROOT / target).exists():
            yield target


def products(text):
    return ", ".join(f"`{name}`" for name in dict.fromkeys(IMPORT.findall(text)))


def program(path):
    """The page of a file that is no Markdown."""
    text, name = read(path).strip(), pathlib.PurePosixPath(path)
    if name.suffix == ".swift":
        text = re.sub(r"^// Signet:.*\n// SPDX.*\n+|^ *// snippet\.\w+\n", "", text, flags=re.M)
    uses = products(text)
    return (
        f"---\nhide: [toc]\n---\n# {name.stem}\n\n`{path}`{'. Products: ' if uses else ''}{uses}\n\n"
        f"````{LANGUAGES.get(name.suffix, 'text')}\n{text}\n````\n")


def anchor_of(place, reference, anchor):
    """An anchor of a page as docc writes it: the repository's host writes small letters."""
    text = pathlib.Path(reference, "data", f"{place}.json").read_text(encoding="utf-8")
    exact = (f"#{each}" for each in re.findall(r'"anchor":"([^"]+)"', text))
    return next((each for each in exact if each.lower() == anchor.lower()), None)


class Guides:
    def __init__(self, reference):
        self.reference, self.findings, self.places, self.names = reference, [], set(), {}
        for place, page in pages_of_docc(reference):
            self.places.add(place)
            if page["metadata"].get("role") != "article":
                self.names[page["metadata"]["title"]] = place

    def pages(self):
        """The name, the path in the repository and the text of each page."""
        waiting = [path.relative_to(ROOT).as_posix() for pattern in FIRST for path in ROOT.glob(pattern)]
        seen = set()
        while waiting:
            path = waiting.pop()
            page = page_of(path)
            if page in seen:
                continue
            seen.add(page)
            if (ROOT / path / "README.md").is_file():
                path += "/README.md"
            if path.endswith(".md"):
                waiting += linked(path)
                yield page, path, read(path)
            elif path.startswith("Documentation/"):
                yield page, path, None
            elif (ROOT / path).is_file():
                yield page, path, program(path)

    def link(self, page, path, link):
        target, anchor = target_of(path, link[1]), link[2] or ""
        if article := ARTICLE.fullmatch(target):
            module, name = article[1].lower(), article[2].lower()
            place = f"documentation/{module}" + (f"/{name}" if name != module else "")
            exact = anchor and place in self.places and anchor_of(place, self.reference, anchor)
            if place not in self.places or exact is None:
                self.findings.append(f"{path}: docc's site lacks {target}{anchor}")
            return f"]({self.up(page)}{place}/{exact or ''})"
        if (ROOT / target / "README.md").is_file():
            target += "/README.md"
        return f"]({os.path.relpath(page_of(target), os.path.dirname(page) or '.')}{anchor})"

    def up(self, page):
        return "../" * page.count("/")

    def written(self, page, path, text):
        """A page as the site needs it."""
        if path.endswith(".md"):
            text = outside(CODE, lambda part: LINK.sub(lambda link: self.link(page, path, link), part), text)
            # Lists are indented by two or three columns here, and by four there.
            text = outside(FENCE, lambda part: re.sub(
                r"^ +(?=\S)", lambda blanks: "    " * (len(blanks[0]) // 2), part, flags=re.M), text)
        # More than a language there is not a fence.
        text = re.sub(r"^( *```\w+) .*$", r"\1", text, flags=re.M)
        return NAME.sub(lambda code: self.named(page, code), text)

    def named(self, page, code):
        place = self.names.get(code["name"])
        return f"[{code[0]}]({self.up(page)}{place}/)" if place else code[0]


def write(reference, dump, out):
    guides = Guides(reference)
    layout = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {page: guides.written(page, path, text) if text else path for page, path, text in guides.pages()}
    listed = {"programs": [], "commands": []}
    for page in sorted(pages):
        if page.startswith("Snippets/") and page.endswith(".swift.md"):
            listed["programs"].append(f"{pathlib.PurePosixPath(page).name.removesuffix('.swift.md')}: {page}")
        elif "/" not in page and page.endswith(".md") and not re.search(rf"[ -]{re.escape(page)}$", layout, re.M):
            guides.findings.append(f"Scripts/site/mkdocs.yml: nav lacks {page}")
    for path, text in commands.pages(json.loads(pathlib.Path(dump).read_text(encoding="utf-8"))["command"]):
        page = f"commands/{'-'.join(path)}.md"
        pages[page] = text
        listed["commands"].append(f"{' '.join(path)}: {page}")
    print("\n".join(guides.findings), end="\n" if guides.findings else "")
    for page, text in pages.items():
        file = pathlib.Path(out, "pages", page)
        file.parent.mkdir(parents=True, exist_ok=True)
        if page.endswith(".md"):
            file.write_text(text, encoding="utf-8")
        else:
            shutil.copy(ROOT / text, file)
    shutil.copy(HERE / "guides.css", pathlib.Path(out, "pages"))
    for mark, items in listed.items():
        layout = re.sub(rf"^( +)- # {mark}$", lambda at: "\n".join(f"{at[1]}- {item}" for item in items), layout, flags=re.M)
    pathlib.Path(out, "mkdocs.yml").write_text(layout, encoding="utf-8")
    return 1 if guides.findings else 0


def words(node, references):
    """The text of a part of a docc page, in order."""
    if isinstance(node, list):
        return " ".join(filter(None, (words(each, references) for each in node)))
    if not isinstance(node, dict):
        return ""
    own = node.get("text") or node.get("code") or references.get(node.get("identifier"), {}).get("title", "")
    below = [node[key] for key in ("content", "inlineContent", "items", "rows") if key in node]
    return " ".join(filter(None, ["\n".join(own) if isinstance(own, list) else own, words(below, references)]))


def index(reference, file):
    found = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    for place, page in pages_of_docc(reference):
        module = page["metadata"]["modules"][0]["name"]
        found["items"].append({
            "location": f"{place}/", "level": 1, "title": page["metadata"]["title"], "tags": [],
            "path": ["Reference", module],
            "text": words([page.get("abstract"), page.get("primaryContentSections")], page.get("references", {}))})
    pathlib.Path(file).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return 0


sys.exit(index(*sys.argv[2:]) if sys.argv[1] == "--index" else write(*sys.argv[1:]))
