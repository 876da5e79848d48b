#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""What Package.swift declares, as SwiftPM reads it (`swift package dump-package`).

A target is named by the last part of its folder, which for all but the programs of the tests is the
target's own name. So `SignetJOSE/JWS` is a folder, wherever SignetJOSE stands in the tree.

    Scripts/package.py targets        one a line: the folder's name, the folder
    Scripts/package.py products       their names
    Scripts/package.py path NAME…     the paths of FOLDER or FOLDER/MORE, one a line
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "Package.swift"
CACHE = ROOT / ".build" / "package.json"


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    kind: str
    folder: pathlib.PurePosixPath
    uses: tuple

    @property
    def is_source(self):
        return self.folder.parts[0] == "Sources"

    @property
    def wing(self):
        """The folder of Sources, or of Tests, that it stands in; None beside them."""
        return self.folder.parts[1] if len(self.folder.parts) > 2 else None


def dump():
    """The manifest as JSON. Asking SwiftPM takes a second, so the answer is kept until it changes."""
    mark = hashlib.sha256(MANIFEST.read_bytes()).hexdigest()
    try:
        kept = json.loads(CACHE.read_text(encoding="utf-8"))
        if kept["mark"] == mark:
            return kept["package"]
    except (OSError, ValueError, KeyError):
        pass
    # Variables that leave out targets or libraries (Package.swift).
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SIGNET_")}
    answer = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, env=plain, capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(f"package: swift package dump-package failed:\n{answer.stderr}")
    package = json.loads(answer.stdout)
    CACHE.parent.mkdir(exist_ok=True)
    draft = CACHE.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps({"mark": mark, "package": package}), encoding="utf-8")
    draft.replace(CACHE)
    return package


def targets():
    """The targets, by the names of their folders."""
    found = {}
    for each in dump()["targets"]:
        usual = "Tests" if each["type"] == "test" else "Sources"
        folder = pathlib.PurePosixPath(each.get("path") or f"{usual}/{each['name']}")
        if folder.name in found:
            sys.exit(f"package: two targets have a folder {folder.name}")
        # Products of other packages are of the kind "product".
        uses = tuple(
            names[0] for use in each["dependencies"] for kind, names in use.items()
            if kind in ("byName", "target"))
        found[folder.name] = Target(each["name"], each["type"], folder, uses)
    return found


def sources():
    """The targets in Sources, by name."""
    found = {target.name: target for target in targets().values() if target.is_source}
    return found or sys.exit("package: there is no target in Sources")


def files(target, pattern="*.swift"):
    """The files of a target, by their paths in the tree."""
    return sorted(
        path.relative_to(ROOT) for path in (ROOT / target.folder).rglob(pattern) if path.is_file())


def located(name, known=None):
    """The path of FOLDER/MORE; what begins with no target's folder is a path already."""
    first, slash, rest = name.partition("/")
    known = targets() if known is None else known
    return f"{known[first].folder}{slash}{rest}" if first in known else name


def main(verb="", *names):
    if verb == "targets" and not names:
        print("\n".join(f"{name} {target.folder}" for name, target in targets().items()))
    elif verb == "products" and not names:
        print("\n".join(product["name"] for product in dump()["products"]))
    elif verb == "path" and names:
        known = targets()
        if unknown := [name for name in names if name.partition("/")[0] not in known]:
            sys.exit(f"package: no target has a folder {unknown[0].partition('/')[0]}")
        print("\n".join(located(name, known) for name in names))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
