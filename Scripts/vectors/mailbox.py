# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""E-mail addresses of published test suites, each with what Signet must say: accepted, or the one reason.

Whether an address must be accepted follows from the publisher's label. Signet has rules that are stricter, and this
script restates each as a regular expression (RULES, in the order that `MailboxError` documents):

    label valid,   no rule matches   accepted, with the local part and the domain
    label valid,   a rule matches    override: refused, for the first rule that matches
    label invalid, a rule matches    refused, for the first rule that matches, which must be one of those that stand
                                     beside the publisher's diagnosis (DIAGNOSES)
    label invalid, no rule matches   an override that is written out (LAXER), or this script fails

Nothing here runs Signet.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

from .figures import INVALID, VALID, Suite, b64u

COLUMNS = "id r a text oct diag f why opt local domain".split()
ALGORITHM = "RFC 5321 Mailbox"
MAXIMUM = 254

_LDH = r"[A-Za-z0-9-]"
_LABEL = rf"{_LDH}{{1,63}}"
# The first wrong character of the local part, and the first wrong label of the domain, count.
_GOOD = r"[A-Za-z0-9#$&'*+\-/=?^_`{|}~.]*"
# Valid labels in front of one that is not.
_FRONT = rf"@(?:(?!-){_LABEL}(?<!-)\.)*"

RULES: list[tuple[str, str, str]] = [
    ("empty", r"^\Z", "there is no address"),
    ("tooLong", rf"^.{{{MAXIMUM + 1}}}", "an address has 254 octets at most"),
    ("controlCharacter", r"[\x00-\x1f\x7f]", "control characters are refused"),
    ("nonASCII", r"[^\x00-\x7f]", "ASCII alone is accepted unless an option says otherwise"),
    ("quotedLocalPart", r'^"', "a quoted local part is refused unless an option says otherwise"),
    ("space", r" ", "white space is RFC 5322's, not RFC 5321's"),
    ("missingAtSign", r"^[^@]*\Z", "there is no '@'"),
    ("severalAtSigns", r"@[^@]*@", "there is more than one '@'"),
    ("emptyLocalPart", r"^@", "nothing stands in front of the '@'"),
    ("emptyDomain", r"@\Z", "nothing stands behind the '@'"),
    ("localPartTooLong", r"^[^@]{65,}@", "a local part has 64 octets at most"),
    ("comment", rf"^{_GOOD}[()]", "comments are RFC 5322's, not RFC 5321's"),
    ("routing", rf"^{_GOOD}[%!]", "'%' and '!' are refused unless an option says otherwise"),
    ("localPartCharacter", rf"^{_GOOD}[^A-Za-z0-9#$&'*+\-/=?^_`{{|}}~.@]", "not a character of a dot-atom"),
    ("localPartDot", r"^\.|\.\.[^@]*@|\.@", "a dot stands at an end of the local part, or two in a row"),
    ("encodedWord", r"=\?.*\?=[^@]*@", "an encoded word (RFC 2047) is no address"),
    ("addressLiteral", r"@\[", "an address literal is no domain"),
    ("trailingDot", r"[^.@]\.\Z", "a dot at the end is refused unless an option says otherwise"),
    ("domainTooLong", r"@.{254}", "a domain has 253 octets at most"),
    ("emptyLabel", rf"{_FRONT}(?:\.|\Z)", "a label is empty"),
    ("comment", rf"{_FRONT}{_LDH}*[()]", "comments are RFC 5322's, not RFC 5321's"),
    ("domainCharacter", rf"{_FRONT}{_LDH}*[^A-Za-z0-9.-]", "not a letter, digit or hyphen"),
    ("labelTooLong", rf"{_FRONT}{_LDH}{{64,}}", "a label has 63 octets at most"),
    ("labelHyphen", rf"{_FRONT}(?:-|{_LDH}*-(?:\.|\Z))", "a hyphen stands at an end of a label"),
    ("singleLabel", r"@[^.]*\Z", "a domain has two labels at least"),
    ("numericTopLabel", r"\.[0-9]+\Z", "a last label of digits alone is an IP address's"),
]

# isemail: its categories in the order of severity. Up to RFC5321, an address is valid in an SMTP envelope. From CFWS on,
# it "cannot be used unmodified for the envelope", is deprecated, or is only valid "by the broad definition of RFC 5322".
ENVELOPE = {"ISEMAIL_VALID_CATEGORY", "ISEMAIL_DNSWARN", "ISEMAIL_RFC5321"}

