// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A reader of the little DER that vectors hold. Lengths must be definite and minimal, and nothing
/// may follow the end.
struct DERReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position == end }

    mutating func sequence() -> DERReader? { content(tag: 0x30).map { DERReader(bytes, in: $0) } }

    mutating func octetString() -> DERReader? {
        content(tag: 0x04).map { DERReader(bytes, in: $0) }
    }

    /// The content of a non-negative, minimally encoded INTEGER, without its sign octet.
    mutating func integer() -> [UInt8]? {
        guard let range = content(tag: 0x02), let first = range.first, bytes[first] < 0x80 else {
            return nil
        }
        guard bytes[first] == 0, range.count > 1 else { return Array(bytes[range]) }
        return bytes[first + 1] >= 0x80 ? Array(bytes[range.dropFirst()]) : nil
    }

    /// r ‖ s of an ECDSA signature, each in `width` octets; nil if `der` is not strict DER, or a
    /// number does not fit.
    static func rawSignature(_ der: [UInt8], width: Int) -> [UInt8]? {
        var reader = DERReader(der)
        guard var inner = reader.sequence(), reader.isAtEnd, let r = inner.integer(),
            let s = inner.integer(),
            inner.isAtEnd, r.count <= width, s.count <= width
        else { return nil }
        return [r, s].flatMap { [UInt8](repeating: 0, count: width - $0.count) + $0 }
    }

    /// Reads a tag and a length and steps over the content.
    private mutating func content(tag: UInt8) -> Range<Int>? {
        // offset  size  field (X.690, section 8.1; n is the length)
        //      0     1  tag
        //      1  1..4  length: 00 to 7f, or 81 to 83 and as few bytes as it takes, big-endian
        //            n  contents
        guard end - position >= 2, bytes[position] == tag else { return nil }
        var length = Int(bytes[position + 1])
        position += 2
        if length >= 0x80 {
            let count = length - 0x80
            guard (1...3).contains(count), end - position >= count, bytes[position] != 0 else {
                return nil
            }
            length = bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { return nil }
            position += count
        }
        guard end - position >= length else { return nil }
        defer { position += length }
        return position..<(position + length)
    }
}
