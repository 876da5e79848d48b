// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto

extension TokenError {
    /// A token that does not have three parts.
    init(notCompact token: Span<UInt8>) {
        self.init(
            unreadable: token,
            message:
                "A compact JWS has three parts: header, payload and signature, with a dot between them."
        )
    }

    /// A token that does not have five parts, or has nothing before its first dot.
    init(notEncrypted token: Span<UInt8>) {
        let shape = InputShape(of: token)
        let dotCount = token.indices.count { token[$0] == UInt8(ascii: ".") }
        self.init(
            .malformed, detail: shape == .token ? .signed : nil,
            Self.notEncrypted(shape, dotCount: dotCount))
    }

    private static func notEncrypted(_ shape: InputShape?, dotCount: Int) -> ErrorMessage {
        let parts: ErrorMessage =
            "A compact JWE has five parts: header, encrypted key, initialization vector, ciphertext and tag, with a dot between them."
        switch shape {
        case .token:
            return
                "The token is signed and not encrypted: it has three parts, and an encrypted token has five."
        case .json:
            return
                "The token is JSON. The JSON form of a JWE (RFC 7516, section 7.2) is not read: ask its sender for the compact form."
        // An alphabet has words as well, and how many parts there are says more about them.
        case let shape? where !shape.isAlphabet && shape != .cutToken:
            return "\(shape.sentence(about: "The token")) \(parts)"
        default:
            let found: ErrorMessage =
                dotCount == 4 ? "The first of them is empty" : "This text has \(dotCount + 1)"
            return "\(parts) \(found): give the whole token alone, as its sender made it."
        }
    }

    /// A token that is not a compact JWS: what it looks like, or else what is wrong with it.
    init(unreadable token: Span<UInt8>, message: ErrorMessage) {
        let shape = InputShape(of: token)
        self.init(
            .malformed, detail: shape == .encryptedToken ? .encrypted : nil,
            shape.flatMap { $0 == .token ? nil : $0.sentence(about: "The token") } ?? message)
    }

    /// A signature that does not verify: why, as far as its form tells.
    init(notVerified signature: Span<UInt8>, with key: SignatureKey) {
        self.init(.signatureInvalid, Self.reason(signature, key: key))
    }

    private static func reason(_ signature: Span<UInt8>, key: SignatureKey) -> ErrorMessage {
        let count = signature.count
        guard count > 0 else { return "The token has no signature." }
        guard let wanted = key.signatureByteCount, count != wanted else {
            return "The signature does not verify with the key that fits the header."
        }
        return key.isElliptic && InputShape.beginsDER(signature)
            ? "The signature is in DER. In a JWS it is r and s, one after the other: \(wanted) bytes "
                + "(RFC 7518, section 3.4)."
            : "The signature has \(count) bytes, and one of the key that fits the header has "
                + "\(wanted). Was the token cut short?"
    }
}

extension SignatureKey {
    /// Whether the key's signatures are two numbers, which formats beyond JOSE put into DER.
    fileprivate var isElliptic: Bool {
        if case .signature(let algorithm) = algorithm, case .ec = algorithm.family {
            true
        } else {
            false
        }
    }
}
