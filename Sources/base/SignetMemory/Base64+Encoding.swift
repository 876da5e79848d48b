// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Base64 {
    /// The number of characters that `byteCount` bytes encode to.
    package static func encodedCount(_ byteCount: Int) -> Int {
        (byteCount / 3) &* 4 &+ (byteCount % 3 == 0 ? 0 : byteCount % 3 &+ 1)
    }

    /// Appends the encoding of `bytes`, as ASCII, to `text`.
    package func append(encoding bytes: Span<UInt8>, to text: inout [UInt8]) {
        let count = Self.encodedCount(bytes.count)
        text.append(addingCapacity: count) { output in
            output.append(repeating: 0, count: count)
            var span = output.mutableSpan
            encode(bytes, into: &span, at: 0)
        }
    }

    /// Writes the encoding of `bytes` to `output`, from `start` on; writes nothing if it does not
    /// fit.
    func encode(
        _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at start: Int
    ) {
        let pairs = pairs.span
        guard pairs.count == 4096, start >= 0,
            start <= output.count &- Self.encodedCount(bytes.count)
        else { return }
        var i = 0
        var o = start
        while i <= bytes.count &- 8, o <= output.count &- 8 {
            // Six bytes become eight characters.
            let bits = bytes.word(at: i).byteSwapped >> 16
            var word: UInt64 = 0
            for place in 0..<4 {
                let pair = pairs[Int(truncatingIfNeeded: bits >> UInt64(12 &* place)) & 0xfff]
                word = word << 16 | UInt64(pair)
            }
            output.store(word, at: o)
            i &+= 6
            o &+= 8
        }
        // The rest, in groups of up to three bytes, each of which gives up to four characters.
        while i < bytes.count {
            let left = bytes.count &- i
            let a = Int(bytes[i])
            let b = left > 1 ? Int(bytes[i &+ 1]) : 0
            let c = left > 2 ? Int(bytes[i &+ 2]) : 0
            let first = pairs[a << 4 | b >> 4]
            let second = pairs[(b & 0x0f) << 8 | c]
            output[o] = UInt8(truncatingIfNeeded: first)
            output[o &+ 1] = UInt8(truncatingIfNeeded: first >> 8)
            if left > 1 { output[o &+ 2] = UInt8(truncatingIfNeeded: second) }
            if left > 2 { output[o &+ 3] = UInt8(truncatingIfNeeded: second >> 8) }
            i &+= 3
            o &+= 4
        }
    }
}
