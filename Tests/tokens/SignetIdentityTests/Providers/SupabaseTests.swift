// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Supabase")
struct SupabaseTests {
    /// `user_metadata` is what the user wrote, member names included: a log gets the names made
    /// printable, and never a value.
    @Test("Claims that do not fit a type: the error names the member and no value")
    func claimsThatDoNotFit() async throws {
        struct Claims: Decodable {
            let metadata: [String: Int]

            private enum CodingKeys: String, CodingKey { case metadata = "user_metadata" }
        }
        let metadata = #"{"a\nforged line":"a-secret-value"}"#
        let identity = try await ProviderFixture.supabase().identity(["user_metadata": metadata])
        let error = #expect(throws: IdentityError.self) { try identity.claims(as: Claims.self) }
        #expect(error?.code == .claimInvalid)
        #expect(error?.claim == "user_metadata.a?forged line")
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "A token that breaks a rule is refused",
        arguments: [
            ClaimCase(
                "another project", ["iss": #""https://zzzzzzzzzzzzzzzzzzzz.supabase.co/auth/v1""#],
                .issuer,
                "iss"),
            ClaimCase(
                "the host alone", ["iss": #""https://abcdefghijklmnopqrst.supabase.co""#], .issuer,
                "iss"),
            ClaimCase("the service role", ["aud": #""service_role""#], .audienceMissing, "aud"),
            ClaimCase("sub no UUID", ["sub": #""alice""#], .subject, "sub"),
            ClaimCase(
                "sub in capitals", ["sub": "\"\(ProviderFixture.user.uppercased())\""], .subject,
                "sub"),
            ClaimCase("sub with braces", ["sub": "\"{\(ProviderFixture.user)}\""], .subject, "sub"),
        ])
    func rules(_ one: ClaimCase) async throws { try await ProviderFixture.supabase().check(one) }

    @Test("An address is never verified, an empty one is absent, user_metadata is ignored")
    func email() async throws {
        let fixture = try ProviderFixture.supabase()
        let email = try await fixture.identity().email
        #expect(email.address == "alice@corp.example" && email.evidence == .none)
        #expect(try await fixture.identity(["email": #""""#]).email.address == nil)
        #expect(try await fixture.identity(["email_verified": "true"]).email.evidence == .none)
        #expect(try await fixture.identity(["email": nil]).email.address == nil)
        let identity = try await fixture.identity([
            "user_metadata": #"{"name":"Boss","email_verified":true}"#
        ]
        )
        #expect(identity.name == nil)
        struct Session: Decodable {
            var sessionID: String

            enum CodingKeys: String, CodingKey { case sessionID = "session_id" }
        }
        #expect(try identity.claims(as: Session.self).sessionID == ProviderFixture.otherTenant)
        #expect(
            await reason { () async throws(IdentityError) in
                try identity.claims(as: [Int].self)
            }?.code == .claimInvalid)
    }

    @Test("RS256 and a project on this machine work")
    func variants() async throws {
        let base = try ProviderFixture.supabase()
        let rsa = ProviderFixture(
            name: "rsa", provider: base.provider, key: .rsa, claims: base.claims)
        try await rsa.check(ClaimCase(good: "RS256", [:]))
        for url in ["http://127.0.0.1:54321", "http://127.0.0.1:54321/"] {
            let local = try ProviderFixture(
                name: url, provider: .supabase(url: EndpointURL(url)), key: .ec, claims: base.claims
            )
            try await local.check(
                ClaimCase(good: url, ["iss": #""http://127.0.0.1:54321/auth/v1""#]))
            try await local.check(ClaimCase("the project", [:], .issuer, "iss"))
        }
    }

    static let secret = "super-secret-jwt-token-with-at-least-32-characters-long"

    @Test("The legacy secret has its own name, and is never mixed with published keys")
    func legacy() async throws {
        let key = try HMACKey(secret: SecretKey(copying: Self.secret.utf8), algorithm: .hs256)
        let mac = try MACKey(SecretKey(copying: Self.secret.utf8), hash: .sha256)
        let claims = try ProviderFixture.supabase().claims
        func token(_ header: String) throws -> String {
            let input =
                Base64URL.encode(header.utf8) + "."
                + Base64URL.encode(claims.json.utf8)
            return try input + "."
                + Base64URL.encode(mac.authenticationCode(for: Array(input.utf8)))
        }
        let url = try EndpointURL("https://abcdefghijklmnopqrst.supabase.co")
        let provider = try IdentityProvider.supabaseLegacy(url: url, secret: key)
        let fixture = try ProviderFixture.supabase()
        let legacy = try IDTokenVerifier(provider, keys: .ownSecret, options: fixture.options())
        let identity = try await legacy.verify(token(#"{"alg":"HS256","typ":"JWT"}"#))
        #expect(identity.identityKey == (try await fixture.identity().identityKey))
        let modern = try fixture.verifier()
        func code(_ verifier: IDTokenVerifier, _ token: String) async -> IdentityError.Code? {
            await reason { () async throws(IdentityError) in try await verifier.verify(token) }?
                .code
        }
        // GoTrue itself tries the secret for an unknown kid.
        #expect(try await code(modern, token(#"{"alg":"HS256"}"#)) == .algMismatch)
        #expect(try await code(modern, token(#"{"alg":"HS256","kid":"ec-1"}"#)) == .algMismatch)
        #expect(try await code(modern, token(#"{"alg":"ES256","kid":"nobody"}"#)) == .unknownKid)
        #expect(try await code(legacy, fixture.token()) == .algMismatch)
        for header in [#"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"typ":"JWT"}"#] {
            let expected: IdentityError.Code = header.contains("alg") ? .unsupportedAlg : .malformed
            #expect(try await code(legacy, token(header)) == expected)
        }
        for header in [#"{"alg":"RS256"}"#, #"{"alg":"HS512"}"#, #"{"alg":"ES256"}"#] {
            #expect(try await code(legacy, token(header)) == .algMismatch)
        }
        #expect(try await code(legacy, token(#"{"alg":"HS256","crit":["exp2"]}"#)) == .critUnknown)
        #expect(try await code(legacy, token(#"{"alg":"HS256","b64":false}"#)) == .critUnknown)
        #expect(
            try await code(legacy, token(#"{"alg":"HS256","alg":"HS256"}"#)) == .duplicateMember)
        #expect(
            !"\(provider) \(provider.customMirror.children.map { "\($0)" })".contains(Self.secret))
    }
}
