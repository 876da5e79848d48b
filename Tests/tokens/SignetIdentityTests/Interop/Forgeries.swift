// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

extension Signet {
    /// Every forgery is refused, and for the right reason.
    static func expectForgeriesRefused(
        of token: String, _ key: String, _ pairing: Pairing, keyID: String
    ) throws {
        try #require(token.forgeries.count == 6)
        for (index, forgery) in token.forgeries.enumerated() {
            let failure = #expect(throws: TokenError.self, "forgery \(index)") {
                try verify(forgery, key, pairing, keyID: keyID)
            }
            // A text that was cut may no longer be base64url, and is then refused for that.
            #expect(
                failure?.code == .signatureInvalid || (index == 3 && failure?.code == .malformed))
        }
    }
}

extension String {
    /// This compact token with one bit changed in its payload, in the first and in the last byte of its signature,
    /// with the signature cut by a character, left out, and taken from nowhere.
    var forgeries: [String] {
        let parts = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return [] }
        let (header, payload, signature) = (parts[0], parts[1], parts[2])
        return [
            "\(header).\(payload.flippingBit(at: payload.count / 2)).\(signature)",
            "\(header).\(payload).\(signature.flippingBit(at: 0))",
            // Not the last character: some of its bits belong to no byte.
            "\(header).\(payload).\(signature.flippingBit(at: signature.count - 2))",
            "\(header).\(payload).\(signature.dropLast())",
            "\(header).\(payload).",
            "\(header).\(payload).\(String(repeating: "A", count: signature.count))",
        ]
    }

    /// The base64url text with one bit of one character's six changed.
    private func flippingBit(at index: Int) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bytes = Array(utf8)
        guard bytes.indices.contains(index), let value = alphabet.firstIndex(of: bytes[index])
        else {
            return self
        }
        bytes[index] = alphabet[value ^ 0b00_0100]
        return String(decoding: bytes, as: UTF8.self)
    }
}
