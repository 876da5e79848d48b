// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The encoding of RFC 3492, for the rules of a suffix list. It neither maps nor checks: a name
/// that is not normalised becomes a label that no domain has.
///
/// The ASCII characters of a label come first, then a hyphen, then one number for each other
/// character, the lowest character first: `bücher` becomes `bcher-kva`. The number (delta) counts
/// the insertions that a decoder tries before the right one: each character in turn, at each place.
/// Its digits are of base 36, and a bias that follows the earlier numbers keeps them few.
///
/// For `bücher` the decoder begins with `bcher`, which has six places, and with U+0080. Until ü
/// (U+00FC) at the place 1 it makes (0xfc - 0x80) · 6 + 1 = 745 tries, and `kva` is 745.
package enum Punycode {
    // The parameters of section 5.
    private static let base: UInt32 = 36
    private static let minimumThreshold: UInt32 = 1
    private static let maximumThreshold: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damping: UInt32 = 700
    private static let initialBias: UInt32 = 72
    private static let firstNonBasic: UInt32 = 0x80
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The label without `xn--`; nil if it is too long to encode.
    package static func encode(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8]? {
        let points = scalars.map(\.value)
        // With at most 63 characters, the sums below stay far inside their type.
        guard points.count <= EmailDomain.maximumLabelByteCount else { return nil }
        var output = points.compactMap { $0 < firstNonBasic ? UInt8(truncatingIfNeeded: $0) : nil }
        let basicCount = UInt32(output.count)
        // How many characters the decoder has so far.
        var handled = basicCount
        if basicCount > 0 { output.append(ASCII.hyphen) }
        // The character that the decoder tries.
        var next = firstNonBasic
        var delta: UInt32 = 0
        var bias = initialBias
        while handled < points.count {
            guard let smallest = points.filter({ $0 >= next }).min() else { return nil }
            // Each character in between is tried at each place.
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for point in points {
                // A place before the right one.
                if point < next { delta += 1 }
                guard point == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return output
    }

    /// Appends a number as digits of base 36, the lowest first (section 6.3). A digit below the
    /// threshold of its position is the last, so numbers need nothing between them.
    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var position = base
        while true {
            let threshold =
                position <= bias
                ? minimumThreshold : min(max(position - bias, minimumThreshold), maximumThreshold)
            guard rest >= threshold else { break }
            output.append(digits[Int(threshold + (rest - threshold) % (base - threshold))])
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digits[Int(rest)])
    }

    /// The bias after a delta (section 6.1).
    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var rest = isFirst ? delta / damping : delta / 2
        rest += rest / count
        var bias: UInt32 = 0
        while rest > (base - minimumThreshold) * maximumThreshold / 2 {
            rest /= base - minimumThreshold
            bias += base
        }
        return bias + (base - minimumThreshold + 1) * rest / (rest + skew)
    }
}
