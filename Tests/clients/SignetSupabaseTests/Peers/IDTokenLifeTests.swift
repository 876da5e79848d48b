// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

/// S0-54, S0-56, S3-47.
@Suite(
    "A provider's ID token, verified here and handed to GoTrue",
    .enabled(if: KeyServer.isAvailable || KeyServer.isRequired))
struct IDTokenLifeTests {
    @Test("An ID token proves an address here, and gives a session with its nonce")
    func isEvidenceAndASession() async throws {
        let server = try await GoTrueServer()
        let auth = try server.auth()
        let key = try SigningKey.generate(.es256)
        let nonce = try AuthorizationNonce()
        let claims: [String: JSONValue] = [
            "iss": "https://idp.example", "aud": "shop", "sub": "1", "email": "ann@company.example",
            "email_verified": true, "nonce": .string(try nonce.sha256Hex()),
        ]
        let idToken = try TokenSigner(key: key, clock: .still).sign(claims, lifetime: .seconds(300))
        let provider = try IdentityProvider.openID(
            issuer: "https://idp.example", clientIDs: ["shop"], algorithms: [.es256])
        let verifier = try IDTokenVerifier(
            provider, keys: .inHand(KeySet([key.verificationKey])), options: .still)
        let identity = try await verifier.verify(
            idToken, nonce: .sha256Hex(of: nonce.exposedText))
        let policy = try BusinessEmailPolicy(allowing: ["company.example"])
        #expect(policy.verdict(for: identity.email).isAllowed)

        let grant = try await auth.signIn(
            idToken: idToken, provider: "custom:idp", nonce: nonce)
        #expect(try await auth.user(grant.accessToken).email == "ann@company.example")
        // Supabase's token says less than the provider's did.
        #expect(try await auth.emailClaims(of: grant.accessToken).evidence == .none)
        // Both or neither, and the right one.
        for other in [nil, try AuthorizationNonce()] {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await auth.signIn(idToken: idToken, provider: "custom:idp", nonce: other)
            }
            #expect(error?.code == .refused)
        }
        // S0-54: an earlier session continues.
        let again = try await auth.signIn(idToken: idToken, provider: "custom:idp", nonce: nonce)
        #expect(again.userID == grant.userID)
        #expect(try await auth.user(grant.accessToken).id == grant.userID)
    }
}
