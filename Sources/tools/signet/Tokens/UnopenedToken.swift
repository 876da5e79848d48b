// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// A compact JWE (RFC 7516) that nothing has decrypted: its header, which anyone can write.
struct UnopenedToken {
    /// How the token is decrypted, as far as its header tells.
    enum Decryption {
        /// The key that it takes, and the command.
        case takes(key: String, command: String)
        /// Why Signet does not decrypt it with any key.
        case notHere(reason: String)
    }

    /// The header as it stands: strict JSON.
    let header: [UInt8]
    private let root: JSONNode
    /// The length of the header in base64url.
    private let characterCount: Int

    /// Nil for a text that is no JWE: one without five parts, or whose first part is no object.
    ///
    /// - Throws: `tooLarge`; `malformed` for what every reader of a JWE refuses.
    init?(_ compact: [UInt8]) throws {
        let parts = compact.split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, let first = parts.first, let header = Self.decoded(first),
            header.first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
        else { return nil }
        try CompactSerialization.checkSize(
            compact.count, maximumByteCount: JWEDecrypter.maximumByteCount)
        guard parts.dropFirst().allSatisfy({ Self.decoded($0) != nil }) else {
            throw CommandFailure.refused(
                "malformed",
                "A part of the encrypted token is not base64url without padding, or was cut short.")
        }
        do {
            root = try JSONDocument(header).root
        } catch {
            throw CommandFailure.refused(
                "malformed", "The header is not strict JSON (\(error.fault)).")
        }
        for name in ["alg", "enc"] where root.kind(of: name) == nil {
            throw CommandFailure.refused("malformed", "The header has no \"\(shown: name)\".")
        }
        for name in ["alg", "enc", "kid", "typ", "cty"] {
            guard let kind = root.kind(of: name), kind != .string else { continue }
            throw CommandFailure.refused(
                "malformed", "The header's \"\(shown: name)\" is \(kind.phrase), not a string.")
        }
        self.header = header
        characterCount = first.count
    }

    /// How to decrypt it. The text holds nothing of the token but registered names.
    var decryption: Decryption {
        guard characterCount <= EncryptedParts.maximumHeaderByteCount else {
            return .notHere(
                reason:
                    "its header has \(characterCount) characters, more than \(EncryptedParts.maximumHeaderByteCount)"
            )
        }
        let maximumNodeCount = EncryptedTokenHeader.maximumNodeCount
        guard (try? JSONDocument(header, maximumNodeCount: maximumNodeCount)) != nil else {
            return .notHere(reason: "its header has more than \(maximumNodeCount) names and values")
        }
        for name in ["crit", "zip"] where root.kind(of: name) != nil {
            return .notHere(reason: "its header has \"\(name)\"")
        }
        guard
            let algorithm = KeyManagementAlgorithm.allCases.first(where: {
                isValue($0.name, of: "alg")
            })
        else {
            return .notHere(
                reason: "\"alg\" is none of \(KeyManagementAlgorithm.names.joined(separator: ", "))"
            )
        }
        guard
            let content = ContentEncryptionAlgorithm.allCases.first(where: {
                isValue($0.name, of: "enc")
            })
        else {
            return .notHere(
                reason:
                    "\"enc\" is none of \(ContentEncryptionAlgorithm.names.joined(separator: ", "))"
            )
        }
        guard let key = neededKey(for: algorithm, content: content) else {
            return .notHere(
                reason: "\"epk\" is on none of \(Self.curves.joined(separator: ", "))")
        }
        let named = root.kind(of: "kid") == nil ? "" : ", which \"kid\" names"
        return .takes(
            key: key + named,
            command: "signet jwe decrypt --key FILE --algorithm \(algorithm.name) --content "
                + content.name)
    }

    private static let curves = ["P-256", "P-384", "P-521", "X25519"]

    /// The key to decrypt with; nil if the sender's key is on an unknown curve, which is that of the
    /// receiver's.
    private func neededKey(
        for algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm
    ) -> String? {
        switch algorithm {
        case .direct: "a shared key of \(content.keyByteCount) bytes"
        case .a128KW: "a shared key of 16 bytes"
        case .a192KW: "a shared key of 24 bytes"
        case .a256KW: "a shared key of 32 bytes"
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
            Self.curves.first { isCurve($0) }.map { "a private key on \($0)" }
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512: "a private RSA key"
        }
    }

    private func isCurve(_ name: String) -> Bool {
        root.member("epk")?.text(of: "crv")?.isEqual(to: name) == true
    }

    private func isValue(_ text: String, of member: String) -> Bool {
        root.text(of: member)?.isEqual(to: text) == true
    }

    private static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        try? Base64URL.decode(String(decoding: part, as: UTF8.self))
    }
}
