// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Auth0 and other OpenID Connect providers")
struct OpenIDTests {
    @Test(
        "Auth0's issuer ends with a slash",
        arguments: [
            ClaimCase("without it", ["iss": #""https://tenant.eu.auth0.example""#], .issuer, "iss"),
            ClaimCase("two", ["iss": #""https://tenant.eu.auth0.example//""#], .issuer, "iss"),
            ClaimCase(
                "another tenant", ["iss": #""https://other.eu.auth0.example/""#], .issuer, "iss"),
        ])
    func auth0(_ one: ClaimCase) async throws { try await ProviderFixture.auth0().check(one) }

    @Test("A domain may be in capitals, and must be only a domain")
    func domain() throws {
        let provider = try IdentityProvider.auth0(
            domain: "Tenant.EU.auth0.example", clientIDs: ["c"])
        #expect(provider.description == "IdentityProvider(auth0, https://tenant.eu.auth0.example/)")
        for wrong in [
            "", "https://tenant.example", "tenant.example/", "tenant", "a@b.example", "a..example",
            "-a.example", "a b.example", "t.example:443", "\u{212a}.example",
        ] {
            #expect(throws: IdentityConfigurationError(.invalidIdentifier, ""), "\(wrong)") {
                try IdentityProvider.auth0(domain: wrong, clientIDs: ["c"])
            }
        }
    }

    @Test(
        "Every named algorithm is accepted, and no other",
        arguments: SignatureAlgorithm.allCases)
    func algorithms(_ algorithm: SignatureAlgorithm) async throws {
        let key = ProviderKey.key(algorithm)
        let claims = try ProviderFixture.openID().claims
        let named = try ProviderFixture(
            name: algorithm.name,
            provider: .openID(
                issuer: "https://idp.example", clientIDs: ["client-1"], algorithms: [algorithm]),
            key: key, claims: claims)
        try await named.check(ClaimCase(good: algorithm.name, [:]))
        let others = SignatureAlgorithm.allCases.filter { $0 != algorithm }
        let unnamed = try ProviderFixture(
            name: "not \(algorithm.name)",
            provider: .openID(
                issuer: "https://idp.example", clientIDs: ["client-1"], algorithms: others),
            key: key, claims: claims)
        try await unnamed.check(ClaimCase("not named", [:], .algMismatch))
    }

    @Test("A token without kid verifies only where one key fits")
    func keyID() async throws {
        let fixture = try ProviderFixture.openID()
        let token = try fixture.token([:], header: #"{"alg":"RS256"}"#)
        let alone = try fixture.verifier()
        #expect(try await alone.verify(token).subject == "u1")
        let both = try fixture.verifier(
            keys: KeySet([ProviderKey.rsa.verification, ProviderKey.foreignRSA.verification]))
        #expect(
            await reason { () async throws(IdentityError) in try await both.verify(token) }?.code
                == .unknownKid)
        // One of each algorithm: "alg" tells them apart.
        let mixed = try fixture.verifier(
            keys: KeySet([ProviderKey.rsa.verification, ProviderKey.ec.verification]))
        #expect(try await mixed.verify(token).subject == "u1")
        for strict in try ProviderFixture.all() where !["openid"].contains(strict.name) {
            let verifier = try strict.verifier()
            let token = try strict.token([:], header: #"{"alg":"\#(strict.key.algorithm.name)"}"#)
            #expect(
                await reason { () async throws(IdentityError) in
                    try await verifier.verify(token, nonce: strict.nonce)
                }?.code == .unknownKid, "\(strict.name)")
        }
    }

    @Test(
        "email_verified is true or \"true\"; anything else is no evidence and no refusal"
    )
    func email() async throws {
        let fixture = try ProviderFixture.openID()
        #expect(try await fixture.identity().email.evidence == .verifiedAddress)
        #expect(try await fixture.identity(["email_verified": nil]).email.evidence == .none)
        #expect(try await fixture.identity(["email_verified": "false"]).email.evidence == .none)
        #expect(
            try await fixture.identity(["email_verified": #""true""#]).email.evidence
                == .verifiedAddress)
        for other in [#""TRUE""#, #""yes""#, #""""#, #""1""#, "1", "null", "[]", "[true]", "{}"] {
            #expect(
                try await fixture.identity(["email_verified": other]).email.evidence == .none,
                "\(other)")
            try await fixture.with { $0.requiresVerifiedEmail = true }.check(
                ClaimCase("asked for", ["email_verified": other], .emailUnverified, "email"))
        }
    }

    /// RFC 8707 and Hydra's audience lists let a client ask for a token whose `aud` is another's.
    @Test("Without a checked nonce another client's access token signs no one in")
    func otherClients() async throws {
        let fixture = try ProviderFixture.openID()
        let evil = #""evil""#
        for name in ["client_id", "cid", "appid"] {
            for scope in [["scope": #""openid""#], ["scp": #"["read"]"#], ["scope": #""""#]] {
                try await fixture.check(
                    ClaimCase("\(name)", scope.merging([name: evil]) { $1 }, .azp, name))
                try await fixture.check(
                    ClaimCase(good: "own", scope.merging([name: #""client-1""#]) { $1 }))
                try await fixture.with { $0.authorizedParties = ["evil"] }.check(
                    ClaimCase(good: "named", scope.merging([name: evil]) { $1 }))
                try await fixture.check(
                    ClaimCase("\(name)", scope.merging([name: "7"]) { $1 }, .claimInvalid, name))
                try await fixture.check(
                    ClaimCase(good: "null", scope.merging([name: "null"]) { $1 }))
            }
        }
        // Without a scope only `client_id` is sure to name a client.
        try await fixture.check(ClaimCase("alone", ["client_id": evil], .azp, "client_id"))
        for edits in [["cid": evil], ["appid": "7"], ["cid": evil, "scope": "null"]] {
            try await fixture.check(ClaimCase(good: "another meaning", edits))
        }
        // `client_id` does not stand for a missing `azp`.
        try await fixture.with { $0.trustedAudiences = ["b"] }.check(
            ClaimCase(
                "no azp", ["aud": #"["client-1","b"]"#, "client_id": #""client-1""#], .azp, "azp"))
        // An unsolicited nonce is not checked.
        try await fixture.with { $0.allowsUnsolicitedNonce = true }.check(
            ClaimCase("unsolicited", ["client_id": evil, "nonce": #""n""#], .azp, "client_id"))
    }

    @Test("With a checked nonce the parties are as ever")
    func nonceTells() async throws {
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier()
        let edits = [
            "nonce": #""n-1""#, "client_id": #""evil""#, "cid": "7", "appid": #""evil""#,
            "scope": #""openid""#,
        ]
        _ = try await verifier.verify(fixture.token(edits), nonce: .raw("n-1"))
        let other = try fixture.token(edits.merging(["azp": #""evil""#]) { $1 })
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(other, nonce: .raw("n-1"))
        }
        #expect(error == IdentityError(.azp, claim: "azp", ""))
    }

    @Test("\"hd\" counts for Google only, and \"tid\" for Microsoft only")
    func wordsOfOthers() async throws {
        for fixture in try [ProviderFixture.openID(), .auth0(), .firebase(), .apple(), .entra()] {
            let identity = try await fixture.identity(["hd": #""corp.example""#])
            #expect(identity.hostedDomain == nil, "\(fixture.name)")
        }
        for fixture in try [ProviderFixture.openID(), .auth0(), .firebase(), .apple(), .google()] {
            let identity = try await fixture.identity(["tid": "\"\(ProviderFixture.tenant)\""])
            #expect(identity.tenantID == nil, "\(fixture.name)")
        }
    }

    @Test("A required claim must be present")
    func requiredClaims() async throws {
        var provider = try ProviderFixture.openID().provider
        provider.requiredClaims = ["groups"]
        provider.maximumLifetime = .seconds(3_000)
        let fixture = try ProviderFixture(
            name: "groups", provider: provider, key: .rsa, claims: ProviderFixture.openID().claims)
        try await fixture.check(ClaimCase("missing", [:], .claimMissing, "groups"))
        try await fixture.check(ClaimCase("null", ["groups": "null"], .claimMissing, "groups"))
        try await fixture.check(ClaimCase("too long", ["groups": "[]"], .lifetimeTooLong, "exp"))
        try await fixture.check(ClaimCase(good: "there", ["groups": "[]", "exp": "1800002940"]))
    }
}
