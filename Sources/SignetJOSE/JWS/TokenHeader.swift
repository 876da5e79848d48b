// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The protected header of a compact JWS (RFC 7515, section 4), as far as Signet uses it.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token does not say which key to trust.
public struct TokenHeader: Sendable, Hashable, CustomReflectable {
    /// The members. By reference: the header of a known issuer is read once and given out with each token.
    struct Members: Sendable, Hashable {
        var algorithm = ""
        var keyID: String?
        var type: String?
        var contentType: String?
        var asksForExtension = false
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
    /// Whether it asks for an extension (`crit`, or `b64`): such a token is refused.
    package var asksForExtension: Bool { shared.members.asksForExtension }

    /// Headers are equal when their members are.
    public static func == (a: TokenHeader, b: TokenHeader) -> Bool { a.shared.members == b.shared.members }

    /// Feeds the members.
    public func hash(into hasher: inout Hasher) { hasher.combine(shared.members) }

    /// Shows the members.
    public var customMirror: Mirror { Mirror(reflecting: shared.members) }

    /// Reads the decoded bytes of a header.
    package init(_ bytes: [UInt8]) throws(TokenError) {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                "The header is not strict JSON (\(error.code.rawValue)).")
        }
        guard root.kind == .object else { throw TokenError(.malformed, "The header is not a JSON object.") }
        guard let algorithm = try Self.string("alg", root) else {
            throw TokenError(.malformed, "The header has no \"alg\".")
        }
        var members = Members()
        members.algorithm = algorithm
        members.keyID = try Self.string("kid", root)
        members.type = try Self.string("typ", root)
        members.contentType = try Self.string("cty", root)
        // RFC 7797 has `b64` listed in `crit`; a token that forgets that still changes what was signed.
        members.asksForExtension = root.member("crit") != nil || root.member("b64") != nil
        shared = Shared(members)
    }

    private static func string(_ name: String, _ root: JSONNode) throws(TokenError) -> String? {
        guard let member = root.member(name) else { return nil }
        guard let text = member.stringValue else {
            throw TokenError(.malformed, "The header's \"\(name)\" is not a string.")
        }
        return text
    }

    /// Refuses what no key could make acceptable.
    package func checkBeforeKey() throws(TokenError) {
        guard !asksForExtension else {
            throw TokenError(
                .criticalUnsupported, "The token depends on a header extension; Signet understands none.")
        }
        guard SignatureAlgorithm(name: algorithm) != nil || HMACAlgorithm(name: algorithm) != nil else {
            throw TokenError(
                .algorithmNotAllowed, detail: .unknownAlgorithm,
                "The header's \"alg\" is none that Signet knows.")
        }
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
