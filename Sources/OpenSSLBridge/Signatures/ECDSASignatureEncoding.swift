// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Between the raw r‖s of RFC 7518, section 3.4, and the DER that libcrypto takes. Nothing is allocated.
package enum ECDSASignatureEncoding {
    /// The DER form of r‖s in the bytes of a stack variable.
    struct DER {
        /// Three bytes and two integers of 66 with their own two, and room for two sign bytes.
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
    /// The range is checked here, before libcrypto: r = s = 0 is the "psychic signature" of CVE-2022-21449.
    @inline(__always)
    static func encode(_ raw: Span<UInt8>, _ curve: NamedCurve) -> DER? {
        let width = curve.coordinateByteCount
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
        // Two P-521 integers are 138 bytes at most: one length byte behind 0x81.
        if content >= 0x80 { der.append(0x81) }
        der.append(UInt8(truncatingIfNeeded: content))
        append(r, from: rStart, count: rCount, to: &der)
        append(s, from: sStart, count: sCount, to: &der)
        return der
    }

    /// As ``encode(_:_:)``, as an array.
    package static func der(raw: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        guard let der = encode(raw, curve) else { return nil }
        return [UInt8](capacity: der.count) { output in
            for index in 0..<der.count { output.append(der.bytes[index]) }
        }
    }

    /// Appends the raw r‖s of a DER signature in its one canonical form to `output`; false, and nothing appended, for
    /// anything else and where there is no room.
    static func append(
        _ der: Span<UInt8>, _ curve: NamedCurve, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        let width = curve.coordinateByteCount
        guard output.freeCapacity >= 2 * width, der.count >= 2, der[0] == 0x30 else { return false }
        var position = 1
        guard let content = length(der, &position), content == der.count - position,
            let r = integer(der, &position, width: width),
            let s = integer(der, &position, width: width),
            position == der.count
        else { return false }
        appendPadded(der.extracting(r), width: width, to: &output)
        appendPadded(der.extracting(s), width: width, to: &output)
        return true
    }

    private static func appendPadded(
        _ number: Span<UInt8>, width: Int, to output: inout OutputSpan<UInt8>
    ) {
        output.append(repeating: 0, count: width - number.count)
        for index in number.indices { output.append(number[index]) }
    }

    /// As ``append(_:_:to:)``, as an array.
    package static func raw(der: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        var isCanonical = false
        let raw = [UInt8](capacity: 2 * curve.coordinateByteCount) { output in
            isCanonical = append(der, curve, to: &output)
        }
        return isCanonical ? raw : nil
    }

    /// Signatures are public, hence an ordinary comparison.
    private static func isInRange(_ value: Span<UInt8>, order: Span<UInt8>) -> Bool {
        guard value.count == order.count, value[firstSignificant(value)] != 0 else { return false }
        return unsafe value.withBase { base, count in
            unsafe order.withBase { order, _ in unsafe memcmp(base, order, count) < 0 }
        }
    }

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

    /// Where the significant bytes of an INTEGER are that is not negative and has no more than `width` of them.
    private static func integer(
        _ der: Span<UInt8>, _ position: inout Int, width: Int
    ) -> Range<Int>? {
        guard position < der.count, der[position] == 0x02 else { return nil }
        position += 1
        guard let count = length(der, &position), count >= 1, count <= der.count - position else {
            return nil
        }
        var start = position
        let end = position + count
        guard der[start] < 0x80 else { return nil }
        if der[start] == 0, count > 1 {
            // A leading zero is there for the sign only.
            guard der[start + 1] >= 0x80 else { return nil }
            start += 1
        }
        guard end - start <= width else { return nil }
        position = end
        return start..<end
    }
}
