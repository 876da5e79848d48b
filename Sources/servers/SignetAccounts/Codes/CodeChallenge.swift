// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJSON

/// The random name of a sent code: 128 bits. It does not replace the code. It identifies the client
/// that asked, so only that client should have it.
public struct CodeChallenge: Sendable, Hashable {
    static let byteCount = 16
    /// The length of ``text``.
    private static let characterCount = 22

    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The name that ``text`` gave; nil for anything else.
    public init?(_ text: String) {
        // 22 characters, which are base64url of 16 bytes.
        guard text.utf8.count == Self.characterCount, let bytes = try? Base64URL.decode(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// 22 characters of the URL-safe alphabet.
    public var text: String { Base64URL.encode(bytes) }

    /// The name of the code's message. Mail servers log it, and it must not reveal the challenge.
    package func messageID() throws(AccountError) -> String {
        do {
            let digest = try MessageDigest.digest(bytes, using: .sha256)
            return CodeChallenge(bytes: Array(digest.prefix(Self.byteCount))).text
        } catch { throw .crypto(error) }
    }
}

extension CodeChallenge: Codable {
    /// Reads ``text``.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let challenge = CodeChallenge(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "It names no code.")
        }
        self = challenge
    }

    /// Writes ``text``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