_QUOTED = "controlCharacter quotedLocalPart nonASCII"
_LITERAL = "addressLiteral controlCharacter space"
DIAGNOSES = {
    "ISEMAIL_CFWS_COMMENT": "comment tooLong localPartTooLong",
    "ISEMAIL_CFWS_FWS": "space controlCharacter",
    "ISEMAIL_DEPREC_CFWS_NEAR_AT": "comment space controlCharacter severalAtSigns quotedLocalPart",
    "ISEMAIL_DEPREC_COMMENT": "comment controlCharacter",
    "ISEMAIL_DEPREC_CTEXT": "controlCharacter",
    "ISEMAIL_DEPREC_FWS": "space controlCharacter",
    "ISEMAIL_DEPREC_LOCALPART": "quotedLocalPart localPartCharacter comment",
    "ISEMAIL_DEPREC_QP": _QUOTED,
    "ISEMAIL_DEPREC_QTEXT": _QUOTED,
    "ISEMAIL_RFC5321_IPV6DEPRECATED": _LITERAL,
    "ISEMAIL_ERR_ATEXT_AFTER_CFWS": "comment space tooLong controlCharacter",
    "ISEMAIL_ERR_ATEXT_AFTER_DOMLIT": _LITERAL,
    "ISEMAIL_ERR_ATEXT_AFTER_QS": "quotedLocalPart",
    "ISEMAIL_ERR_BACKSLASHEND": "comment addressLiteral",
    "ISEMAIL_ERR_CONSECUTIVEDOTS": "localPartDot emptyLabel missingAtSign",
    "ISEMAIL_ERR_CR_NO_LF": "controlCharacter",
    "ISEMAIL_ERR_DOMAINHYPHENEND": "labelHyphen",
    "ISEMAIL_ERR_DOMAINHYPHENSTART": "labelHyphen",
    "ISEMAIL_ERR_DOT_END": "localPartDot trailingDot",
    "ISEMAIL_ERR_DOT_START": "localPartDot emptyLabel emptyDomain",
    "ISEMAIL_ERR_EXPECTING_ATEXT": "localPartCharacter domainCharacter severalAtSigns quotedLocalPart "
                                   "controlCharacter space comment",
    "ISEMAIL_ERR_EXPECTING_CTEXT": "controlCharacter",
    "ISEMAIL_ERR_EXPECTING_DTEXT": _LITERAL,
    "ISEMAIL_ERR_EXPECTING_QPAIR": _QUOTED,
    "ISEMAIL_ERR_EXPECTING_QTEXT": _QUOTED,
    "ISEMAIL_ERR_FWS_CRLF_END": "controlCharacter",
    "ISEMAIL_ERR_FWS_CRLF_X2": "controlCharacter",
    "ISEMAIL_ERR_NODOMAIN": "empty missingAtSign emptyDomain",
    "ISEMAIL_ERR_NOLOCALPART": "emptyLocalPart severalAtSigns",
    "ISEMAIL_ERR_UNCLOSEDCOMMENT": "comment",
    "ISEMAIL_ERR_UNCLOSEDDOMLIT": _LITERAL,
    "ISEMAIL_ERR_UNCLOSEDQUOTEDSTR": "quotedLocalPart",
    "ISEMAIL_RFC5322_DOMAIN": "domainCharacter",
    "ISEMAIL_RFC5322_DOMAINLITERAL": _LITERAL,
    "ISEMAIL_RFC5322_DOMAIN_TOOLONG": "tooLong",
    "ISEMAIL_RFC5322_DOMLIT_OBSDTEXT": _LITERAL,
    "ISEMAIL_RFC5322_LABEL_TOOLONG": "labelTooLong",
    "ISEMAIL_RFC5322_LOCAL_TOOLONG": "localPartTooLong quotedLocalPart",
    "ISEMAIL_RFC5322_TOOLONG": "tooLong",
    **{f"ISEMAIL_RFC5322_IPV6_{name}": _LITERAL
       for name in ("2X2XCOLON", "BADCHAR", "COLONEND", "COLONSTRT", "GRPCOUNT", "MAXGRPS")},
}

# Invalid for the publisher but accepted here: neither the syntax of RFC 5321 nor a comparison of domains needs these rules.
LAXER = {
    "me@bad.tld-2": "which top-level domains there are is the DNS's matter: RFC 5321 asks for letters, digits, hyphens",
    "me@xn--0.tld": "a label xn-- is compared as it is written: whether it decodes is IDNA's matter",
    "me@yy--0.tld": "hyphens in the third and fourth place are IDNA's matter: RFC 5321 has no such rule",
    "me@anything.arpa": "a reserved name is well formed: which names take mail is the DNS's matter",
    "me@valid.invalid": "a reserved name is well formed: which names take mail is the DNS's matter",
    "me@link.local": "a reserved name is well formed: which names take mail is the DNS's matter",
    "me@host.localhost": "a reserved name is well formed: which names take mail is the DNS's matter",
    "me@onion.onion.onion": "a reserved name is well formed: which names take mail is the DNS's matter",
    "me@test.test.test": "a reserved name is well formed: which names take mail is the DNS's matter",
}


def suites(root: Path) -> list[Suite]:
    return [
        _isemail(root, "isemail_tests", "isemail", "dominicsayers/isemail test/tests.xml"),
        _isemail(root, "isemail_tests_original", "isemail-original",
                 "dominicsayers/isemail test/tests-original.xml"),
        _egulias(root), _python(root),
    ]


