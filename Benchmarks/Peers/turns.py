#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Tries every contender, then lets them take turns, and prints the tables: turns.py [options] CONTENDERS

CONTENDERS is a file with a line for each: name|title|versions|program and its arguments, separated by spaces. Each program is
started once, with a folder of keys and payloads (tokens.py) and a key identifier as its last two arguments, and answers each
line on standard input with one line (ALGORITHM is HS256, RS256, ES256 or EdDSA; KIND is id or ses):

    sign ALGORITHM KIND                        a token
    verify ALGORITHM KIND TOKEN                accepted CLAIMS-AS-JSON, or: refused WHY
    time-sign ALGORITHM KIND MS                name|ALGORITHM sign KIND|threads|median ns
    time-verify ALGORITHM KIND MS TOKEN        name|ALGORITHM verify KIND|threads|median ns
    time-registered ALGORITHM KIND MS TOKEN    as time-verify, with the registered claims alone (Signet only)
    open TOKEN                                 opened PLAINTEXT, or: refused WHY (OPENERS only)
    time-open MS TOKEN                         name|jwe open|threads|median ns (OPENERS only)
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tokens import ALGORITHMS, KEY_ID, PAYLOADS, PLAINTEXT, Keys, altered

KINDS = {"id": "ID token", "ses": "session"}
REFERENCE = "signet"
# jwcrypto only opens; the others that are not here have no encrypted tokens.
OPENERS = (REFERENCE, "joserfc", "jwcrypto", "node-jose")
OPENING = "jwe open"


