// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Base64 {
    /// How many characters so many bytes become.
    package static func encodedCount(_ byteCount: Int) -> Int {
        (byteCount / 3) &* 4 &+ (byteCount % 3 == 0 ? 0 : byteCount % 3 &+ 1)
    }

    /// Appends the text of `bytes`, as ASCII, to `text`.
    package func append(encoding bytes: Span<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: Self.encodedCount(bytes.count)))
        var output = text.mutableSpan
        encode(bytes, into: &output, at: start)
    }

    /// Writes the text of `bytes` to a place where it has room; nothing where it has none.
    func encode(
        _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at start: Int
    ) {
        let characters = characters.span
        guard characters.count == 64, start >= 0,
            start <= output.count &- Self.encodedCount(bytes.count)
        else { return }
        var i = 0
        var o = start
        while i <= bytes.count &- 8, o <= output.count &- 8 {
            let bits = bytes.word(at: i).byteSwapped >> 16
            var word: UInt64 = 0
            for place in 0..<8 {
                let value = Int(truncatingIfNeeded: bits >> UInt64(6 &* place)) & 0x3f
                word = word << 8 | UInt64(characters[value])
            }
            output.store(word, at: o)
            i &+= 6
            o &+= 8
        }
        while i < bytes.count {
            let left = bytes.count &- i
            let a = bytes[i]
            let b = left > 1 ? bytes[i &+ 1] : 0
            let c = left > 2 ? bytes[i &+ 2] : 0
            output[o] = characters[Int(a >> 2)]
            output[o &+ 1] = characters[Int((a << 4 | b >> 4) & 0x3f)]
            if left > 1 { output[o &+ 2] = characters[Int((b << 2 | c >> 6) & 0x3f)] }
            if left > 2 { output[o &+ 3] = characters[Int(c & 0x3f)] }
            i &+= 3
            o &+= 4
        }
    }
}
