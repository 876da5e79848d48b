// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Base64 {
    /// The text of `bytes` between two others, in memory that is wiped.
    package func encodeSecret(
        _ bytes: Span<UInt8>, after prefix: StaticString = "", before suffix: StaticString = ""
    ) -> SecretStorage {
        let head = prefix.utf8CodeUnitCount
        let end = head + Self.encodedCount(bytes.count)
        return unsafe SecretStorage(count: end + suffix.utf8CodeUnitCount) { target in
            var text = unsafe target.mutableSpan
            for index in 0..<head { text[index] = unsafe prefix.utf8Start[index] }
            encode(bytes, into: &text, at: head)
            for index in end..<text.count { text[index] = unsafe suffix.utf8Start[index - end] }
        }
    }

    /// The bytes of a text after `prefix`, in memory that is wiped; nil for any other text.
    package func decodeSecret(_ text: Span<UInt8>, after prefix: StaticString = "")
        -> SecretStorage?
    {
        let head = prefix.utf8CodeUnitCount
        guard text.count >= head, let count = Self.decodedCount(text.count - head) else {
            return nil
        }
        for index in 0..<head where unsafe text[index] != prefix.utf8Start[index] { return nil }
        var isGood = false
        let bytes = unsafe SecretStorage(count: count) { target in
            var output = unsafe target.mutableSpan
            isGood = decode(text.extracting(head..<text.count), into: &output)
        }
        return isGood ? bytes : nil
    }
}
