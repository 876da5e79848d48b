// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetVector

/// Where the runs of characters of a JSON text end that stand for themselves: at quotation marks, reverse solidi, control
/// characters and bytes past ASCII. Found 64 bytes at a time, with vectors where the processor has them, and kept for 2 048 bytes.
///
/// For a reader that goes forward: going back is right as well, and slow. What it is asked about has to be one text.
///
/// Public, because the compiler does not inline methods that change a `package` struct; this module is part of no product.
public struct JSONMarks {
    /// In bytes, as is ``start``: 64 for each word.
    @usableFromInline static let windowSize = 2_048

    @usableFromInline var words = InlineArray<32, UInt64>(repeating: 0)
    /// The first byte that ``words`` are about; at first a place that no position is near to.
    @usableFromInline var start = Int.min

    /// Nothing has been looked at yet.
    @inlinable
    public init() {}

    /// The position of the first such byte at `position` or behind it; the end of the text where there is none. A position
    /// outside of the text is not looked at, and what is returned for it means nothing.
    @inlinable
    @inline(__always)
    public mutating func next(_ text: Span<UInt8>, from position: Int) -> Int {
        let place = UInt(bitPattern: position &- start)
        if place < UInt(Self.windowSize) {
            let bits = words[Int(bitPattern: place >> 6)] &>> UInt64(place & 63)
            if bits != 0 { return position &+ bits.trailingZeroBitCount }
        }
        return search(text, from: position)
    }

    /// Word by word, and from window to window.
    @usableFromInline
    mutating func search(_ text: Span<UInt8>, from position: Int) -> Int {
        var position = position
        while position >= 0, position < text.count {
            let place = UInt(bitPattern: position &- start)
            guard place < UInt(Self.windowSize) else {
                fill(text, from: position)
                continue
            }
            let word = Int(bitPattern: place >> 6)
            let bits = words[word] &>> UInt64(place & 63)
            if bits != 0 { return position &+ bits.trailingZeroBitCount }
            position = start &+ (word &+ 1) &* 64
        }
        return text.count
    }

    @inline(never)
    private mutating func fill(_ text: Span<UInt8>, from position: Int) {
        start = position
        var room = words.mutableSpan
        Self.find(text.extracting(position...), into: &room)
    }

    /// Writes one bit for each byte, the first one lowest, and ones for what is behind the end of the text: as many words as there
    /// is room for, of 64 bytes each, and none behind that which the end is in.
    /// - Parameter usesVectors: false for what a processor without them does.
    package static func find(
        _ text: Span<UInt8>, into words: inout MutableSpan<UInt64>, usesVectors: Bool = true
    ) {
        unsafe text.withUnsafeBufferPointer { text in
            unsafe words.withUnsafeMutableBufferPointer { words in
                guard let to = words.baseAddress else { return }
                // Nothing is read from an empty text, which may have no address.
                var none: UInt8 = 0
                unsafe withUnsafePointer(to: &none) { empty in
                    let from = unsafe text.baseAddress ?? empty
                    if usesVectors {
                        unsafe csignet_json_marks(from, text.count, to, words.count)
                    } else {
                        unsafe csignet_json_marks_by_words(from, text.count, to, words.count)
                    }
                }
            }
        }
    }
}
