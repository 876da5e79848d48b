# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Domains of e-mail addresses: what a check by `hasSuffix` gets wrong (our own figures), and public suffixes."""

from __future__ import annotations

import re
from pathlib import Path

from .figures import INVALID, VALID, Suite

COMPANY = "company.example"
PUBLIC_SUFFIX_TEST = "psl/test_psl.txt"


def suites(root: Path) -> list[Suite]:
    return [_business_domains(), _public_suffix(root)]


# One row each: the id, the text, what the three naive checks say (Y or N), and our verdict.
#   1  text.hasSuffix("@" + domain)                2  text.lowercased().hasSuffix("@" + domain)
#   3  text.hasSuffix(domain), the '@' left out
# Verdicts: allowed, notAllowed, or the reason why the text is no address. The answers of 1 to 3 are what Swift says on
# Linux; the tests compute them and compare.
NAIVE: list[tuple[str, str, str, str]] = [
    # Addresses as people write them, which must be allowed.
    ("plain", "user@company.example", "YYY", "allowed"),
    ("tagged", "user+tag@company.example", "YYY", "allowed"),
    ("one-letter", "u@company.example", "YYY", "allowed"),
    ("capitals", "User@Company.Example", "NYN", "allowed"),
    ("capital-domain", "user@COMPANY.EXAMPLE", "NYN", "allowed"),
    ("capital-local-part", "USER@company.example", "YYY", "allowed"),
    # More than one address, or one inside another.
    ("two-at-signs", "attacker@evil.com@company.example", "YYY", "severalAtSigns"),
    ("list-comma", "attacker@evil.com,x@company.example", "YYY", "severalAtSigns"),
    ("list-comma-space", "attacker@evil.com, x@company.example", "YYY", "space"),
    ("list-semicolon", "attacker@evil.com;x@company.example", "YYY", "severalAtSigns"),
    ("list-empty-member", "attacker@evil.com;@company.example", "YYY", "severalAtSigns"),
    ("angle-bracket", "attacker@evil.com>@company.example", "YYY", "severalAtSigns"),
    ("angle-brackets", "<attacker@evil.com>@company.example", "YYY", "severalAtSigns"),
    ("display-name", "Boss <attacker@evil.com> @company.example", "YYY", "space"),
    ("group", "x:attacker@evil.com;@company.example", "YYY", "severalAtSigns"),
    ("source-route", "@evil.com:user@company.example", "YYY", "severalAtSigns"),
    ("address-literal-inside", "attacker@[192.0.2.1]@company.example", "YYY", "severalAtSigns"),
    ("url-userinfo", "https://user:pass@evil.com/@company.example", "YYY", "severalAtSigns"),
    ("url-path", "https://evil.com/@company.example", "YYY", "localPartCharacter"),
    ("mailto", "mailto:user@company.example", "YYY", "localPartCharacter"),
    ("fragment", "attacker@evil.com#@company.example", "YYY", "severalAtSigns"),
    ("comment", "(attacker@evil.com)@company.example", "YYY", "severalAtSigns"),
    ("comment-behind", "attacker(evil.com)@company.example", "YYY", "comment"),
    ("quoted", "\"a@evil.com\"@company.example", "YYY", "quotedLocalPart"),
    ("quoted-open", "\"a@evil.com@company.example", "YYY", "quotedLocalPart"),
    ("escaped-at-sign", "attacker\\@evil.com@company.example", "YYY", "severalAtSigns"),
    ("encoded-word", "=?utf-8?q?a=40evil.com?=@company.example", "YYY", "encodedWord"),
    ("encoded-word-null", "=?x?q?a=40evil.com=3e=00?=x@company.example", "YYY", "encodedWord"),
    ("percent-route", "attacker%evil.com@company.example", "YYY", "routing"),
    ("bang-route", "evil.com!attacker@company.example", "YYY", "routing"),
    ("percent-encoded", "attacker%40evil.com@company.example", "YYY", "routing"),
    # Characters at which other programs stop reading, or which they drop.
    ("nul", "attacker@evil.com\u0000@company.example", "YYY", "controlCharacter"),
    ("nul-in-local-part", "attacker\u0000@company.example", "YYY", "controlCharacter"),
    ("newline", "attacker@evil.com\n@company.example", "YYY", "controlCharacter"),
    ("carriage-return", "attacker@evil.com\r@company.example", "YYY", "controlCharacter"),
    ("header-injection", "x\r\nBcc: attacker@evil.com\r\n@company.example", "YYY", "controlCharacter"),
    ("tab", "attacker@evil.com\t@company.example", "YYY", "controlCharacter"),
    ("delete", "attacker\u007f@company.example", "YYY", "controlCharacter"),
    ("escape", "\u001b[2Kuser@company.example", "YYY", "controlCharacter"),
    ("line-separator", "attacker@evil.com\u2028@company.example", "YYY", "nonASCII"),
    ("paragraph-separator", "attacker@evil.com\u2029@company.example", "YYY", "nonASCII"),
    ("next-line", "attacker@evil.com\u0085@company.example", "YYY", "nonASCII"),
    ("no-break-space", "attacker@evil.com\u00a0@company.example", "YYY", "nonASCII"),
    ("right-to-left", "\u202euser@company.example", "YYY", "nonASCII"),
    ("zero-width-space", "us\u200ber@company.example", "YYY", "nonASCII"),
    ("accent", "us\u00e9r@company.example", "YYY", "nonASCII"),
    # Local parts that are not valid.
    ("no-local-part", "@company.example", "YYY", "emptyLocalPart"),
    ("space-only", " @company.example", "YYY", "space"),
    ("space-inside", "us er@company.example", "YYY", "space"),
    ("dot-only", ".@company.example", "YYY", "localPartDot"),
    ("dot-in-front", ".user@company.example", "YYY", "localPartDot"),
    ("dot-behind", "user.@company.example", "YYY", "localPartDot"),
    ("two-dots", "us..er@company.example", "YYY", "localPartDot"),
    ("long-local-part", "a" * 65 + "@company.example", "YYY", "localPartTooLong"),
    ("long-address", "a" * 300 + "@company.example", "YYY", "tooLong"),
    # Other domains; the second and third check add mistakes of their own.
    ("other-domain", "user@evil.com", "NNN", "notAllowed"),
    ("longer-label", "evil@notcompany.example", "NNY", "notAllowed"),
    ("hyphenated-label", "evil@my-company.example", "NNY", "notAllowed"),
    ("subdomain", "user@mail.company.example", "NNY", "notAllowed"),
    ("suffixed", "user@company.example.evil.com", "NNN", "notAllowed"),
    ("no-at-sign", "company.example", "NNY", "missingAtSign"),
    ("no-at-sign-longer", "evilcompany.example", "NNY", "missingAtSign"),
    ("hyphen-in-front", "user@-company.example", "NNY", "labelHyphen"),
    ("dot-in-front-of-domain", "user@.company.example", "NNY", "emptyLabel"),
    ("underscore-label", "user@x_company.example", "NNY", "domainCharacter"),
    ("slash-in-domain", "user@evil.com/company.example", "NNY", "domainCharacter"),
    ("port-in-domain", "user@evil.com:company.example", "NNY", "domainCharacter"),
    ("comment-in-domain", "user@evil.com(company.example", "NNY", "comment"),
    ("literal-in-front", "user@[evil.com]company.example", "NNY", "addressLiteral"),
    ("nul-in-domain", "user@evil.com\u0000company.example", "NNY", "controlCharacter"),
    ("newline-in-domain", "user@evil.com\ncompany.example", "NNY", "controlCharacter"),
    ("line-separator-in-domain", "user@evil.com\u2028company.example", "NNY", "nonASCII"),
    ("zero-width-in-front", "user@\u200bcompany.example", "NNY", "nonASCII"),
    ("full-width-at-sign", "user\uff20company.example", "NNY", "nonASCII"),
    ("small-at-sign", "user\ufe6bcompany.example", "NNY", "nonASCII"),
    ("ideographic-full-stop", "user@evil\u3002company.example", "NNY", "nonASCII"),
    ("full-width-full-stop", "user@evil\uff0ecompany.example", "NNY", "nonASCII"),
    ("division-slash", "user@evil.com\u2215company.example", "NNY", "nonASCII"),
    # Look-alikes.
    ("cyrillic-letter", "user@\u0441ompany.example", "NNN", "nonASCII"),
    ("cyrillic-as-punycode", "user@xn--ompany-hrf.example", "NNN", "notAllowed"),
    ("full-width-letter", "user@\uff43ompany.example", "NNN", "nonASCII"),
    ("soft-hyphen", "user@com\u00adpany.example", "NNN", "nonASCII"),
    ("zero-width-joiner", "user@com\u200dpany.example", "NNN", "nonASCII"),
    ("digit-for-letter", "user@c0mpany.example", "NNN", "notAllowed"),
    # Ends of the address.
    ("dot-behind-domain", "user@company.example.", "NNN", "trailingDot"),
    ("space-behind-domain", "user@company.example ", "NNN", "space"),
    ("newline-behind-domain", "user@company.example\n", "NNN", "controlCharacter"),
    ("nul-behind-domain", "user@company.example\u0000", "NNN", "controlCharacter"),
    ("comma-behind-domain", "user@company.example,", "NNN", "domainCharacter"),
    ("bracket-behind-domain", "user@company.example>", "NNN", "domainCharacter"),
    ("empty", "", "NNN", "empty"),
]

