// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The protected header of a compact JWS whose signature has verified (RFC 7515, section 4), as far
/// as Signet uses it.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token does not say which key to trust.
public struct TokenHeader: Sendable, Hashable, CustomReflectable {
    /// The members. By reference: the header of a known issuer is read once and given out with each token.
    struct Members: Sendable, Hashable {
        var algorithm = ""
        var keyID: String?
        var type: String?
        var contentType: String?

        static func == (a: Members, b: Members) -> Bool {
            a.texts.elementsEqual(b.texts) { own, other in
                guard let own, let other else { return own == nil && other == nil }
                return bytesAreEqual(own.utf8.span, other.utf8.span)
            }
        }

        func hash(into hasher: inout Hasher) {
            for text in texts {
                hasher.combine(text == nil)
                if let text { hasher.combine(text.utf8.span) }
            }
        }

        private var texts: [String?] { [algorithm, keyID, type, contentType] }
    }

    // Not private: where a file has what it cannot name in the layout of its own types, Swift 6.3 crashes in a debug build.
    final class Shared: Sendable {
        let members: Members
        init(_ members: Members) { self.members = members }
    }

    private let shared: Shared

    private init(_ shared: Shared) { self.shared = shared }

    /// `alg`.
    public var algorithm: String { shared.members.algorithm }
    /// `kid`.
    public var keyID: String? { shared.members.keyID }
    /// `typ`.
    public var type: String? { shared.members.type }
    /// `cty`.
    public var contentType: String? { shared.members.contentType }

    /// Headers are equal when their members are, byte for byte.
    public static func == (a: TokenHeader, b: TokenHeader) -> Bool { a.shared.members == b.shared.members }

    /// Feeds the members.
    public func hash(into hasher: inout Hasher) { hasher.combine(shared.members) }

    /// Shows the members.
    public var customMirror: Mirror { Mirror(reflecting: shared.members) }

    /// The header of a token whose signature has been found good.
    init(_ verified: ReceivedHeader) {
        var members = Members()
        members.algorithm = verified.algorithmName.swiftString()
        members.keyID = verified.keyID?.swiftString()
        members.type = verified.type?.swiftString()
        members.contentType = verified.contentType?.swiftString()
        shared = Shared(members)
    }
}

extension TokenHeader {
    /// One header for many threads: each has a copy with a count of references and texts of its own, which would otherwise go from
    /// processor to processor with each token.
    struct Copies: ~Copyable, Sendable {
        private let original: TokenHeader
        private let places = InlineArray<16, SetOnce<Shared>> { _ in SetOnce() }

        init(of original: TokenHeader) { self.original = original }

        /// The copy of the calling thread.
        var current: TokenHeader {
            let slot = ThreadSlot.current
            guard places.indices.contains(slot) else { return original }
            if let shared = places[slot].load() { return TokenHeader(shared) }
            return TokenHeader(places[slot].storeIfNil(Shared(original.shared.members.copy())))
        }
    }
}

extension TokenHeader.Members {
    func copy() -> TokenHeader.Members {
        var copy = self
        copy.algorithm = Self.copy(algorithm)
        copy.keyID = keyID.map(Self.copy)
        copy.type = type.map(Self.copy)
        copy.contentType = contentType.map(Self.copy)
        return copy
    }

    private static func copy(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }
}
