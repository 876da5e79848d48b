// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

@Suite("A Supabase project that changes its key") struct SupabaseKeyChangeTests {
    /// A project restored from a backup has another key under the same name.
    @Test("A new key under the same kid is accepted after the cooldown")
    func isFollowedUnderTheSameKid() async throws {
        func token(_ key: SigningKey) throws -> String {
            try TokenSigner(key: key, clock: .still).sign(
                SupabaseClaimsTests.claims(), lifetime: .seconds(300))
        }
        let (old, new) = (
            try SupabaseClaimsTests.key.get(), try SigningKey.generate(.es256, keyID: "one")
        )
        let forger = try SigningKey.generate(.es256, keyID: "one")
        let transport = FakeTransport(body: try KeySet([old.verificationKey]).jwksJSON())
        let clock = ManualClock()
        var options = TokenVerificationOptions.still
        options.keySet.clock = clock.source
        let verifier = try SupabaseTokenVerifier(
            Fixture.project, keys: .fetched(over: transport), options: options)
        func refusal(_ key: SigningKey) async throws -> IdentityError? {
            let token = try token(key)
            return await failure { () async throws(IdentityError) in
                _ = try await verifier.verify(token)
            }
        }
        #expect(try await refusal(old) == nil)
        #expect(try await refusal(forger)?.code == .badSignature)
        transport.set(.body(try KeySet([new.verificationKey]).jwksJSON()))
        let heldBack = try #require(try await refusal(new))
        #expect(HTTPRefusal(heldBack) == .unavailable && heldBack.retryAfterSeconds == 30)
        clock.advance(by: .seconds(30))
        #expect(try await refusal(new) == nil)
        #expect(transport.count == 3)
    }
}
