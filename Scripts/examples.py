#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Compares the examples of the documents with code that is compiled.

Each ```swift block of a Markdown file (including the articles of the .docc catalogues) and of a doc
comment in Sources must be, line by line, part of a file in Snippets or in Examples/*/Sources. `make
snippets` builds and runs the former, the examples' own targets the latter. Indentation and blank
lines do not count. A block must close each bracket that it opens. A block that cannot be part of a
file (a Package.swift line, say) is fenced ```swift no-snippet; a doc comment has no such block.

The doc comment of each type in ENTRIES begins with its use: the core of one snippet, which stands
there between `// snippet.TYPE` and `// snippet.end`, without what is between `// snippet.hide` and
`// snippet.show`. These are DocC's own marks.

A page of Documentation and an article with an example begin with a head, such as

    Product `SignetJOSE`: `import SignetJOSE`. Whole program: `Snippets/FirstToken.swift`.

which names products of the package, the same in both places, and programs of which every example is
a part. A program may be a folder of Examples, and a link.

    Scripts/examples.py          findings, one per line; fails if there is one
    Scripts/examples.py --write  copies the cores to the types first, into the first block of each
"""

import pathlib
import re
import sys
import textwrap

import package

# Where a newcomer begins.
ENTRIES = """
    KeySet TokenVerifier TokenSigner IDTokenVerifier AccessTokenVerifier SignIn SealedCookie FileVault
    SecretServiceStore SessionManager LocalAccount BearerClient AuthFlow RefreshTokens OneTimeCodes People
    SecondFactors GoTrueService SupabaseAuth BusinessEmailPolicy AESGCM XAES256GCM
""".split()
MOST_LINES = 8
MARK = re.compile(r"\s*// snippet\.(\w+)\s*")
CODE = ["Snippets/*.swift", "Examples/*/Sources/**/*.swift"]
OPENING = re.compile(r"\s*```swift\s*")
# Any other spelling would escape the comparison.
ESCAPING = re.compile(r"\s*(?:`{3,}|~{3,})\s*swift\b", re.I)
EXCEPTED = re.compile(r"\s*```swift no-snippet\s*")
CLOSING = re.compile(r"\s*```\s*")
HEAD = re.compile(
    r"(?:^| )Products? (`\w+`(?:, `\w+`)*): (`import \w+`(?:, `import \w+`)*)\. Whole programs?: (.+?)\.(?: |$)")
PROGRAM = re.compile(r"(?:Snippets|Examples)/[\w+./-]*\w")
COMMENT = re.compile(r"\s*///")


def squeezed(lines):
    """The lines but blank ones and marks, without indentation, with a line break before and after each."""
    return "\n" + "".join(
        f"{line.strip()}\n" for line in lines if line.strip() and not MARK.fullmatch(line))


def documents():
    """Each Markdown file, and each source file's doc comments, as numbered lines."""
    for path in sorted(pathlib.Path(".").rglob("*.md")):
        if not any(part.startswith(".") for part in path.parts):
            yield path, list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    for path in sorted(pathlib.Path("Sources").rglob("*.swift")):
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        yield path, [
            (number, COMMENT.sub("", line, count=1)) for number, line in lines if COMMENT.match(line)
        ]


def blocks(lines):
    """The number of the first line, and the lines, of each block to compare."""
    start, block = None, []
    for number, line in lines:
        if start is None and OPENING.fullmatch(line):
            start, block = number, []
        elif start is None and ESCAPING.match(line) and not EXCEPTED.fullmatch(line):
            yield number, [f"a fence of another form: {line}"]
        elif start is not None and CLOSING.fullmatch(line):
            yield start, block
            start = None
        elif start is not None:
            block.append(line)
    if start is not None:
        yield start, ["a block that does not end"]


def is_whole(block):
    """Whether a reader can copy it. Brackets in texts count as well, so they need a partner there."""
    code = "".join(block)
    return all(code.count(opening) == code.count(closing) for opening, closing in ("{}", "()", "[]"))


