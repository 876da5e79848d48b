// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
internal import SignetJSON
internal import SignetVault

/// What ``SigningKeys`` keeps at its ``KeyRingPlace``: the ring (the key that signs tokens, and
/// earlier keys that still verify tokens), and the next key, which is published and does not sign
/// yet. ``document()`` writes it as
///
///     {"v":1,"rotatedAt":1767225600,"signsAt":1769817600,"next":{a JWK},"ring":{a JWK set}}
///
/// By default a key signs for 30 days, and the next key is published an hour before it signs
/// (``KeySchedule``). ``dueChange(at:schedule:algorithm:)`` returns the state that is due at a
/// time. No method changes anything at the place.
struct KeyRingState: Sendable {
    /// The last moment that a state may name: 2^53 s, far from any overflow.
    private static let latest: Int64 = 9_007_199_254_740_992
    /// Clocks of instances differ by less than this, in seconds, even if an instance takes local
    /// time for UTC.
    private static let clockStep: Int64 = 86_400

    var ring: SessionKeyRing
    /// When the current key began to sign, in seconds since 1970.
    var rotatedAt: Int64
    /// The published key that signs next; nil if none is published.
    var next: NextKey?

    struct NextKey: Sendable {
        let key: SigningKey
        /// When the key begins to sign, in seconds since 1970.
        var signsAt: Int64
    }

    /// A first key, which signs at once: there is no token of an earlier key.
    init(_ key: SigningKey, at now: Int64) throws(IdentityConfigurationError) {
        ring = try SessionKeyRing(key)
        rotatedAt = now
    }

    /// - Throws: `corrupt` for what ``document()`` did not write.
    init(_ document: SecretValue) throws(AccountError) {
        var bytes = document.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
        defer { SecretBytes.wipe(&bytes) }
        do {
            let root = try JSONDocument(bytes).root
            let hasKnownVersion = root.member("v")?.int64Value == 1
            guard hasKnownVersion, let keys = root.member("ring"),
                let lastRotation = Self.time(root.member("rotatedAt"))
            else { throw Self.unreadable }
            ring = try SessionKeyRing(privateJWKS: SecretBytes(copying: keys.rawBytes))
            rotatedAt = lastRotation
            if let key = root.member("next") {
                guard let signsAt = Self.time(root.member("signsAt")) else { throw Self.unreadable }
                let jwk = try JWK(SecretBytes(copying: key.rawBytes))
                next = NextKey(key: try SigningKey(jwk: jwk), signsAt: signsAt)
            }
        } catch {
            throw Self.unreadable
        }
    }

    /// Seconds since 1970; nil if the node is absent, no whole number, or out of range.
    private static func time(_ node: JSONNode?) -> Int64? {
        node?.int64Value.flatMap { (0...latest).contains($0) ? $0 : nil }
    }

    private static var unreadable: AccountError {
        AccountError(
            .corrupt, "The signing keys that are kept cannot be read. Nothing was changed.")
    }

    /// The state as JSON, the private keys included.
    func document() throws(AccountError) -> SecretValue {
        do {
            var text: [UInt8] = []
            // All at once: growing would leave copies behind that are not wiped.
            text.reserveCapacity(SessionKeyRing.maximumByteCount)
            defer { SecretBytes.wipe(&text) }
            text += "{\"v\":1,\"rotatedAt\":\(rotatedAt)".utf8
            if let next {
                text += ",\"signsAt\":\(next.signsAt),\"next\":".utf8
                try next.key.exportPrivateJSON().withExposedBytes { text.append(contentsOf: $0) }
            }
            text += ",\"ring\":".utf8
            try ring.exportPrivateJSON().withExposedBytes { text.append(contentsOf: $0) }
            text += "}".utf8
            return SecretValue(bytes: text)
        } catch {
            throw AccountError(
                .unavailable, underlying: error, "The signing keys cannot be exported.")
        }
    }

    /// The state that the schedule asks for now: with the next key published, or signing; nil for
    /// no change.
    ///
    /// A kept time may lie further ahead than the schedule and all clocks allow: then a wrong clock
    /// wrote it, and has been set back since. The rotation does not wait for such a time. A clock
    /// that is set far ahead exchanges keys too early, and the last key still verifies.
    ///
    /// With the default days: a key that signs since 1 January is followed by a next key on 30
    /// January, which signs an hour later. If `signsAt` says the year 2099, it was 2099 by a wrong
    /// clock: the next key signs an hour from now.
    func dueChange(
        at now: Int64, schedule: KeySchedule, algorithm: SignatureAlgorithm
    ) throws -> KeyRingState? {
        guard let next else {
            return try publishingNext(at: now, schedule: schedule, algorithm: algorithm)
        }
        guard now < next.signsAt else {
            return try signing(with: next.key, at: now, schedule: schedule)
        }
        let isTooFarAhead = next.signsAt > now + schedule.aheadSeconds + Self.clockStep
        guard isTooFarAhead else { return nil }
        var state = self
        state.next?.signsAt = now + schedule.aheadSeconds
        return state
    }

    /// The state in which a new key is published, and signs later; nil if none is due, or the ring
    /// has no room.
    private func publishingNext(
        at now: Int64, schedule: KeySchedule, algorithm: SignatureAlgorithm
    ) throws -> KeyRingState? {
        let isDue = now >= rotatedAt + schedule.rotationSeconds - schedule.aheadSeconds
        let isTooFarAhead = rotatedAt > now + Self.clockStep
        guard isDue || isTooFarAhead else { return nil }
        guard let roomyRing = try ringWithRoom(at: now) else { return nil }
        let key = try SigningKey.generate(algorithm)
        var state = self
        state.ring = try roomyRing.adding(key.verificationKey)
        state.next = NextKey(key: key, signsAt: now + schedule.aheadSeconds)
        return state
    }

    /// The state in which the published key signs, and the keys before it only verify.
    private func signing(
        with key: SigningKey, at now: Int64, schedule: KeySchedule
    ) throws -> KeyRingState {
        let earlierUntil = NumericDate(secondsSince1970: Double(now + schedule.verifyingSeconds))
        var state = self
        state.ring = try ring.pruned(at: NumericDate(secondsSince1970: Double(now)))
            .rotated(to: key, earlierUntil: earlierUntil)
        state.rotatedAt = now
        state.next = nil
        return state
    }

    /// The ring with room for one more key; nil if it has no room before some of its keys are over,
    /// for example after a change from a schedule with longer tokens. A full ring first loses the
    /// keys that verify for longer than any schedule allows: a wrong clock gave them their time.
    private func ringWithRoom(at now: Int64) throws -> SessionKeyRing? {
        var ring = try ring.pruned(at: NumericDate(secondsSince1970: Double(now)))
        let latestEnd = Double(now + KeySchedule.longestVerifyingSeconds + Self.clockStep)
        for member in ring.members {
            // One key less is enough, since only one is added.
            guard ring.members.count == SessionKeyRing.maximumKeyCount else { break }
            guard let end = member.verifiesUntil, end.secondsSince1970 > latestEnd else { continue }
            ring = try ring.without(keyID: member.keyID)
        }
        return ring.members.count < SessionKeyRing.maximumKeyCount ? ring : nil
    }

    /// A state with a new key that signs at once, and no earlier key.
    func replaced(at now: Int64, algorithm: SignatureAlgorithm) throws -> KeyRingState {
        try KeyRingState(SigningKey.generate(algorithm), at: now)
    }
}

extension [UInt8] {
    fileprivate mutating func append(contentsOf span: Span<UInt8>) {
        for position in span.indices { append(span[position]) }
    }
}