def reason(text: str) -> tuple[str, str] | None:
    """The first rule that an address breaks, and the reason for the rule."""
    # Lengths are counted in octets: every octet is one character here.
    octets = text.encode("utf-8").decode("latin-1")
    for code, pattern, why in RULES:
        if re.search(pattern, octets, re.DOTALL):
            return code, why
    return None


def _suite(root: Path, raw: str, name: str, document: str, licence: str) -> tuple[Suite, dict[str, Any]]:
    path = f"email/{raw}.json"
    published = json.loads((root / path).read_text(encoding="utf-8"))
    version = f"{published.get('version', '')} {published['commit']}".strip()
    return Suite(folder="email", name=name, kind="mailbox", document=document, version=version,
                 licence=licence, cols=COLUMNS, raw=[path]), published


def _add(out: Suite, name: Any, label: int, address: str | bytes, diagnosis: str, allowed: str = "") -> None:
    """Adds one address. `allowed`: the reasons that fit the publisher's diagnosis; empty for any."""
    is_text = isinstance(address, str)
    found = reason(address) if is_text else ("nonASCII", "octets that are no UTF-8 are refused")
    cells: dict[str, Any] = {"id": name, "r": label, "a": out.alg(ALGORITHM), "diag": diagnosis,
                             "text": address if is_text else None, "oct": None if is_text else b64u(address),
                             "f": "malformed" if label == INVALID else None, "why": None, "opt": None,
                             "local": None, "domain": None}
    if found:
        cells["why"] = found[0]
        if label == INVALID and allowed and found[0] not in allowed.split():
            raise ValueError(f"{out.name}#{name}: {found[0]} does not go with {diagnosis}")
        if label == VALID:
            cells["opt"] = _option(address, found[0])
            out.ovr[str(name)] = [INVALID, "malformed", found[1]]
    else:
        local, _, domain = address.partition("@")
        cells |= {"local": local, "domain": domain.lower()}
        if label == INVALID:
            out.ovr[str(name)] = [VALID, None, LAXER[address]]
    out.add(**cells)


def _option(address: str, code: str) -> str | None:
    """The option with which a publisher's valid address must be accepted, if one option is enough."""
    local, _, domain = address.rpartition("@")
    match code:
        case "quotedLocalPart" if local.endswith('"') and not re.search("[%!]", local):
            rest = "x"
        case "routing":
            rest = re.sub("[%!]", "x", local)
        case "nonASCII" if domain.isascii() and not local.startswith('"') and _has_words_alone(local):
            rest = re.sub(r"[^\x00-\x7f]", "x", local)
        case _:
            return None
    names = {"quotedLocalPart": "quoted", "routing": "routing", "nonASCII": "unicode"}
    too_long = len(local.encode("utf-8")) > 64
    return None if too_long or reason(f"{rest}@{domain}") else names[code]


def _has_words_alone(local: str) -> bool:
    """Whether everything outside ASCII is a letter, mark or number: the option for Unicode accepts no more."""
    return all(character.isascii() or unicodedata.category(character)[0] in "LMN" for character in local)


def _isemail(root: Path, raw: str, name: str, document: str) -> Suite:
    out, published = _suite(root, raw, name, document, "BSD-3-Clause")
    for case in published["cases"]:
        label = VALID if case["category"] in ENVELOPE else INVALID
        diagnosis = case["diagnosis"]
        _add(out, case["id"], label, case["address"], f"{case['category']} {diagnosis}",
             DIAGNOSES[diagnosis] if label == INVALID else "")
    return out


def _egulias(root: Path) -> Suite:
    """Its label is "valid" even with a warning. It accepts RFC 5322 and RFC 6531, and warns of what only they allow."""
    out, published = _suite(root, "egulias_cases", "egulias", "egulias/EmailValidator tests", "MIT")
    for number, case in enumerate(published["cases"], 1):
        label = VALID if case["expect"].startswith("valid") else INVALID
        address = case["address"] if "address" in case else base64.b64decode(case["address_b64"])
        _add(out, number, label, address, " ".join(filter(None, (case["expect"], case.get("detail")))))
    return out


def _python(root: Path) -> Suite:
    """Its label is "valid" even if the address needs SMTPUTF8 or an option for quoted local parts or display names."""
    out, published = _suite(root, "python_email_validator_cases", "python-email-validator",
                            "JoshData/python-email-validator tests/test_syntax.py", "Unlicense")
    for number, case in enumerate(published["cases"], 1):
        expect = case["expect"]
        label = VALID if expect in ("valid", "valid-smtputf8") else INVALID
        diagnosis = " ".join([expect, *case.get("needs", [])])
        if "address" not in case:
            out.leave_out("a lone surrogate", 1, "no UTF-8 has it, and no Swift string")
        elif expect == "invalid-character-fragment":
            _add(out, f"{number}-local", label, case["address"] + "@test", diagnosis)
            _add(out, f"{number}-domain", label, "test@" + case["address"], diagnosis)
        else:
            _add(out, number, label, case["address"], diagnosis)
    return out
