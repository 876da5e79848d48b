// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// An element of DER (X.690, sections 8.1 and 10.1), the binary form of keys and certificates, as
/// positions in the text. ``PrivateKeyStructure`` and ``DERShape`` look at keys through it.
///
/// ```
/// offset  size  field (n is the length)
///      0     1  tag: the kind, such as 02 for an INTEGER
///      1  1..4  length: 00 to 7f, or 81 to 83 and as few bytes as it takes, big-endian
///            n  contents, which are elements again in a SEQUENCE (30)
/// ```
///
/// 30 03 02 01 05 is a SEQUENCE of the INTEGER 5: `whole` is 0..<5, `contents` 2..<5, and its only
/// child has the contents 4..<5.
struct DERElement {
    /// The most elements that are read in another: RSAPrivateKey has ten, more than other keys.
    private static let maximumChildCount = 16

    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    let tag: UInt8
    /// Where tag, length and contents stand.
    let whole: Range<Int>
    let contents: Range<Int>

    /// The element that begins at `start`; nil if there is none, or if it ends after `end`.
    init?(_ der: Span<UInt8>, at start: Int, before end: Int) {
        guard start >= 0, end <= der.count, end - start >= 2 else { return nil }
        var position = start + 2
        var length = Int(der[start + 1])
        if length >= 0x80 {
            let octetCount = length & 0x7f
            // A leading zero would not be the fewest bytes.
            guard (1...3).contains(octetCount), end - position >= octetCount, der[position] != 0
            else { return nil }
            length = 0
            for index in position..<(position + octetCount) {
                length = length << 8 | Int(der[index])
            }
            guard length >= 0x80 else { return nil }
            position += octetCount
        }
        guard length <= end - position else { return nil }
        tag = der[start]
        contents = position..<(position + length)
        whole = start..<(position + length)
    }

    /// The elements that the contents consist of; nil if the contents are not elements, or if there
    /// are more than any structure of keys has.
    func children(in der: Span<UInt8>) -> [DERElement]? {
        var children = [DERElement]()
        var position = contents.lowerBound
        while position < contents.upperBound {
            guard children.count < Self.maximumChildCount,
                let child = DERElement(der, at: position, before: contents.upperBound)
            else { return nil }
            children.append(child)
            position = child.whole.upperBound
        }
        return children
    }

    /// The first of the elements in the contents.
    func firstChild(in der: Span<UInt8>) -> DERElement? {
        DERElement(der, at: contents.lowerBound, before: contents.upperBound)
    }

    /// Whether the contents are exactly the given bytes.
    func holds(_ bytes: [UInt8], in der: Span<UInt8>) -> Bool {
        bytesAreEqual(der.extracting(contents), bytes.span)
    }

    /// The octets of a BIT STRING, whose first octet says how many bits of the last are unused; nil
    /// if any are, or if there are no octets.
    func wholeOctets(in der: Span<UInt8>) -> Range<Int>? {
        guard contents.count > 1, der[contents.lowerBound] == 0 else { return nil }
        return (contents.lowerBound + 1)..<contents.upperBound
    }

    /// Appends a tag and a length below 2^24, which the contents follow.
    static func append(_ tag: UInt8, length: Int, to der: inout [UInt8]) {
        der.append(tag)
        if length < 0x80 {
            der.append(UInt8(truncatingIfNeeded: length))
            return
        }
        // Three octets, without leading zeros.
        let octets = [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }.drop { $0 == 0 }
        der.append(0x80 | UInt8(truncatingIfNeeded: octets.count))
        der.append(contentsOf: octets)
    }
}