def cores():
    """The name, the file and the lines of each core. A part that another one interrupts is none."""
    for path in sorted(pathlib.Path(".").glob("Snippets/*.swift")):
        name, is_shown, parts = None, True, []
        for line in path.read_text(encoding="utf-8").splitlines():
            mark = MARK.fullmatch(line)
            if not mark:
                if name and is_shown and line.strip():
                    parts[-1].append(line)
            elif mark[1] in ("show", "hide"):
                is_shown = mark[1] == "show"
                parts.append([])
            elif mark[1] == "end":
                yield name, path, [
                    line for part in parts for line in textwrap.dedent("\n".join(part)).splitlines()]
                name = None
            else:
                name, is_shown, parts = mark[1], True, [[]]


def use(name):
    """The file of a type, its lines, and which of them the first block of its doc comment has."""
    declared = re.compile(rf"public (?:final )?(?:actor|class|enum|struct) {name}\b.*")
    for path in pathlib.Path("Sources").rglob(f"{name}.swift"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for end in (number for number, line in enumerate(lines) if declared.fullmatch(line)):
            start = end
            while start > 0 and lines[start - 1].startswith(("///", "@")):
                start -= 1
            fences = [number for number in range(start, end) if lines[number].startswith("/// ```")]
            if len(fences) > 1:
                return path, lines, slice(fences[0] + 1, fences[1])
    return None


def uses(is_writing):
    """What is wrong with the uses of the entry types."""
    found = {}
    for name, path, core in cores():
        if name not in ENTRIES or name in found:
            yield f"{path}: {name} is no entry type, or has a core already"
        elif sum(not line.strip().startswith("//") for line in core) > MOST_LINES:
            yield f"{path}: the core of {name} has more than {MOST_LINES} lines of code"
        found[name] = path, core
    for name in ENTRIES:
        snippet, core = found.get(name, (None, []))
        if not core or not (place := use(name)):
            yield f"{name}: no snippet has a core of it, or its doc comment no example"
            continue
        path, lines, block = place
        core = [f"/// {line}" for line in core]
        if lines[block] != core and is_writing:
            lines[block] = core
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        elif lines[block] != core:
            yield f"{path}:{block.start + 1}: not the core of {snippet}, which --write copies"


def wrong_head(path, lines, examples, code):
    """What is wrong with the head of a page that has examples."""
    text = " ".join(" ".join(line for number, line in lines if number < examples[0][0]).split())
    head = HEAD.search(text)
    if not head:
        yield f"{path}: no head says which product the example on line {examples[0][0]} is of"
        return
    names = re.findall(r"`(\w+)`", head[1])
    if names != re.findall(r"`import (\w+)`", head[2]):
        yield f"{path}: the head's products are not what it imports"
    products = {product["name"] for product in package.dump()["products"]}
    yield from (f"{path}: the head names {name}, which is no product" for name in names if name not in products)
    programs = tuple(PROGRAM.findall(head[3]))
    for number, block in examples:
        files = [file for file, text in code if squeezed(block) in text]
        if files and not any(file.startswith(programs) for file in files):
            yield f"{path}:{number}: this example is of {files[0]}, which the head does not name"


def main():
    for pattern in [*CODE, "Sources/**/*.swift"]:
        if not any(pathlib.Path(".").glob(pattern)):
            sys.exit(f"examples: no file is {pattern}")
    findings = list(uses("--write" in sys.argv[1:]))
    code = [
        (str(path), squeezed(path.read_text(encoding="utf-8").splitlines()))
        for pattern in CODE
        for path in sorted(pathlib.Path(".").glob(pattern))
    ]
    # A core without what it hides is an example as well.
    code += [(str(path), squeezed(core)) for _, path, core in cores()]
    count = 0
    for path, lines in documents():
        examples = list(blocks(lines))
        if examples and path.suffix == ".md" and path.parts[0] in ("Documentation", "Sources"):
            findings += wrong_head(path, lines, examples, code)
        for number, block in examples:
            count += 1
            if not "".join(block).strip() or not any(squeezed(block) in text for _, text in code):
                findings.append(f"{path}:{number}: this example is part of no file that is compiled")
            elif not is_whole(block):
                findings.append(f"{path}:{number}: this example leaves a bracket open")
    print("\n".join(findings) if findings else f"examples: {count} are parts of what is compiled")
    return 1 if findings else 0


sys.exit(main())
