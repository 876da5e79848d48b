// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Tokens that are neither ID tokens nor access tokens: here logout tokens (OpenID Connect
/// Back-Channel Logout 1.0, section 2.4).
@Suite("Tokens of other kinds over remote keys")
struct RemoteTokenVerifierTests {
    struct Logout: Codable, Equatable {
        let iss: String
        let aud: String
        let sub: String?
        let sid: String
        let events: [String: [String: String]]
    }

    static let event = "http://schemas.openid.net/event/backchannel-logout"
    static let claims = Logout(
        iss: StubProvider.issuer, aud: StubProvider.client, sub: nil, sid: "s-1",
        events: [event: [:]])

    let provider: StubProvider

    init() throws { provider = try StubProvider() }

    func verifier(
        _ algorithms: [SignatureAlgorithm] = [.es256], _ policy: TokenPolicy? = nil
    ) throws -> RemoteTokenVerifier {
        try RemoteTokenVerifier(
            policy ?? Self.policy(), algorithms: algorithms, transport: provider, options: .still)
    }

    static func policy(
        issuer: TokenPolicy.IssuerRule = .exactly(StubProvider.issuer),
        audience: String = StubProvider.client
    ) throws -> TokenPolicy {
        try TokenPolicy(
            issuer: issuer, audience: [audience], type: .exactly("logout+jwt"),
            requiredClaims: ["events"], clock: .still)
    }

    func token(type: String = "logout+jwt", _ claims: Logout = Self.claims) throws -> String {
        try TokenSigner(key: provider.key, type: type, clock: .still).sign(
            claims, lifetime: .seconds(3_600))
    }

    @Test("Claims are typed, and the keys are then cached")
    func verifies() async throws {
        let verifier = try verifier()
        let token = try token()
        #expect(try verifier.verifyWithKeysInHand(token, as: Logout.self) == nil)
        let verified = try await verifier.verify(token, as: Logout.self)
        #expect(verified.claims == Self.claims && verified.keyID == "one")
        #expect(try verifier.verifyWithKeysInHand(token, as: Logout.self)?.claims == Self.claims)
        #expect(provider.requests("/keys") == 1)
    }

    @Test("A wrong type, audience, algorithm, key or claim is refused")
    func refuses() async throws {
        let good = try verifier()
        let other = try SigningKey.generate(.es256, keyID: "other")
        let cases: [(String, RemoteTokenVerifier, String, IdentityError.Code)] = [
            ("type", good, try token(type: "JWT"), .typeMismatch),
            (
                "audience",
                try verifier([.es256], Self.policy(audience: "other")), try token(),
                .audienceMissing
            ),
            (
                "algorithm",
                try verifier([.rs256]), try token(), .algMismatch
            ),
            (
                "key", good,
                try TokenSigner(key: other, type: "logout+jwt", clock: .still).sign(
                    Self.claims, lifetime: .seconds(3_600)), .unknownKid
            ),
        ]
        for (what, verifier, token, code) in cases {
            do throws(IdentityError) {
                _ = try await verifier.verify(token, as: Logout.self)
                Issue.record("\(what): accepted")
            } catch {
                #expect(error.code == code, "\(what)")
            }
        }
        struct Other: Decodable { let sid: Int }
        await #expect(throws: IdentityError(.claimInvalid, claim: "sid", "")) {
            try await good.verify(try token(), as: Other.self)
        }
    }

    @Test("Keys belong to the issuer that the policy names")
    func issuer() async throws {
        for (algorithms, rule) in [
            ([SignatureAlgorithm.es256], TokenPolicy.IssuerRule.notChecked),
            ([], .exactly(StubProvider.issuer)),
        ] {
            #expect(throws: IdentityConfigurationError(.contradiction, "")) {
                try verifier(algorithms, Self.policy(issuer: rule))
            }
        }
        let several = try verifier(
            [.es256], Self.policy(issuer: .anyOf([StubProvider.issuer, "https://b"])))
        #expect(try await several.verify(token(), as: Logout.self).claims.sid == "s-1")
    }
}
