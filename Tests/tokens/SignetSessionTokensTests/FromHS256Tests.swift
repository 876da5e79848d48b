// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import Testing

/// The tokens of a backend that signs with one secret and names neither key nor session.
@Suite("From an HS256 backend")
struct FromHS256Tests {
    /// Made by Python's `hmac` over compact JSON, as such a backend writes it.
    private static let token = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
        eyJzdWIiOiIxMTAxNjk0ODQ0NzQzODYyNzYzMzQiLCJpYXQiOjE3ODAwMDAwMDAsImV4cCI6MTc4MjU5\
        MjAwMCwiYXVkIjoibW9iaWxlIiwiaXNzIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZSJ9\
        .YfLrwVpuu8ndUXgJJt6_7UsmQ8YUGwBULy6xYDG29nc
        """
    private static let secret = SecretKey(
        copying: String(repeating: "example-", count: 5).utf8)
    private static let subject = "110169484474386276334"

    private func earlier(_ clock: TimeSource) throws -> TokenVerifier {
        try TokenVerifier(
            hmacKey: HMACKey(secret: Self.secret, algorithm: .hs256),
            policy: TokenPolicy(
                issuer: "https://api.example", audience: ["mobile"],
                maximumAge: .seconds(30 * 86_400), requiredClaims: ["sub"], clock: clock))
    }

    private func sessions(_ clock: TimeSource, _ ring: SessionKeyRing) throws -> SessionTokenIssuer
    {
        try SessionTokenIssuer(
            issuer: "https://api.example", audience: "session", keys: ring,
            lifetime: .seconds(30 * 86_400), clock: clock)
    }

    @Test("Its tokens are accepted beside new ones until they end, and each verifier takes its own")
    func move() throws {
        let clock = ManualClock(secondsSince1970: 1_780_000_000)
        let earlier = try earlier(clock.source)
        let ring = try SessionKeyRing(SigningKey.generate(.es256))
        let sessions = try sessions(clock.source, ring)
        #expect(try UnverifiedToken(Self.token).keyID == nil)
        #expect(try earlier.verify(Self.token).registered.subject == Self.subject)

        let issued = try sessions.issue(subject: Self.subject)
        #expect(try UnverifiedToken(issued.token).keyID == ring.currentKeyID)
        #expect(try sessions.verify(issued.token).subject == Self.subject)

        // Neither reads the other's.
        #expect(throws: TokenError.self) { try sessions.verify(Self.token) }
        #expect(throws: TokenError.self) { try earlier.verify(issued.token) }

        // Nor where the new ring has the old secret under a name.
        let named = try self.sessions(
            clock.source,
            SessionKeyRing(HMACKey(secret: Self.secret, algorithm: .hs256, keyID: "1")))
        #expect(throws: TokenError.self) { try named.verify(Self.token) }
        let new = try named.issue(subject: Self.subject)
        #expect(throws: TokenError(.audienceMismatch, claim: "aud", "")) {
            try earlier.verify(new.token)
        }

        clock.advance(by: .seconds(30 * 86_400 + 31))
        #expect(throws: TokenError(.expired, claim: "exp", "")) { try earlier.verify(Self.token) }
    }

    @Test("Without the claim sid a session token is refused by that name")
    func session() throws {
        let clock = ManualClock(secondsSince1970: 1_780_000_000)
        let key = try HMACKey(secret: Self.secret, algorithm: .hs256, keyID: "1")
        let sessions = try sessions(clock.source, SessionKeyRing(key))
        let token = try TokenSigner(hmacKey: key, clock: clock.source).sign(
            ["iss": "https://api.example", "aud": "session", "sub": Self.subject],
            lifetime: .seconds(60))
        #expect(throws: TokenError(.claimMissing, claim: "sid", "")) { try sessions.verify(token) }
    }
}
