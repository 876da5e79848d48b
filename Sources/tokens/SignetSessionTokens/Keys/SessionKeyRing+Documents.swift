// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetJOSE
internal import SignetMemory

// A ring as text is a JWK set, JSON with a member for each key, the current key first. As
// `exportPrivateJSON` writes it (`exp` is the last moment of an earlier key):
//
//     {"keys":[{"kty":"EC","kid":"b","d":"…",…},{"kty":"EC","kid":"a",…,"exp":1767225600}]}
//
// The published set (`jwksJSON`) has neither `d`, the private half, nor `exp`.

extension IdentityConfigurationError.Code {
    /// A key ring's document is not a JWK set, or a key of it is unusable.
    public static var invalidKeys: Self { Self(rawValue: "invalidKeys") }
}

extension SessionKeyRing {
    /// The longest document, in bytes.
    public static let maximumByteCount = 262_144

    /// The public halves as a JWK set (RFC 7517, section 5). Publish it for the services that
    /// verify your tokens. Expired keys are omitted, since services would go on using them.
    ///
    /// - Throws: `contradiction` for a ring of secrets, which must not be published.
    public func jwksJSON(clock: TimeSource = .system) throws(IdentityConfigurationError) -> String {
        guard case .pairs(let current, let all) = keys else {
            throw IdentityConfigurationError(
                .contradiction,
                "A ring of secrets has no public half: only key pairs are published.")
        }
        let now = clock.now()
        let others = all.filter { $0.verifies(at: now) }
        do {
            return try KeySet([current.verificationKey] + others.map(\.key)).jwksJSON()
        } catch {
            throw Self.unusable(error)
        }
    }

    /// The whole ring as a JWK set, including the secrets: the current key first, the last moment
    /// of each earlier key as its `exp` (seconds since 1970). Keep it in a vault.
    ///
    /// - Throws: `invalidKeys` if libcrypto fails.
    public func exportPrivateJSON() throws(IdentityConfigurationError) -> SecretBytes {
        var members = [(json: [UInt8], until: NumericDate?)]()
        defer { for index in members.indices { cleanse(&members[index].json) } }
        do {
            switch keys {
            case .secrets(let current, let others):
                members.append((try Self.privateJSON(current), nil))
                for other in others {
                    members.append((try Self.privateJSON(other.key), other.until))
                }
            case .pairs(let current, let others):
                let secret = try current.exportPrivateJSON()
                members.append((secret.withExposedBytes { $0.copied() }, nil))
                for other in others {
                    members.append((Array(try other.key.jwk.publicJSON().utf8), other.until))
                }
            }
        } catch {
            throw Self.unusable(error)
        }
        var text = [UInt8]()
        // Allocated once, because growing would leave copies that are not wiped. What encloses the
        // keys takes at most 32 bytes, and a key's comma and `exp` at most 48.
        text.reserveCapacity(members.reduce(32) { $0 + $1.json.count + 48 })
        defer { cleanse(&text) }
        Self.append(members, to: &text)
        return SecretBytes(copying: text)
    }

