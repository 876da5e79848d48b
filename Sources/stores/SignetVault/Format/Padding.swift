// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Pads texts before they are sealed, so that a record's length reveals little about the text's:
/// every text of 0 to 60 octets takes 64.
///
///     offset  size  field (VAULT-FORMAT.md, pad; n is the length)
///          0     4  length, big-endian
///          4     n  the text
///        4+n        zeros up to the padded length, which n alone decides
package enum Padding {
    /// The field before the text.
    private static let lengthByteCount = 4
    /// Up to the limit, a padded length is a multiple of the step.
    private static let smallStep = 64
    private static let smallLimit = 4096

    /// The padded length of a text of `count` octets, with the length field: a multiple of 64 up to
    /// 4,096. Above that it is by Padmé, a published rule that rounds a length up to few binary
    /// digits, so by at most 12 %: a text of 4,999 octets takes 5,120.
    package static func paddedByteCount(of count: Int) -> Int {
        let total = max(count, 0).addingReportingOverflow(lengthByteCount)
        // Far more than the length field can hold. The limit only keeps the sums below from an
        // overflow.
        guard !total.overflow, total.partialValue <= 1 << 40 else { return Int.max }
        let needed = total.partialValue
        let step: Int
        if needed <= smallLimit {
            step = smallStep
        } else {
            // Padmé: below its leading digit, a length keeps as many binary digits as its exponent
            // has; the digits after these are zero.
            let exponent = floorLog2(needed)
            step = 1 << (exponent - floorLog2(exponent) - 1)
        }
        return (needed + step - 1) / step * step
    }

    /// The padded text, in memory that is wiped.
    static func pad(_ text: Span<UInt8>) throws(StoreError) -> SecretKey {
        var writer = try begin(count: text.count)
        writer.append(text)
        return try end(writer)
    }

    /// Room for a padded text of `count` octets, with its length written.
    static func begin(count: Int) throws(StoreError) -> SecretWriter {
        guard let length = UInt32(exactly: count) else {
            throw StoreError(
                .tooLarge, "A text of \(count) bytes is not sealed: the most is 2^32 - 1.")
        }
        var writer = SecretWriter(count: paddedByteCount(of: count))
        writer.append(length)
        return writer
    }

    /// Adds zeros after the text.
    static func end(_ writer: consuming SecretWriter) throws(StoreError) -> SecretKey {
        writer.appendZerosToEnd()
        guard let storage = writer.finish() else {
            throw StoreError(.tooLarge, "A text to be sealed is longer than it was measured to be.")
        }
        return SecretKey(storage: storage)
    }

    /// The range of the text; nil unless length, total and every octet of padding are as a writer
    /// makes them.
    static func range(ofTextIn padded: Span<UInt8>) -> Range<Int>? {
        var cursor = ByteCursor(padded)
        guard let length = cursor.integer(UInt32.self, in: padded), let count = Int(exactly: length)
        else {
            return nil
        }
        guard padded.count == paddedByteCount(of: count) else { return nil }
        let end = lengthByteCount + count
        // Zero if every octet of the padding is.
        var paddingOctets: UInt8 = 0
        for index in end..<padded.count { paddingOctets |= padded[index] }
        return paddingOctets == 0 ? lengthByteCount..<end : nil
    }

    private static func floorLog2(_ number: Int) -> Int {
        Int.bitWidth - 1 - max(number, 1).leadingZeroBitCount
    }
}
