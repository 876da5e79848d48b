// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Between the raw r‖s of RFC 7518, section 3.4, and the DER that libcrypto takes.
package enum ECDSASignatureEncoding {
    /// The DER form of r‖s, or nil unless the length is exact and 1 <= r, s < n.
    ///
    /// The range is checked here, before libcrypto: r = s = 0 is the "psychic signature" of CVE-2022-21449.
    package static func der(raw: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        let width = curve.coordinateByteCount
        guard raw.count == 2 * width else { return nil }
        let r = raw.extracting(0..<width)
        let s = raw.extracting(width..<(2 * width))
        let order = curve.order
        guard isInRange(r, order: order.span), isInRange(s, order: order.span) else { return nil }
        let rStart = firstSignificant(r)
        let sStart = firstSignificant(s)
        let rCount = width - rStart + (r[rStart] >> 7 == 1 ? 1 : 0)
        let sCount = width - sStart + (s[sStart] >> 7 == 1 ? 1 : 0)
        let content = 4 + rCount + sCount
        var der = [UInt8]()
        der.reserveCapacity(content + 3)
        der.append(0x30)
        // Two P-521 integers are 138 bytes at most: one length byte behind 0x81.
        if content >= 0x80 { der.append(0x81) }
        der.append(UInt8(truncatingIfNeeded: content))
        append(r, from: rStart, count: rCount, to: &der)
        append(s, from: sStart, count: sCount, to: &der)
        return der
    }

    /// The raw r‖s of a DER signature in its one canonical form, or nil for anything else.
    package static func raw(der: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        let width = curve.coordinateByteCount
        var position = 0
        guard der.count >= 2, der[0] == 0x30 else { return nil }
        position = 1
        guard let content = length(der, &position), content == der.count - position else { return nil }
        var raw = [UInt8](repeating: 0, count: 2 * width)
        guard integer(der, &position, into: &raw, at: 0, width: width),
            integer(der, &position, into: &raw, at: width, width: width), position == der.count
        else { return nil }
        return raw
    }

    /// Signatures are public, hence an ordinary comparison.
    private static func isInRange(_ value: Span<UInt8>, order: Span<UInt8>) -> Bool {
        var isZero = true
        var isBelow = false
        for index in value.indices {
            if value[index] != 0 { isZero = false }
            if !isBelow, value[index] != order[index] {
                guard value[index] < order[index] else { return false }
                isBelow = true
            }
        }
        return isBelow && !isZero
    }

    private static func firstSignificant(_ value: Span<UInt8>) -> Int {
        for index in value.indices where value[index] != 0 { return index }
        return value.count - 1
    }

    private static func append(_ value: Span<UInt8>, from start: Int, count: Int, to der: inout [UInt8]) {
        der.append(0x02)
        der.append(UInt8(truncatingIfNeeded: count))
        if value[start] >> 7 == 1 { der.append(0) }
        for index in start..<value.count { der.append(value[index]) }
    }

    /// A definite length in its shortest form; nothing here is 256 bytes long.
    private static func length(_ der: Span<UInt8>, _ position: inout Int) -> Int? {
        guard position < der.count else { return nil }
        let first = Int(der[position])
        position += 1
        if first < 0x80 { return first }
        guard first == 0x81, position < der.count, der[position] >= 0x80 else { return nil }
        position += 1
        return Int(der[position - 1])
    }

    private static func integer(
        _ der: Span<UInt8>, _ position: inout Int, into raw: inout [UInt8], at offset: Int, width: Int
    ) -> Bool {
        guard position < der.count, der[position] == 0x02 else { return false }
        position += 1
        guard let count = length(der, &position), count >= 1, count <= der.count - position else {
            return false
        }
        var start = position
        let end = position + count
        guard der[start] < 0x80 else { return false }
        if der[start] == 0, count > 1 {
            // A leading zero is there for the sign only.
            guard der[start + 1] >= 0x80 else { return false }
            start += 1
        }
        guard end - start <= width else { return false }
        for index in start..<end { raw[offset + width - (end - index)] = der[index] }
        position = end
        return true
    }
}
