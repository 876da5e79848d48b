// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

/// S1-27: a project's tokens, as a server verifies them.
struct SupabaseClaimsTests {
    static let sessionID = "7f6c9c4c-2a6f-4d5b-8a10-d1b1ca609d6b"

    static func claims(_ changes: [String: JSONValue?] = [:]) -> [String: JSONValue] {
        var claims: [String: JSONValue?] = [
            "iss": "https://abcdefgh.supabase.co/auth/v1", "aud": "authenticated",
            "sub": .string(Fixture.userID), "role": "authenticated", "phone": "14155551234",
            "email": "", "session_id": .string(sessionID), "aal": "aal2", "is_anonymous": false,
            "amr": [["method": "otp", "timestamp": 1]],
        ]
        claims.merge(changes) { $1 }
        return claims.compactMapValues(\.self)
    }

    static let key = Result { try SigningKey.generate(.es256, keyID: "one") }
    static let secret = Result {
        try HMACKey(
            secret: SecretKey(copying: "super-secret-jwt-token-with-at-least-32-characters".utf8),
            algorithm: .hs256)
    }

    static func published(_ role: String = "authenticated") throws -> SupabaseTokenVerifier {
        try SupabaseTokenVerifier(
            Fixture.project, keys: .inHand(KeySet([key.get().verificationKey])), role: role,
            options: .still)
    }

    static func signed(_ claims: [String: JSONValue]) throws -> String {
        try TokenSigner(key: key.get(), clock: .still).sign(claims, lifetime: .seconds(300))
    }

    static func refusal(
        _ changes: [String: JSONValue?], _ verifier: SupabaseTokenVerifier? = nil
    ) async throws -> IdentityError? {
        let verifier = try verifier ?? published()
        let token = try signed(claims(changes))
        return await failure { () async throws(IdentityError) in
            _ = try await verifier.verify(token)
        }
    }

    @Test("Claims are typed, and print no phone number")
    func areTyped() async throws {
        let claims = try await Self.published().verify(Self.signed(Self.claims()))
        #expect(claims.userID == Fixture.userID)
        #expect(claims.role == "authenticated")
        #expect(claims.phone?.e164 == "+14155551234")
        #expect(claims.sessionID == Self.sessionID)
        #expect(claims.assuranceLevel == .aal2)
        #expect(!claims.isAnonymous)
        #expect(!"\(claims)".contains("4155551234"))
    }

    /// HS256, for a project that still has a shared secret.
    @Test("A shared secret verifies only its own tokens, and published keys theirs")
    func areThoseOfASharedSecretToo() async throws {
        let secret = try Self.secret.get()
        let verifier = try SupabaseTokenVerifier(
            Fixture.project, legacySecret: secret, options: .still)
        let token = try TokenSigner(hmacKey: secret, clock: .still).sign(
            Self.claims(), lifetime: .seconds(300))
        #expect(try await verifier.verify(token).sessionID == Self.sessionID)
        // Neither is tried with the other's key.
        let published = try Self.published()
        let other = try Self.signed(Self.claims())
        #expect(
            await failure { () async throws(IdentityError) in
                _ = try await published.verify(token)
            } != nil)
        #expect(
            await failure { () async throws(IdentityError) in
                _ = try await verifier.verify(other)
            } != nil)
    }

    @Test("A token of another role, or of none, is refused")
    func anotherRoleIsRefused() async throws {
        for role in ["service_role", "anon", "", "authenticated ", "Authenticated"] {
            #expect(try await Self.refusal(["role": .string(role)])?.code == .valueNotAccepted)
        }
        #expect(try await Self.refusal(["role": nil])?.code == .claimMissing)
        #expect(try await Self.refusal(["role": ["authenticated"]])?.code == .claimInvalid)
        // A program may expect another role than the usual one.
        let editors = try Self.published("editor")
        #expect(try await Self.refusal(["role": "editor"], editors) == nil)
        #expect(try await Self.refusal([:], editors)?.code == .valueNotAccepted)
    }

    @Test("A claim of another type, issuer or client is refused")
    func whatHasAnotherTypeIsRefused() async throws {
        let wrong: [[String: JSONValue?]] = [
            ["phone": 14_155_551_234], ["phone": "+14155551234"], ["phone": "abc"],
            ["session_id": 7], ["session_id": "x"], ["aal": 2], ["is_anonymous": "false"],
            ["is_anonymous": 0],
        ]
        for changes in wrong {
            #expect(try await Self.refusal(changes)?.code == .claimInvalid)
        }
        #expect(
            try await Self.refusal(["iss": "https://evil.supabase.co/auth/v1"])?.code == .issuer)
        #expect(try await Self.refusal(["sub": "x"])?.code == .subject)
        #expect(try await Self.refusal(["client_id": "app"])?.code == .azp)
    }

    @Test("Absent claims are nil, and an absent is_anonymous is false")
    func whatIsAbsentIsNil() async throws {
        let changes: [String: JSONValue?] = [
            "phone": "", "session_id": nil, "aal": "aal9", "is_anonymous": nil,
        ]
        let claims = try await Self.published().verify(Self.signed(Self.claims(changes)))
        #expect(claims.phone == nil && claims.sessionID == nil && claims.assuranceLevel == nil)
        #expect(!claims.isAnonymous)
        let guest = try await Self.published().verify(
            Self.signed(Self.claims(["is_anonymous": true, "phone": nil])))
        #expect(guest.isAnonymous)
    }

    @Test("A shared secret of another algorithm is refused")
    func aSecretOfAnotherAlgorithmIsRefused() throws {
        let long = String(repeating: "s", count: 64)
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try SupabaseTokenVerifier(
                Fixture.project,
                legacySecret: HMACKey(
                    secret: SecretKey(copying: long.utf8), algorithm: .hs512), options: .still)
        }
    }
}