# U+212A is the Kelvin sign. `lowercased()` turns it into a k, and canonical equivalence, which `hasSuffix` applies, into a K.
KELVIN: list[tuple[str, str, str, str, str]] = [
    ("kelvin-lowercased", "kiosk.example", "user@\u212aiosk.example", "NYN", "nonASCII"),
    ("kelvin-at-the-end", "bank.example", "user@ban\u212a.example", "NYN", "nonASCII"),
    ("kelvin-canonical", "Kiosk.example", "user@\u212aiosk.example", "YNY", "nonASCII"),
    ("kelvin-canonical-subdomain", "Kiosk.example", "user@evil.\u212aiosk.example", "NNY", "nonASCII"),
]


def _business_domains() -> Suite:
    out = Suite(folder="email", name="business-domain", kind="business-domain", document="Signet",
                version="1", licence="Apache-2.0", raw=[],
                cols="id r a allow text naive f verdict".split())
    rows = [(name, COMPANY, *rest) for name, *rest in NAIVE] + KELVIN
    for name, allow, text, naive, verdict in rows:
        label = VALID if verdict == "allowed" else INVALID
        failure = {"allowed": None, "notAllowed": "policy"}.get(verdict, "malformed")
        out.add(id=name, r=label, a=out.alg("business domain"), allow=allow, text=text, naive=naive,
                f=failure, verdict=verdict)
    return out


def _public_suffix(root: Path) -> Suite:
    """publicsuffix.org's own test: a domain, and its registered part (null for a public suffix)."""
    out = Suite(folder="email", name="public-suffix-test", kind="public-suffix",
                document="publicsuffix/list tests/test_psl.txt",
                version="e8c9a2b2b2856b6449999dd0ec0d118f364ed0cd", licence="CC0-1.0",
                raw=[PUBLIC_SUFFIX_TEST], cols="id r a text f domain".split())
    checks = re.findall(r"^checkPublicSuffix\((null|'[^']*'), (null|'[^']*')\);",
                        (root / PUBLIC_SUFFIX_TEST).read_text(encoding="utf-8"), re.MULTILINE)
    for number, (text, domain) in enumerate(checks, 1):
        # If there is no domain, the text is empty.
        out.add(id=number, r=INVALID if domain == "null" else VALID, a=out.alg("public suffix"),
                text="" if text == "null" else text.strip("'"),
                f="policy" if domain == "null" else None,
                domain=None if domain == "null" else domain.strip("'"))
    return out
