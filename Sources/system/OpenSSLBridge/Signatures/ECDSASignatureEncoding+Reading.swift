// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension ECDSASignatureEncoding {
    /// The result of ``encode(_:curve:)`` as an array.
    package static func der(raw: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        guard let der = encode(raw, curve: curve) else { return nil }
        return [UInt8](capacity: der.count) { output in
            for index in 0..<der.count { output.append(der.bytes[index]) }
        }
    }

    /// The raw r‖s of a DER signature in its only canonical form; nil for anything else.
    package static func raw(der: Span<UInt8>, curve: NamedCurve) -> [UInt8]? {
        let width = curve.coordinateByteCount
        // ECDSA-Sig-Value ::= SEQUENCE {     RFC 3279, section 2.2.3
        //     r  INTEGER,
        //     s  INTEGER }
        guard der.count >= 2, der[0] == 0x30 else { return nil }
        var position = 1
        guard let content = length(der, at: &position), content == der.count - position,
            let r = integer(der, at: &position, width: width),
            let s = integer(der, at: &position, width: width),
            position == der.count
        else { return nil }
        return [UInt8](capacity: 2 * width) { output in
            appendPadded(der.extracting(r), width: width, to: &output)
            appendPadded(der.extracting(s), width: width, to: &output)
        }
    }

    private static func appendPadded(
        _ number: Span<UInt8>, width: Int, to output: inout OutputSpan<UInt8>
    ) {
        output.append(repeating: 0, count: width - number.count)
        for index in number.indices { output.append(number[index]) }
    }

    /// A definite length in its shortest form; nothing here is 256 bytes long.
    private static func length(_ der: Span<UInt8>, at position: inout Int) -> Int? {
        guard position < der.count else { return nil }
        let first = Int(der[position])
        position += 1
        if first < 0x80 { return first }
        guard first == 0x81, position < der.count, der[position] >= 0x80 else { return nil }
        position += 1
        return Int(der[position - 1])
    }

    /// The significant bytes of a non-negative INTEGER with at most `width` of them.
    private static func integer(
        _ der: Span<UInt8>, at position: inout Int, width: Int
    ) -> Range<Int>? {
        // offset  size  field of an INTEGER (X.690, section 8.3; n is the length)
        //      0     1  tag, 02
        //      1  1..2  length: 00 to 7f, or 81 and 80 to ff
        //            n  the number, big-endian; 00 before it only if it begins with 80 to ff
        guard position < der.count, der[position] == 0x02 else { return nil }
        position += 1
        guard let count = length(der, at: &position), count >= 1, count <= der.count - position
        else {
            return nil
        }
        var start = position
        let end = position + count
        guard der[start] < 0x80 else { return nil }
        if der[start] == 0, count > 1 {
            // A leading zero is only for the sign.
            guard der[start + 1] >= 0x80 else { return nil }
            start += 1
        }
        guard end - start <= width else { return nil }
        position = end
        return start..<end
    }
}
