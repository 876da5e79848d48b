// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends an integer, big-endian.
    package mutating func appendBigEndian<I: FixedWidthInteger & UnsignedInteger>(_ integer: I) {
        var shift = I.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: integer >> I(shift)))
        }
    }

    /// Appends the length as u32 and the octets, of which there are never 2^32.
    package mutating func appendPrefixed(_ octets: some Collection<UInt8>) {
        appendBigEndian(UInt32(truncatingIfNeeded: octets.count))
        append(contentsOf: octets)
    }
}
