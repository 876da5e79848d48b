// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Converts between r‖s (RFC 7518, section 3.4) and libcrypto's DER, without allocating.
package enum ECDSASignatureEncoding {
    /// The DER form of r‖s in the bytes of a stack variable.
    struct DER {
        /// Three bytes and two integers of 66, each with two bytes of its own and a byte for the
        /// sign.
        private(set) var bytes = InlineArray<144, UInt8>(repeating: 0)
        private(set) var count = 0

        fileprivate mutating func append(_ byte: UInt8) {
            guard count < bytes.count else { return }
            bytes[count] = byte
            count &+= 1
        }
    }

    /// The DER form of r‖s, or nil unless the length is exact and 1 <= r, s < n.
    ///
    /// The range is checked before libcrypto: r = s = 0 is the "psychic signature" of
    /// CVE-2022-21449.
    @inline(__always)
    static func encode(_ raw: Span<UInt8>, curve: NamedCurve) -> DER? {
        let width = curve.coordinateByteCount
        // offset  size  field (n is the length of a coordinate)
        //      0     n  r, big-endian
        //      n     n  s
        guard raw.count == 2 * width else { return nil }
        let r = raw.extracting(0..<width)
        let s = raw.extracting(width..<(2 * width))
        let order = curve.order
        guard isInRange(r, order: order.span), isInRange(s, order: order.span) else { return nil }
        let rStart = firstSignificant(r)
        let sStart = firstSignificant(s)
        let rCount = width - rStart + Int(r[rStart] >> 7)
        let sCount = width - sStart + Int(s[sStart] >> 7)
        let content = 4 + rCount + sCount
        var der = DER()
        der.append(0x30)
        // Two P-521 integers have at most 138 bytes: one length byte after 0x81.
        if content >= 0x80 { der.append(0x81) }
        der.append(UInt8(truncatingIfNeeded: content))
        append(r, from: rStart, count: rCount, to: &der)
        append(s, from: sStart, count: sCount, to: &der)
        return der
    }

    /// Signatures are public, so an ordinary comparison will do.
    private static func isInRange(_ value: Span<UInt8>, order: Span<UInt8>) -> Bool {
        guard value.count == order.count, value[firstSignificant(value)] != 0 else { return false }
        for index in value.indices where value[index] != order[index] {
            return value[index] < order[index]
        }
        return false
    }

    /// The index of the first byte that is not zero; the last index if all are.
    private static func firstSignificant(_ value: Span<UInt8>) -> Int {
        for index in value.indices where value[index] != 0 { return index }
        return value.count - 1
    }

    private static func append(_ value: Span<UInt8>, from start: Int, count: Int, to der: inout DER)
    {
        der.append(0x02)
        der.append(UInt8(truncatingIfNeeded: count))
        if value[start] >> 7 == 1 { der.append(0) }
        for index in start..<value.count { der.append(value[index]) }
    }
}
