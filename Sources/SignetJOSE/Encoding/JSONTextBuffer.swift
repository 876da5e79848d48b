// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

/// A text that is being written: an array that is longer than what has been written, so that few steps have to look
/// after its memory.
struct JSONTextBuffer {
    /// What has been written, and what is kept in reserve behind it.
    private(set) var bytes: [UInt8]
    private(set) var count = 0

    init(capacity: Int) { bytes = .zeros(capacity) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == bytes.count { makeRoom(1) }
        bytes[count] = byte
        count &+= 1
    }

    mutating func append(_ text: Span<UInt8>) {
        let start = count
        if bytes.count &- start < text.count { makeRoom(text.count) }
        count = start &+ text.count
        var target = bytes.mutableSpan
        target.copy(text, at: start)
    }

    mutating func append(_ text: String) { append(text.utf8.span) }

    /// Appends a number in decimal digits.
    mutating func append(decimal value: UInt64) {
        let lower = value % Self.eightDigits
        let upper = value / Self.eightDigits
        guard upper > 0 else { return append(digits: Self.digits(lower), leadingZeros: false) }
        if upper < Self.eightDigits {
            append(digits: Self.digits(upper), leadingZeros: false)
        } else {
            // At most 1 844: 2^64 has 20 digits.
            append(digits: Self.digits(upper / Self.eightDigits), leadingZeros: false)
            append(digits: Self.digits(upper % Self.eightDigits), leadingZeros: true)
        }
        append(digits: Self.digits(lower), leadingZeros: true)
    }

    private static let eightDigits: UInt64 = 100_000_000

    /// The eight decimal digits of a number below 10^8, a byte each, the first one lowest.
    ///
    /// All of them at once: halves of four digits, quarters of two, then each one. The products with the rounded-up inverses of
    /// 100 and of 10 are exact for what is divided here, and stay within their lanes.
    @inline(__always)
    private static func digits(_ value: UInt64) -> UInt64 {
        let fours = value / 10_000 | (value % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007f_0000_007f
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000f_000f_000f_000f
        return tens | (twos &- tens &* 10) << 8
    }

    @inline(__always)
    private mutating func append(digits: UInt64, leadingZeros: Bool) {
        // A zero is one digit.
        let skipped = leadingZeros ? 0 : min(digits.trailingZeroBitCount / 8, 7)
        let start = count
        if bytes.count &- start < 8 { makeRoom(8) }
        count = start &+ 8 &- skipped
        var target = bytes.mutableSpan
        target.store((digits | 0x3030_3030_3030_3030) >> UInt64(truncatingIfNeeded: skipped &* 8), at: start)
    }

    /// Appends a string with its quotation marks.
    /// - Parameters:
    ///   - comma: whether a comma goes before it.
    ///   - colon: whether a colon goes behind it.
    /// - Returns: what a scanner would note of it.
    mutating func append(
        quoted text: Span<UInt8>, comma: Bool = false, colon: Bool = false
    ) -> JSONRecord.Flags {
        let start = count
        // Comma, two quotation marks and colon.
        if bytes.count &- start < text.count &+ 4 { makeRoom(text.count &+ 4) }
        let written = bytes.writeQuoted(text, at: start, comma: comma, colon: colon)
        count = start &+ written
        let marks = 2 &+ (comma ? 1 : 0) &+ (colon ? 1 : 0)
        guard written == text.count &+ marks else {
            let done = written &- (comma ? 2 : 1)
            return finishQuoted(text.extracting(done...), colon: colon)
        }
        return []
    }

    /// The rest of a string from a character on that does not stand for itself.
    @inline(never)
    private mutating func finishQuoted(_ rest: Span<UInt8>, colon: Bool) -> JSONRecord.Flags {
        var flags: JSONRecord.Flags = []
        for i in rest.indices { flags.formUnion(JSONText.appendEscaped(rest[i], to: &self)) }
        append(UInt8(ascii: "\""))
        if colon { append(UInt8(ascii: ":")) }
        return flags
    }

    @inline(never)
    private mutating func makeRoom(_ more: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(more, bytes.count)))
    }

    /// A part of what has been written.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}
