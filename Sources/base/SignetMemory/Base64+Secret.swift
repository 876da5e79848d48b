// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Base64 {
    /// Encodes `bytes` between `prefix` and `suffix`, in memory that is wiped.
    package func encodeSecret(
        _ bytes: Span<UInt8>, after prefix: StaticString = "", before suffix: StaticString = ""
    ) -> SecretStorage {
        let prefix = prefix.description
        let suffix = suffix.description
        let head = prefix.utf8.span
        let tail = suffix.utf8.span
        let end = head.count + Self.encodedCount(bytes.count)
        return SecretStorage(count: end + tail.count) { text in
            for index in head.indices { text[index] = head[index] }
            encode(bytes, into: &text, at: head.count)
            for index in tail.indices { text[end + index] = tail[index] }
        }
    }

    /// Decodes what follows `prefix`, in memory that is wiped; nil if the text has no such prefix,
    /// or does not decode.
    package func decodeSecret(_ text: Span<UInt8>, after prefix: StaticString = "")
        -> SecretStorage?
    {
        let prefix = prefix.description
        let head = prefix.utf8.span
        guard text.count >= head.count, let count = Self.decodedCount(text.count - head.count),
            bytesAreEqual(text.extracting(0..<head.count), head)
        else { return nil }
        var isGood = false
        let bytes = SecretStorage(count: count) { output in
            isGood = decode(text.extracting(head.count..<text.count), into: &output)
        }
        return isGood ? bytes : nil
    }
}
