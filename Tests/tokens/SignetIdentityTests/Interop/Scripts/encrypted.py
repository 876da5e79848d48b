# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Asks one other implementation to open encrypted tokens of Signet, and to encrypt for Signet's keys.

    encrypted.py jwcrypto|joserfc|jose

Reads from standard input:
    {"content": text, "cases": [{"algorithm", "encryption", "privateKey": JWK, "publicKey": JWK, "token": compact or null}]}
Prints the version and one answer for each case, in the same order: {"isOffered", "opened", "token", "error"}. Of a case
that the implementation does not offer, only `isOffered` says anything. `encrypted.js` does the same for Node.
"""

import base64
import json
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path

warnings.simplefilter("ignore")

# Names of the two parties, which go into an agreed key (RFC 7518, section 4.6.2).
PARTIES = {"apu": base64.urlsafe_b64encode(b"Alice").rstrip(b"=").decode(),
           "apv": base64.urlsafe_b64encode("Böb".encode()).rstrip(b"=").decode()}


def header(case):
    names = {"alg": case["algorithm"], "enc": case["encryption"]}
    return {**names, **PARTIES} if case["algorithm"].startswith("ECDH") else names


class Jwcrypto:
    def __init__(self):
        from jwcrypto import jwa, jwe, jwk

        self.version, self.jwe, self.jwk = version("jwcrypto"), jwe, jwk
        self.offered = jwa.JWA.algorithms_registry

    def offers(self, case):
        return {case["algorithm"], case["encryption"]} <= self.offered.keys()

    def open(self, case):
        made = self.jwe.JWE(algs=[case["algorithm"], case["encryption"]])
        made.deserialize(case["token"], self.jwk.JWK.from_json(case["privateKey"]))
        return made.payload.decode()

    def encrypt(self, case, content):
        made = self.jwe.JWE(content.encode(), protected=header(case), algs=[case["algorithm"], case["encryption"]])
        made.add_recipient(self.jwk.JWK.from_json(case["publicKey"]))
        return made.serialize(compact=True)


class Joserfc:
    def __init__(self):
        from joserfc import jwe, jwk

        self.version, self.jwe, self.jwk = version("joserfc"), jwe, jwk
        self.offered = {name for names in jwe.JWERegistry.algorithms.values() for name in names}

    def offers(self, case):
        return {case["algorithm"], case["encryption"]} <= self.offered

    def _key(self, text):
        members = json.loads(text)
        kinds = {"oct": self.jwk.OctKey, "RSA": self.jwk.RSAKey, "EC": self.jwk.ECKey, "OKP": self.jwk.OKPKey}
        return kinds[members["kty"]].import_key(members)

    def open(self, case):
        names = [case["algorithm"], case["encryption"]]
        return self.jwe.decrypt_compact(case["token"], self._key(case["privateKey"]), algorithms=names).plaintext.decode()

    def encrypt(self, case, content):
        names = [case["algorithm"], case["encryption"]]
        return self.jwe.encrypt_compact(header(case), content.encode(), self._key(case["publicKey"]), algorithms=names)


class Jose:
    """The command of Debian's package jose."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.offered = set(self._run("alg").split())
        # It has no option that says its version.
        package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "jose"], capture_output=True, text=True)
        self.version = package.stdout or "of unknown version"

    def _run(self, *arguments, text=""):
        done = subprocess.run(["jose", *arguments], input=text.encode(), capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"jose {' '.join(arguments)}: {done.returncode} {done.stderr.decode().strip()}")
        return done.stdout.decode()

    def _file(self, name, text):
        path = Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def offers(self, case):
        # It knows no key of the type OKP.
        has_key = json.loads(case["publicKey"])["kty"] in ("oct", "RSA", "EC")
        return has_key and {case["algorithm"], case["encryption"]} <= self.offered

    def open(self, case):
        key = self._file("private.jwk", case["privateKey"])
        return self._run("jwe", "dec", "-i-", "-k", key, "-O-", text=case["token"])

    def encrypt(self, case, content):
        key = self._file("public.jwk", case["publicKey"])
        template = json.dumps({"protected": header(case)})
        return self._run("jwe", "enc", "-i", template, "-k", key, "-I-", "-c", "-o-", text=content).strip()


def main():
    request = json.load(sys.stdin)
    peer = {"jwcrypto": Jwcrypto, "joserfc": Joserfc, "jose": Jose}[sys.argv[1]]()
    answers = []
    for case in request["cases"]:
        answer = {"isOffered": peer.offers(case)}
        if answer["isOffered"]:
            try:
                answer["opened"] = peer.open(case) if case.get("token") else None
                answer["token"] = peer.encrypt(case, request["content"])
            except Exception as error:
                # A refusal of a good token is an answer too; the test shows it.
                answer["error"] = f"{type(error).__name__}: {error}"
        answers.append(answer)
    json.dump({"version": peer.version, "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
