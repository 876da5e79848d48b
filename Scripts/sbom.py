#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Prints the bill of materials of an installed command line, as CycloneDX 1.5 in JSON.

  sbom.py PREFIX BUILD PACKAGE COMMIT

PREFIX is the folder with bin/signet, BUILD the one that SwiftPM built in, PACKAGE the Debian
package. The parts are the Swift packages that were linked, Swift's runtime, the libraries in C with
the package of this system that they come from, and each suite of vectors. The same commit gives the
same bytes (SOURCE_DATE_EPOCH)."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import uuid


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sha256(path):
    return [{"alg": "SHA-256", "content": hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()}]


def swift_packages(build):
    state = json.loads((build / "workspace-state.json").read_text("utf-8"))
    for dependency in state["object"]["dependencies"]:
        checkout = dependency["state"]["checkoutState"]
        name, location = dependency["packageRef"]["identity"], dependency["packageRef"]["location"]
        yield {"type": "library", "name": name, "version": checkout.get("version", checkout["revision"]),
               "purl": f"pkg:swift/{location.removeprefix('https://').removesuffix('.git')}"
                       f"@{checkout.get('version', checkout['revision'])}",
               "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
               "properties": [{"name": "signet:revision", "value": checkout["revision"]},
                              {"name": "signet:linked", "value": "statically"}]}


def runtime():
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    yield {"type": "framework", "name": "swift", "version": version,
           "description": "Standard library, libdispatch, Foundation and ICU of the toolchain",
           "licenses": [{"license": {"name": "Apache-2.0 WITH Swift-exception, Unicode-3.0"}}],
           "properties": [{"name": "signet:linked", "value": "statically"}]}


def system_libraries(program):
    loaded = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", program), re.M))
    system = dict(line.split("=", 1) for line in
                  pathlib.Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line)
    distribution = f"{system['ID']}-{system['VERSION_ID']}".replace('"', "")
    for name in sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", program))):
        path = os.path.realpath(loaded.get(name, "/lib64/" + name))
        for known in (path, path.removeprefix("/usr")):
            owner = subprocess.run(["dpkg-query", "--search", known], capture_output=True, text=True).stdout
            if owner:
                break
        package = owner.split(": ")[0].split(",")[0]
        version, architecture, source = output(
            "dpkg-query", "--show", "--showformat=${Version}\t${Architecture}\t${source:Package}",
            package).split("\t")
        bare = package.split(":")[0]
        yield {"type": "library", "name": name, "version": version,
               "purl": f"pkg:deb/debian/{bare}@{version.replace('+', '%2B').replace(':', '%3A')}"
                       f"?arch={architecture}&distro={distribution}",
               "properties": [{"name": "signet:linked", "value": "dynamically"},
                              {"name": "signet:source", "value": source}]}


def vectors(folder):
    for suite in json.loads((folder / "MANIFEST.json").read_text("utf-8"))["suites"]:
        yield {"type": "data", "name": "TestVectors/" + suite["path"],
               "version": suite["source"]["version"], "description": suite["source"]["document"],
               "hashes": sha256(folder / suite["path"]),
               "licenses": [{"license": {"name": suite["licence"]}}]}


def main(prefix, build, package, commit):
    prefix, build = pathlib.Path(prefix), pathlib.Path(build)
    version = pathlib.Path(package).name.split("_")[1]
    parts = [*swift_packages(build), *runtime(), *system_libraries(prefix / "bin/signet"),
             *vectors(prefix / "share/signet/TestVectors")]
    for part in parts:
        part["bom-ref"] = f"{part['name']}@{part['version']}"
    epoch = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, f"signet:{commit}:{version}")),
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", epoch),
            "component": {
                "type": "application", "bom-ref": "signet", "name": "signet", "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": sha256(package),
                "properties": [
                    {"name": "signet:commit", "value": commit},
                    {"name": "signet:program:sha256", "value": sha256(prefix / "bin/signet")[0]["content"]},
                ]}},
        "components": parts,
        "dependencies": [{"ref": "signet", "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    json.dump(bill, sys.stdout, indent=1, ensure_ascii=False)
    print()


main(*sys.argv[1:])
