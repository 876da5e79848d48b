#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Finds paths in scripts that name nothing: a check that looks there would find nothing for ever.

- What the Makefile, .ci/run and the scripts name below one of the FOLDERS, comments included, is a
  file, a folder or a pattern that matches one.
- So is what the Makefile gives to `wildcard`.
- Each place in Scripts/parts.ini is the beginning of a path.
- What SIGNET_TEST_TARGETS lists there and in the Makefile is a test target.

    Scripts/paths.py FILE-LIST      findings, one per line; fails if there is one
"""

import configparser
import fnmatch
import pathlib
import re
import sys

import package

PARTS = "Scripts/parts.ini"
FOLDERS = (
    "Benchmarks", "Documentation", "Examples", "Scripts", "Snippets", "Sources", "Tests",
    "TestVectors")
# After a slash or a variable it is a path of another tree.
NAMED = re.compile(rf"(?<![\w/.$}}-])(?:{'|'.join(FOLDERS)})/(?!(?:\*/)?\.build)[\w./*+@-]*(?P<more>[$<{{\[(|…]?)")
# These have paths of trees that they make.
WITH_INVENTED = {"Scripts/gate_test.py", "Scripts/lint-table.ini"}
SCRIPTS = re.compile(
    r"Makefile|\.ci/run|(?:Scripts|Benchmarks|Examples/(?:\w+/)?Scripts)/.*\.(?:sh|py|ini|txt)")


def exists(path, names):
    path = path.rstrip("/")
    return path in names or ("*" in path and bool(fnmatch.filter(names, path)))


def findings(files):
    names = files | {str(parent) for path in files for parent in pathlib.PurePosixPath(path).parents}
    scripts = [path for path in sorted(files - WITH_INVENTED) if SCRIPTS.fullmatch(path)]
    if not scripts:
        yield "no script was read"
    for script in scripts:
        # An example's scripts start in the example's folder.
        places = ["", *re.findall(r"^Examples/\w+/(?=Scripts/)", script)]
        for number, line in enumerate(pathlib.Path(script).read_text(encoding="utf-8").splitlines(), 1):
            for match in NAMED.finditer(line):
                path = match[0].removesuffix(match["more"]).rstrip(".")
                # A variable continues the path, so its end is not known here.
                if not any(
                    any(name.startswith(place + path) for name in names) if match["more"]
                    else exists(place + path, names) for place in places
                ):
                    yield f"{script}:{number}: nothing is {path}"
    makefile = pathlib.Path("Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    for given in re.findall(r"\$\(wildcard ([^)]*)\)", makefile):
        for path in given.split():
            if not exists(path, names):
                yield f"Makefile: nothing is {path}"
    parts = configparser.ConfigParser(interpolation=None)
    parts.read(PARTS, encoding="utf-8")
    known = package.targets()
    for name in parts.sections():
        for place in parts[name].get("touched", "").split():
            path = package.located(place, known)
            if not any(file.startswith(path) for file in files):
                yield f"{PARTS}: [{name}] nothing begins with {place}"
    for script in ("Makefile", PARTS):
        for names in re.findall(r"SIGNET_TEST_TARGETS=([\w,]+)", pathlib.Path(script).read_text(encoding="utf-8")):
            for name in names.split(","):
                if name not in known or known[name].kind != "test":
                    yield f"{script}: SIGNET_TEST_TARGETS={names}: there is no test target {name}"


def main():
    files = set(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    found = list(findings(files))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
