// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Public keys that verify, found by their `kid`: usually an issuer's JWK set (RFC 7517, section
/// 5).
///
/// ```swift
/// let keys = try KeySet(jwks: jwks)
/// for skipped in keys.skipped { print(skipped) }
/// let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
/// let verifier = TokenVerifier(keys: keys, policy: policy)
/// ```
///
/// The set skips a member that Signet cannot use (an unknown `kty` or curve, an encryption key, a
/// symmetric or damaged key) and lists it in ``skipped``: a single unknown key must not lock all
/// users out. A member with a private half is used by its public half; the private half is not
/// read, so it is **not** checked that the halves belong together. The set is immutable.
public struct KeySet: Sendable, CustomStringConvertible {
    /// The default limit of a JWK set, in bytes.
    public static let maximumByteCount = 524_288
    /// The most members of a JWK set. More are rejected before any of them is read.
    public static let maximumKeyCount = 1_000

    /// The usable keys, in the order of the set.
    public let keys: [VerificationKey]
    /// The unusable members, and why.
    public let skipped: [SkippedKey]
    /// The usable keys, found by the `kid` and `alg` of a token.
    let ring: KeyRing
    /// The most that a caller's limit of a JWK set may be: 64 MiB.
    private static let byteCountCeiling = 1 << 26

    /// Reads a JWK set, or a bare array of JWKs.
    ///
    /// - Parameters:
    ///   - jwks: the JSON document.
    ///   - rsaAlgorithm: the algorithm of RSA members that name none, as Microsoft publishes them.
    ///     RS256 by default, as in OpenID Connect; nil skips them.
    ///   - maximumByteCount: a longer document is rejected unread. More than 64 MiB counts as
    ///     64 MiB, and a negative number as 0.
    /// - Throws: `malformed` if it is not a JWK set; `tooLarge` for a document over
    ///   `maximumByteCount` or more than ``maximumKeyCount`` members; `libraryFailure` if libcrypto
    ///   could not tell whether a key is valid. A set without a usable key loads: check ``keys``
    ///   and ``skipped``.
    public init(
        jwks: some Collection<UInt8>, rsaAlgorithm: SignatureAlgorithm? = .rs256,
        maximumByteCount: Int = KeySet.maximumByteCount
    ) throws(KeyError) {
        let members = try JWKSetDocument.members(
            jwks, maximumCount: Self.maximumKeyCount,
            maximumByteCount: min(max(maximumByteCount, 0), Self.byteCountCeiling))
        var loader = KeyLoader(rsaAlgorithm: rsaAlgorithm, count: members.count)
        for (index, member) in members.enumerated() {
            try loader.add(at: index, keyID: KeyDocument.shownKeyID(of: member)) {
                () throws(KeyError) in try JWK(publicHalfOf: member)
            }
        }
        self = loader.set
    }

    /// Reads a JWK set from text. Throws the errors of `init(jwks:rsaAlgorithm:maximumByteCount:)`.
    public init(
        jwks: String, rsaAlgorithm: SignatureAlgorithm? = .rs256,
        maximumByteCount: Int = KeySet.maximumByteCount
    ) throws(KeyError) {
        try self.init(
            jwks: jwks.utf8, rsaAlgorithm: rsaAlgorithm, maximumByteCount: maximumByteCount)
    }

    /// Makes a set of the given keys.
    public init(_ keys: [VerificationKey]) { self.init(keys, skipped: []) }

    package init(_ keys: [VerificationKey], skipped: [SkippedKey]) {
        self.keys = keys
        self.skipped = skipped
        ring = KeyRing(keys.map(\.checking), skipped: skipped)
    }

    /// The set as JSON, ready to publish: public halves only.
    public func jwksJSON() throws(KeyError) -> String {
        var members = [String]()
        for key in keys { members.append(try key.jwk.publicJSON()) }
        return "{\"keys\":[" + members.joined(separator: ",") + "]}"
    }

    /// How many keys the set has, and how many members it skipped.
    public var description: String { "KeySet(\(keys.count) keys, \(skipped.count) skipped)" }
}

/// The JSON around the keys of a JWK set.
enum JWKSetDocument {
    /// The members of a set, none of them read yet.
    static func members(
        _ text: some Collection<UInt8>, maximumCount: Int,
        maximumByteCount: Int = KeySet.maximumByteCount, acceptsBareArray: Bool = true
    ) throws(KeyError) -> [JSONNode] {
        let root = try KeyDocument.parse(
            text, maximumByteCount: maximumByteCount, subject: "The key set"
        ).root
        let array = try memberArray(in: root, acceptsBareArray: acceptsBareArray)
        guard array.count <= maximumCount else {
            throw KeyError(
                .tooLarge,
                "A JWK set has at most \(maximumCount) members; this one has \(array.count).")
        }
        return Array(array.elements)
    }
}
