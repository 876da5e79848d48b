# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""The figure format of TestVectors/README.md: one suite, its rows, and how both become bytes."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT_VERSION = 1
VALID, INVALID = 1, 0

RFC_LICENCE = "IETF Trust (figures of an RFC, transcribed as data)"
NIST_LICENCE = "public domain (NIST)"


def b64u(data: bytes) -> str:
    """Bytes in the form of the figures: base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def hex64(text: str) -> str:
    """Published hexadecimal as base64url. Only whole octets: a half octet means that we misread the file."""
    return b64u(bytes.fromhex(text))


def number(text: str, width: int = 0) -> str:
    """A published hexadecimal number as big-endian octets: `width` of them, or as many as it needs.

    A number that does not fit keeps its real length, because refusing it is what the vector is about.
    """
    value = int(text, 16)
    return b64u(value.to_bytes(max(width, (value.bit_length() + 7) // 8, 1), "big"))


@dataclass
class Suite:
    """One figure file: rows of one kind, from one document."""

    folder: str
    name: str
    kind: str
    document: str
    version: str
    licence: str
    cols: list[str]
    raw: list[str]
    algs: list[str] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    ovr: dict[str, list[Any]] = field(default_factory=dict)
    left_out: list[dict[str, Any]] = field(default_factory=list)

    def alg(self, name: str) -> int:
        """The index of an algorithm name in this file's table."""
        return _index(self.algs, name)

    def key(self, value: dict[str, Any]) -> int:
        """The index of a key in this file's table, which holds each key once."""
        return _index(self.keys, value)

    def add(self, **cells: Any) -> None:
        """Appends a row; a missing or an unknown column is an error here, not in the reader."""
        if set(cells) != set(self.cols):
            raise ValueError(f"{self.name}: columns {sorted(cells)} are not {sorted(self.cols)}")
        self.rows.append([cells[column] for column in self.cols])

    def leave_out(self, what: str, count: int, reason: str, *, offered: bool = False) -> None:
        """Records cases of the raw files that get no row, so that the counts can be checked. `offered`: Signet has the
        algorithm, and the cases were not run for another reason."""
        if count:
            self.left_out.append({"what": what, "count": count, "reason": reason} | ({"offered": True} if offered else {}))

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}.json"

    def encoded(self) -> bytes:
        """The file: minified, one row per line (so that a change is one line), always the same bytes."""
        ids = [row[0] for row in self.rows]
        if len(set(ids)) != len(ids):
            raise ValueError(f"{self.name}: an id stands twice")
        head = {"v": FORMAT_VERSION, "kind": self.kind, "src": self.document, "lic": self.licence,
                "algs": self.algs, "cols": self.cols}
        if self.ovr:
            head["ovr"] = self.ovr
        text = _compact(head)[:-1]
        if self.keys:
            text += ',"keys":[\n' + ",\n".join(map(_compact, self.keys)) + "]"
        text += ',"rows":[\n' + ",\n".join(map(_compact, self.rows)) + "]}\n"
        return text.encode("utf-8")

    def manifest_entry(self, root: Path) -> dict[str, Any]:
        counts = {label: 0 for label in (INVALID, VALID)}
        for row in self.rows:
            counts[row[self.cols.index("r")]] += 1
        entry: dict[str, Any] = {
            "name": self.name, "path": self.path, "kind": self.kind,
            "source": {"document": self.document, "version": self.version}, "licence": self.licence,
            "sha256": hashlib.sha256(self.encoded()).hexdigest(),
            "cases": len(self.rows), "valid": counts[VALID], "invalid": counts[INVALID],
            "algorithms": self.algs,
            "raw": [{"path": name, "sha256": hashlib.sha256((root / name).read_bytes()).hexdigest()}
                    for name in self.raw],
        }
        if self.left_out:
            entry["leftOut"] = self.left_out
        return entry


def _index(table: list[Any], value: Any) -> int:
    if value not in table:
        table.append(value)
    return table.index(value)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
