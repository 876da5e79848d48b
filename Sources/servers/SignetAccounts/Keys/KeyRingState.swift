// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
internal import SignetJSON
internal import SignetVault

/// The kept signing keys: the ring, and the key that is published and does not sign yet.
struct KeyRingState: Sendable {
    /// The last moment that a state may name: far from any overflow.
    private static let latest: Int64 = 9_007_199_254_740_992
    /// Clocks of instances differ by less than this, in seconds, even if an instance takes local
    /// time for UTC.
    private static let clockStep: Int64 = 86_400

    var ring: SessionKeyRing
    /// When the current key began to sign, in seconds since 1970.
    var rotatedAt: Int64
    /// The next key, and when it begins to sign.
    var next: (key: SigningKey, signsAt: Int64)?

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
            guard root.member("v")?.int64Value == 1, let keys = root.member("ring"),
                let rotatedAt = Self.time(root.member("rotatedAt"))
            else { throw Self.unreadable }
            ring = try SessionKeyRing(privateJWKS: SecretBytes(copying: keys.rawBytes))
            self.rotatedAt = rotatedAt
            if let key = root.member("next") {
                guard let signsAt = Self.time(root.member("signsAt")) else { throw Self.unreadable }
                let jwk = try JWK(SecretBytes(copying: key.rawBytes))
                next = (try SigningKey(jwk: jwk), signsAt)
            }
        } catch {
            throw Self.unreadable
        }
    }

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
            if let (key, signsAt) = next {
                text += ",\"signsAt\":\(signsAt),\"next\":".utf8
                try key.exportPrivateJSON().withExposedBytes { text.append(contentsOf: $0) }
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
    /// A time that is further ahead than any clock puts it was written by a clock that has been set
    /// back since: it would stop the rotation for as long as that clock was wrong by. A clock that
    /// was set far ahead exchanges keys too early, and the last key still verifies.
    func due(
        at now: Int64, schedule: KeySchedule, algorithm: SignatureAlgorithm
    ) throws -> KeyRingState? {
        var state = self
        if let next {
            guard now >= next.signsAt else {
                guard next.signsAt > now + schedule.aheadSeconds + Self.clockStep else {
                    return nil
                }
                state.next?.signsAt = now + schedule.aheadSeconds
                return state
            }
            state.ring = try ring.pruned(at: NumericDate(secondsSince1970: Double(now)))
                .rotated(
                    to: next.key,
                    earlierUntil: NumericDate(
                        secondsSince1970: Double(now + schedule.verifyingSeconds)))
            state.rotatedAt = now
            state.next = nil
        } else {
            let isDue = now >= rotatedAt + schedule.rotationSeconds - schedule.aheadSeconds
            guard isDue || rotatedAt > now + Self.clockStep, let ring = try ringWithRoom(at: now)
            else { return nil }
            let key = try SigningKey.generate(algorithm)
            state.ring = try ring.adding(key.verificationKey)
            state.next = (key, now + schedule.aheadSeconds)
        }
        return state
    }

    /// The ring with room for one more key; nil if it has no room before some of its keys are over,
    /// for example after a change from a schedule with longer tokens. A full ring first loses the
    /// keys that verify for longer than any schedule allows: a wrong clock gave them their time.
    private func ringWithRoom(at now: Int64) throws -> SessionKeyRing? {
        var ring = try ring.pruned(at: NumericDate(secondsSince1970: Double(now)))
        let last = Double(now + KeySchedule.longestVerifyingSeconds + Self.clockStep)
        for member in ring.members where ring.members.count == SessionKeyRing.maximumKeyCount {
            guard let until = member.verifiesUntil, until.secondsSince1970 > last else { continue }
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
