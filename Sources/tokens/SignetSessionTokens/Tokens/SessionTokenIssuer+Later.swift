// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension SessionTokenIssuer {
    /// Whether this issuer may accept a token later that `verify(_:)` has refused: its time has
    /// not begun yet, or it names this issuer, its audience, a key that is not in the ring, and a
    /// time of issue within five minutes of now.
    ///
    /// That is a token of an instance whose clock is ahead, or whose new key this one has not read.
    /// A request to revoke it gets 503 (RFC 7009, section 2.2.1), and no 200. In the case of the
    /// key nothing is verified, so a forged token may look alike.
    ///
    /// - Parameters:
    ///   - compact: the token.
    ///   - error: why it was refused.
    public func mayAcceptLater(
        _ compact: some StringProtocol, refusedFor error: TokenError
    ) -> Bool {
        // The times are checked after signature, issuer and audience.
        if error.code == .notYetValid { return true }
        guard error.code == .noMatchingKey,
            let hints = try? UnverifiedToken(
                compact, maximumByteCount: Self.maximumTokenByteCount),
            hints.issuer.map({ $0.utf8.elementsEqual(issuer.utf8) }) == true,
            let keyID = hints.keyID, let claims = Self.unverifiedClaims(compact),
            let issuedAt = claims.issuedAt, claims.audienceTexts.count == 1,
            claims.audienceTexts.contains(where: { $0.isEqual(to: audience) })
        else { return false }
        let isKnown = keys.members.contains { $0.keyID.utf8.elementsEqual(keyID.utf8) }
        return !isKnown && isWithin(Self.keyReading, of: issuedAt)
    }

    /// How long an instance may take to read a new key. A key that is unknown for longer was
    /// replaced, and its tokens are good nowhere.
    private static let keyReading = Duration.seconds(300)

    /// The claims of a token that `UnverifiedToken` has read.
    private static func unverifiedClaims(_ compact: some StringProtocol) -> RegisteredClaims? {
        guard let payload = compact.split(separator: ".").dropFirst().first else { return nil }
        let json = try? Base64URL.decode(payload)
        return json.flatMap { try? RegisteredClaims(payload: $0, nullIsAbsent: false) }
    }
}
