# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""SQLite's files with what differs from run to run, and from SQLite to SQLite, made the same."""

import struct


def normalised(octets):
    """SQLite writes its own version into the header; it is one here, whichever made the file."""
    if octets[:16] != b"SQLite format 3\0" or len(octets) < 100:
        return octets
    return octets[:96] + (3_040_001).to_bytes(4, "big") + octets[100:]


def normalised_wal(octets):
    """The same frames with other salts, and the sums over them."""
    magic, version, page_size, sequence = struct.unpack(">4I", octets[:16])
    little = not magic & 1
    salts = b"salt" + b"SALT"
    front = struct.pack(">4I", magic, version, page_size, sequence) + salts
    sums = checksum((0, 0), front, little)
    result = front + struct.pack(">2I", *sums)
    for at in range(32, len(octets), 24 + page_size):
        header, page = octets[at : at + 8], normalised(octets[at + 24 : at + 24 + page_size])
        sums = checksum(checksum(sums, header, little), page, little)
        result += header + salts + struct.pack(">2I", *sums) + page
    return result


def checksum(sums, octets, little):
    first, second = sums
    words = struct.unpack(f"{'<' if little else '>'}{len(octets) // 4}I", octets)
    for even, odd in zip(words[::2], words[1::2]):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def difference(base, octets):
    """[[offset, hexadecimal octets]]"""
    padded = base.ljust(len(octets), b"\0")
    patches, start, last = [], None, None
    for offset, (old, new) in enumerate(zip(padded, octets)):
        if old == new:
            continue
        if start is not None and offset - last > 8:
            patches.append([start, octets[start : last + 1].hex()])
            start = None
        start, last = offset if start is None else start, offset
    if start is not None:
        patches.append([start, octets[start : last + 1].hex()])
    return patches
