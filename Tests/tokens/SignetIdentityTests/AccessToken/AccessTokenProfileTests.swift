// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Profiles of access tokens")
struct AccessTokenProfileTests {
    static let fixtures = Result { try AccessTokenFixture.all() }

    private func refusal(
        _ fixture: AccessTokenFixture, _ token: String, scopes: [String] = []
    ) async throws -> IdentityError? {
        let verifier = try fixture.verifier()
        return await reason { () async throws(IdentityError) in
            try await verifier.verify(token, scopes: scopes)
        }
    }

    @Test(
        "The issuer's access token passes, and says what it grants", arguments: try fixtures.get())
    func good(_ fixture: AccessTokenFixture) async throws {
        let token = try await fixture.verifier().verify(fixture.token(), scopes: fixture.scopes)
        #expect(token.clientID == fixture.client)
        #expect(token.scopes == fixture.scopes && token.roles == fixture.roles)
        for role in fixture.roles { #expect(token.hasRole(role) && !token.hasRole(role + "x")) }
        #expect(
            try fixture.verifier().verifyWithKeysInHand(fixture.token())?.principal
                == token.principal)
    }

    @Test(
        "The issuer's other tokens, and those of other applications, are refused",
        arguments: try fixtures.get())
    func others(_ fixture: AccessTokenFixture) async throws {
        #expect(!fixture.others.isEmpty)
        for other in fixture.others {
            let error = try await refusal(fixture, fixture.token(other.edits))
            #expect(
                error?.code == other.code && error?.claim == other.claim,
                "\(other.name): \(error as Any)")
        }
        let foreign = try IssuedToken(
            kind: fixture.name, source: fixture.source, claims: fixture.claims, type: fixture.type
        ).signed(by: .foreignRSA)
        #expect(try await refusal(fixture, foreign)?.code == .badSignature)
    }

    @Test(
        "The program's own requirements add to the preset's",
        arguments: try fixtures.get())
    func ownOnTop(_ fixture: AccessTokenFixture) async throws {
        var profile = fixture.profile
        profile.requiredClaims = ["x"]
        profile.acceptedValues = ["x": ["1"]]
        profile.refusedValues = ["x": ["2"]]
        let verifier = try fixture.verifier(profile)
        _ = try await verifier.verify(fixture.token(["x": #""1""#]))
        for other in fixture.others {
            let token = try fixture.token(other.edits.merging(["x": #""1""#]) { $1 })
            let error = await reason { () async throws(IdentityError) in
                try await verifier.verify(token)
            }
            #expect(
                error?.code == other.code && error?.claim == other.claim,
                "\(other.name): \(error as Any)")
        }
    }

    @Test(
        "A missing scope is 403, and the challenge names the scopes",
        arguments: try fixtures.get())
    func scopes(_ fixture: AccessTokenFixture) async throws {
        let error = try await refusal(fixture, fixture.token(), scopes: ["a", "b"])
        #expect(error?.code == .insufficientScope)
        let answer = error.map { HTTPRefusal($0) }
        #expect(answer?.status == 403)
        #expect(answer?.challenge == #"Bearer error="insufficient_scope", scope="a b""#)
        // Faults of the token are reported first.
        let expired = try await refusal(fixture, fixture.token(["exp": "1"]), scopes: ["a"])
        #expect(expired?.code == .expired)
    }

    @Test(
        "Scopes and roles of odd types grant nothing more than they say",
        arguments: ["null", "7", "true", "{}", "[7]", #"[["admin"]]"#, #"{"role":"x"}"#])
    func oddShapes(_ shape: String) async throws {
        for fixture in try Self.fixtures.get() {
            for path in fixture.profile.roleClaims
            where !fixture.profile.scopeClaims.contains(path[0]) {
                guard fixture.profile.preset.acceptedValues[path[0]] == nil else { continue }
                let verifier = try fixture.verifier()
                let token = try fixture.token([path[0]: shape])
                let found = try await verifier.verify(token).roles
                #expect(found.allSatisfy(fixture.roles.contains), "\(fixture.name): \(found)")
            }
            for name in fixture.profile.scopeClaims
            where !fixture.profile.preset.requiredClaims.contains(name) {
                let error = try await refusal(fixture, fixture.token([name: shape]))
                #expect(
                    error == (shape == "null" ? nil : IdentityError(.claimInvalid, claim: name, ""))
                )
            }
        }
    }

    /// A branch may have such a name, and a program that prints the subject writes it to a
    /// terminal.
    @Test(
        "A subject with control characters or line breaks is refused",
        arguments: [
            "\\u0000", "\\n", "\\u007f", "\\u0080", "\\u0085", "\\u009b31m", "\\u2028", "\\u2029",
        ])
    func controls(_ text: String) async throws {
        let fixture = try AccessTokenFixture.gitHubActions()
        let token = try fixture.token(["sub": "\"repo:company/app:ref:refs/heads/a\(text)b\""])
        #expect(try await refusal(fixture, token)?.code == .subject)
    }

    @Test("An empty or blank subject is refused", arguments: ["", " ", "   "])
    func blanks(_ text: String) async throws {
        for fixture in [try AccessTokenFixture.gitHubActions(), try AccessTokenFixture.auth0()] {
            #expect(
                try await refusal(fixture, fixture.token(["sub": "\"\(text)\""]))?.code == .subject)
        }
    }

    @Test("Subjects in any script pass where the profile allows them, and print as ASCII")
    func scripts() async throws {
        let fixture = try AccessTokenFixture.gitHubActions()
        for name in ["Prüfung", "\u{a0}", "試験", "\u{1f680}", "\u{202e}a"] {
            let token = try await fixture.verifier().verify(fixture.token(["sub": "\"\(name)\""]))
            #expect(token.principal == .user(name))
            #expect(token.description.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(name)")
        }
    }

    @Test("WorkOS without a custom domain has two issuers")
    func workOS() async throws {
        let fixture = try AccessTokenFixture.workOS()
        let verifier = try fixture.verifier(.workOS(clientID: "client_01"))
        for path in ["", "/", "/user_management/client_01"] {
            _ = try await verifier.verify(
                fixture.token(["iss": "\"https://api.workos.com\(path)\""]))
        }
        let other = try fixture.token([
            "iss": #""https://api.workos.com/user_management/client_02""#
        ])
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(other)
        }
        #expect(error == .refused(.issuer, "iss"))
    }

    @Test(
        "GitHub Actions of another installation has its own issuer",
        arguments: ["ghes.example/_services/token", "t.ghe.com"])
    func gitHubEnterprise(_ place: String) async throws {
        let fixture = try AccessTokenFixture.gitHubActions()
        let issuer = "https://\(place)"
        let profile = try AccessTokenProfile.gitHubActions(
            audiences: ["deploy"], ownerIDs: ["1234"], issuer: issuer)
        let verifier = try fixture.verifier(profile)
        _ = try await verifier.verify(fixture.token(["iss": "\"\(issuer)\""]))
        let other = try fixture.token()
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(other)
        }
        #expect(error == .refused(.issuer, "iss"))
        let transport = FakeTransport(body: try ProviderKey.rsa.set.jwksJSON())
        let remote = try AccessTokenVerifier(
            profile, keys: .fetched(over: transport), options: ProviderFixture.openID().options())
        _ = try await remote.verify(fixture.token(["iss": "\"\(issuer)\""]))
        #expect(transport.requests.all.map { $0.url.text } == ["\(issuer)/.well-known/jwks"])
    }

    @Test("A self-hosted Supabase has its own issuer")
    func supabaseElsewhere() async throws {
        let fixture = try AccessTokenFixture.supabase()
        let verifier = try fixture.verifier(.supabase(url: EndpointURL("http://127.0.0.1:54321")))
        _ = try await verifier.verify(fixture.token(["iss": #""http://127.0.0.1:54321/auth/v1""#]))
        let token = try fixture.token()
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(token)
        }
        #expect(error == .refused(.issuer, "iss"))
    }

    @Test("Keycloak with the header of RFC 9068 passes where the program asks for it")
    func keycloakType() async throws {
        let fixture = try AccessTokenFixture.keycloak()
        var profile = fixture.profile
        profile.type = .exactly("at+jwt")
        let verifier = try fixture.verifier(profile)
        let token = IssuedToken(
            kind: "access token", source: fixture.source, claims: fixture.claims, type: "at+jwt")
        _ = try await verifier.verify(token.signed(by: .rsa))
        let refresh = IssuedToken(
            kind: "refresh token", source: fixture.source,
            claims: fixture.claims.changing(["typ": #""Refresh""#]), type: "at+jwt")
        let compact = try refresh.signed(by: .rsa)
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(compact)
        }
        #expect(error == .refused(.valueNotAccepted, "typ"))
    }

    @Test("Keycloak's tokens for DPoP pass only where the binding is not checked, by name")
    func keycloakDPoP() async throws {
        let fixture = try AccessTokenFixture.keycloak()
        let bearer = try fixture.verifier()
        var profile = fixture.profile
        profile.sender = .bindingNotChecked
        let lenient = try fixture.verifier(profile)
        let token = try fixture.token(["typ": #""DPoP""#, "cnf": #"{"jkt":"x"}"#])
        let unnamed = try fixture.token(["typ": #""DPoP""#])
        for (token, claim) in [(token, "cnf"), (unnamed, "typ")] {
            let error = await reason { () async throws(IdentityError) in
                try await bearer.verify(token)
            }
            #expect(error == .refused(.senderBound, claim))
            _ = try await lenient.verify(token)
        }
    }

    @Test("A profile that binds no token to this application is refused")
    func unbound() throws {
        func code(_ change: (inout AccessTokenProfile) -> Void) throws -> IdentityConfigurationError
            .Code?
        {
            var profile = try AccessTokenProfile(
                issuer: "https://idp.example", audience: .boundByClient)
            change(&profile)
            do throws(IdentityConfigurationError) {
                _ = try AccessTokenVerifier(
                    profile, keys: .inHand(ProviderKey.rsa.set), options: .still)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try code { _ in } == .contradiction)
        #expect(try code { $0.client = .named } == .contradiction)
        #expect(try code { $0.client = .anyOfWhereNamed(["c"]) } == .contradiction)
        #expect(try code { $0.client = .anyOf([]) } == .invalidIdentifier)
        #expect(try code { $0.client = .anyOf(["c"]) } == nil)
        #expect(
            try code {
                $0.client = .anyOf(["c"])
                $0.clientClaims = []
            } == .contradiction)
        for wrong in [AccessTokenProfile.AudienceRule.anyOf([]), .anyOf([""])] {
            #expect(throws: IdentityConfigurationError.self) {
                try AccessTokenProfile(issuer: "https://idp.example", audience: wrong)
            }
        }
    }

    @Test("A custom profile has its own secret, claims and check")
    func own() async throws {
        let secret = try HMACKey.generate(.hs256)
        var profile = try AccessTokenProfile(
            issuer: "https://own.example", audience: .boundByIssuer, secret: secret)
        profile.acceptedValues = ["tenant": ["a"]]
        profile.roleClaims = [["role"]]
        profile.check = { (token) throws(IdentityError) in
            guard token.hasRole("admin") else {
                throw IdentityError(.claimInvalid, claim: "role", "No.")
            }
        }
        let verifier = try AccessTokenVerifier(
            profile, keys: .ownSecret, options: ProviderFixture.openID().options())
        func refusal(_ role: String, _ tenant: String) async throws -> IdentityError? {
            let claims =
                #"{"iss":"https://own.example","sub":"u","iat":1799999940,"exp":1800003540,"role":"\#(role)","tenant":"\#(tenant)"}"#
            let token = try JWSSigner(hmacKey: secret, type: "JWT").sign(Array(claims.utf8))
            return await reason { () async throws(IdentityError) in try await verifier.verify(token)
            }
        }
        #expect(try await refusal("admin", "a") == nil)
        #expect(
            try await refusal("admin", "b") == IdentityError(.valueNotAccepted, claim: "tenant", "")
        )
        #expect(try await refusal("user", "a") == IdentityError(.claimInvalid, claim: "role", ""))
        #expect(throws: IdentityConfigurationError.self) {
            try AccessTokenVerifier(profile, keys: .inHand(ProviderKey.rsa.set), options: .still)
        }
        #expect(throws: IdentityConfigurationError.self) {
            try AccessTokenVerifier(
                AccessTokenFixture.okta().profile, keys: .ownSecret, options: .still)
        }
    }
}