class Contender:
    def __init__(self, line, data):
        self.name, self.title, self.versions, program = line.split("|")
        self.process = subprocess.Popen(
            [*program.split(), str(data), KEY_ID], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        if not answer:
            raise SystemExit(f"turns: {self.title} ended at: {' '.join(words)[:60]}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def prove(contenders, keys):
    """Nothing is measured that is not right. Each contender refuses what it must, accepts its own and everybody else's
    tokens, and gets all of their claims."""
    refused = 0
    for algorithm in ALGORITHMS:
        for kind, payload in PAYLOADS.items():
            for what, token in keys.refused(algorithm, kind).items():
                for contender in contenders:
                    if not contender.ask("verify", algorithm, kind, token).startswith("refused "):
                        raise SystemExit(f"turns: {contender.title} accepts {algorithm} {kind} with {what}")
                    refused += 1
            tokens = {"tokens.py": keys.token(algorithm, payload)}
            tokens |= {contender.title: contender.ask("sign", algorithm, kind) for contender in contenders}
            for maker, token in tokens.items():
                for contender in contenders:
                    verdict, _, claims = contender.ask("verify", algorithm, kind, token).partition(" ")
                    if verdict != "accepted" or json.loads(claims) != payload:
                        raise SystemExit(f"turns: {contender.title}, {algorithm} {kind} of {maker}: {verdict} {claims}")
    return refused


def prove_opening(openers, token):
    parts = token.split(".")
    for index, what in ((2, "nonce"), (3, "ciphertext"), (4, "tag")):
        changed = ".".join([*parts[:index], altered(parts[index]), *parts[index + 1 :]])
        for opener in openers:
            if not opener.ask("open", changed).startswith("refused "):
                raise SystemExit(f"turns: {opener.title} opens a token with an altered {what}")
    for opener in openers:
        if (answer := opener.ask("open", token)) != f"opened {PLAINTEXT}":
            raise SystemExit(f"turns: {opener.title}, {OPENING}: {answer}")


def measure(contenders, openers, keys, encrypted, options):
    """The figures of all rounds, by operation and contender. An operation goes round all contenders before the next one
    has its turn, in an order drawn anew each time, so that a busy neighbour meets all of them."""
    turns = {}
    for algorithm in ALGORITHMS:
        for action in ("verify", "sign"):
            for kind, payload in PAYLOADS.items():
                operation = f"{algorithm} {action} {kind}"
                if options.filter.lower() not in operation.lower():
                    continue
                token = [keys.token(algorithm, payload)] if action == "verify" else []
                words = (algorithm, kind, str(options.milliseconds), *token)
                turns[operation] = [(contender, (f"time-{action}", *words)) for contender in contenders]
                if action == "verify":
                    turns[operation] += [
                        (contender, ("time-registered", *words)) for contender in contenders if contender.name == REFERENCE
                    ]
    if options.filter.lower() in OPENING:
        turns[OPENING] = [(opener, ("time-open", str(options.milliseconds), encrypted)) for opener in openers]
    figures = {operation: {} for operation in turns}
    for number in range(options.rounds):
        print(f"turns: round {number + 1} of {options.rounds}", file=sys.stderr)
        for operation, entries in random.sample(list(turns.items()), len(turns)):
            for contender, command in random.sample(entries, len(entries)):
                answer = contender.ask(*command)
                if options.lines:
                    print(answer)
                column = contender.name + (" registered" if command[0] == "time-registered" else "")
                figures[operation].setdefault(column, []).append(float(answer.split("|")[3]))
    return figures


def time(nanoseconds):
    return f"{nanoseconds:.0f} ns" if nanoseconds < 1000 else f"{nanoseconds / 1000:.2f} µs"


def beside(own, medians, peers):
    """The cells of the peers."""
    for peer in peers:
        cell = f"{time(medians[peer.name])}, {medians[peer.name] / own:.2f} ×"
        yield f"**{cell}**" if medians[peer.name] < own else cell


def table(contenders, figures):
    peers = [contender for contender in contenders if contender.name != REFERENCE]
    columns = ["Signet", "Signet, registered claims", *(peer.title for peer in peers)]
    yield "| Operation | " + " | ".join(columns) + " |"
    yield "|---|" + "--:|" * len(columns)
    for operation, rounds in figures.items():
        medians = {name: statistics.median(values) for name, values in rounds.items()}
        algorithm, action, kind = operation.split()
        own = medians[REFERENCE]
        cells = [time(own), time(medians[f"{REFERENCE} registered"]) if action == "verify" else ""]
        cells += beside(own, medians, peers)
        yield f"| {algorithm} {action}, {KINDS[kind]} | " + " | ".join(cells) + " |"


def opening_table(openers, rounds):
    peers = [opener for opener in openers if opener.name != REFERENCE]
    medians = {name: statistics.median(values) for name, values in rounds.items()}
    own = medians[REFERENCE]
    yield "| Encrypted token | " + " | ".join(["Signet", *(peer.title for peer in peers)]) + " |"
    yield "|---|" + "--:|" * len(openers)
    yield "| dir A256GCM open, 1 KiB | " + " | ".join([time(own), *beside(own, medians, peers)]) + " |"


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each contender at each operation (7)")
    parser.add_argument("--milliseconds", type=float, default=80, help="processor time of one turn (80)")
    parser.add_argument("--filter", default="", help="only the operations with this text, for example 'hs256 verify' or 'jwe open'")
    parser.add_argument("--lines", action="store_true", help="also print each turn: name|operation|threads|median ns")
    parser.add_argument("contenders", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="signet-token-peers.") as folder:
        data = Path(folder)
        keys = Keys(data)
        everyone = [Contender(line, data) for line in options.contenders.read_text().splitlines()]
        contenders = [contender for contender in everyone if contender.name != "jwcrypto"]
        openers = [contender for contender in everyone if contender.name in OPENERS]
        encrypted = keys.encrypted()
        refused = prove(contenders, keys)
        prove_opening(openers, encrypted)
        figures = measure(contenders, openers, keys, encrypted, options)
        for contender in everyone:
            contender.end()
    opening = figures.pop(OPENING, None)
    print("| Contender | Versions |")
    print("|---|---|")
    for contender in everyone:
        print(f"| {contender.title} | {contender.versions} |")
    print(f"""
Before anything was measured, each of the {len(contenders)} programs accepted the tokens of all of them, with all claims equal, and refused
{refused // len(contenders)} tokens: altered signature or payload, no signature, exp past or absent, another aud, iss or alg, alg none.
{len(openers)} opened the encrypted token to the same plaintext, after they had refused it with a bit of nonce, ciphertext or tag changed.
""")
    if figures:
        print("\n".join(table(contenders, figures)), end="\n\n")
    if opening:
        print("\n".join(opening_table(openers, opening)))
        absent = ", ".join(contender.title for contender in everyone if contender not in openers)
        print(f"\nLeft out, because they have no encrypted tokens: {absent or 'nobody'}.\n")
    print(f"""\
Medians of {options.rounds} rounds of {options.milliseconds:g} ms, and × Signet. **Bold: faster than Signet in this run.** At EdDSA and at ES256
verification that is the primitive: Signet takes the system's libcrypto, and OpenSSL 3.0 is slower there than what others
bring along (ring at both, Go at Ed25519; cryptography and node an OpenSSL of their own, named above). Elsewhere bold is what
a library does around the primitive. The peers take the key that they are given and do not look for it by kid; in golang-jwt
and node crypto the checks of iss, aud and exp are the program's own.""")


main()