    /// Writes the document around its members.
    private static func append(
        _ members: [(json: [UInt8], until: NumericDate?)], to text: inout [UInt8]
    ) {
        text.append(contentsOf: "{\"keys\":[".utf8)
        for (position, member) in members.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            // Without its closing brace, so that `exp` can follow.
            text.append(contentsOf: member.json.dropLast())
            if let until = member.until,
                let seconds = Int64(exactly: until.secondsSince1970.rounded(.down))
            {
                text.append(contentsOf: ",\"exp\":\(seconds)".utf8)
            }
            text.append(UInt8(ascii: "}"))
        }
        text.append(contentsOf: "]}".utf8)
    }

    /// Reads a ring that ``exportPrivateJSON()`` wrote, or a JWK set of private keys from
    /// elsewhere. The first key of the set signs.
    ///
    /// Unlike a published set, the whole ring is rejected if any member is unusable. If a private
    /// key only verifies, its private half is not read: it is **not** checked that the two halves
    /// belong together.
    ///
    /// - Throws: `invalidKeys` if it is not a JWK set, is empty or has an unusable member;
    ///   `contradiction` for a mixed ring, two keys with the same `kid`, or an `exp` of the current
    ///   key; `invalidIdentifier` for a missing `kid`; `outOfRange` for more than 32 keys.
    public init(privateJWKS text: borrowing SecretBytes) throws(IdentityConfigurationError) {
        var copy = text.withExposedBytes { $0.copied() }
        // `read` must have dropped the document when this runs: wiping a shared array wipes a copy.
        defer { cleanse(&copy) }
        self = try Self.read(copy)
    }

    /// Reads the keys: all secrets, or all key pairs. The first signs.
    private static func read(_ text: [UInt8]) throws(IdentityConfigurationError) -> SessionKeyRing {
        let nodes = try Self.keyNodes(text)
        // The count is checked before any key is read: checking a private half takes up to 40 ms.
        try Self.checkCount(nodes.count)
        // The type "oct" (octets) is a shared secret.
        let isSecret = nodes.map { $0.member("kty")?.text?.isEqual(to: "oct") ?? false }
        guard let first = nodes.first, let firstIsSecret = isSecret.first else {
            throw IdentityConfigurationError(.invalidKeys, "The ring is empty.")
        }
        guard isSecret.allSatisfy({ $0 == firstIsSecret }) else { throw Self.mixed }
        guard first.member("exp") == nil else {
            throw IdentityConfigurationError(
                .contradiction, "The first key signs, so it must not have a last moment (\"exp\").")
        }
        let keys: Keys
        do {
            if firstIsSecret {
                keys = .secrets(
                    try HMACKey(jwk: JWK(first)),
                    try nodes.dropFirst().map(Self.earlierSecret))
            } else {
                keys = .pairs(
                    try SigningKey(jwk: JWK(first)),
                    try nodes.dropFirst().map(Self.earlierPair))
            }
        } catch {
            throw Self.unusable(error)
        }
        return try SessionKeyRing(keys)
    }

    private static func earlierSecret(_ node: JSONNode) throws(KeyError) -> Verifying<HMACKey> {
        Verifying(key: try HMACKey(jwk: JWK(node)), until: try lastMoment(node))
    }

    private static func earlierPair(
        _ node: JSONNode
    ) throws(KeyError) -> Verifying<VerificationKey> {
        Verifying(
            key: try VerificationKey(jwk: JWK(publicHalfOf: node)), until: try lastMoment(node))
    }

    /// The members of the set's array `keys`.
    private static func keyNodes(_ text: [UInt8]) throws(IdentityConfigurationError) -> [JSONNode] {
        var limits = JSONDocument.Limits()
        limits.maximumByteCount = maximumByteCount
        do {
            let root = try JSONDocument(text, limits: limits).root
            if let list = root.member("keys"), list.kind == .array { return Array(list.elements) }
        } catch {
            throw IdentityConfigurationError(
                .invalidKeys, underlying: error,
                "The ring is not strict JSON (\(error.fault)).")
        }
        throw IdentityConfigurationError(
            .invalidKeys, "A ring is a JWK set: an object with an array \"keys\".")
    }

    /// The `exp` that ``exportPrivateJSON()`` writes; nil if absent.
    private static func lastMoment(_ node: JSONNode) throws(KeyError) -> NumericDate? {
        guard let member = node.member("exp") else { return nil }
        guard let seconds = member.int64Value else {
            throw KeyError(.malformed, "The member \"exp\" is not a whole number of seconds.")
        }
        return NumericDate(secondsSince1970: Double(seconds))
    }

    private static func privateJSON(_ key: HMACKey) throws(KeyError) -> [UInt8] {
        let secret = try key.exportPrivateJSON()
        return secret.withExposedBytes { $0.copied() }
    }

    private static func unusable(_ error: KeyError) -> IdentityConfigurationError {
        IdentityConfigurationError(
            .invalidKeys, underlying: error, "A key of the ring cannot be used: \(messageOf: error)"
        )
    }
}
