// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Tokens of machines: Duende writes no `sub` for client credentials, Rauthy `null`, Cloudflare an
/// empty one; Okta and Cognito write the client's identifier.
@Suite("Tokens of clients")
struct ClientTokenTests {
    private static let claims: TestClaimSet = [
        "iss": #""https://idp.example""#, "aud": #""https://api.example""#,
        "client_id": #""ada""#, "jti": #""t""#, "scope": #""read""#,
        "iat": ProviderFixture.times.issued, "exp": ProviderFixture.times.expires,
    ]
    static let absent: [String?] = [nil, "null", #""""#]

    private static func profile(
        _ subject: SubjectRule? = .absentForClients
    ) throws -> AccessTokenProfile {
        var profile = try AccessTokenProfile.rfc9068(
            issuer: "https://idp.example", resources: ["https://api.example"])
        if let subject { profile.subject = subject }
        return profile
    }

    private static func outcome(
        _ edits: [String: String?], _ profile: AccessTokenProfile? = nil, typed: Bool = true
    ) async throws -> Result<VerifiedAccessToken, IdentityError> {
        let type = typed ? #","typ":"at+jwt""# : ""
        let token = try ProviderKey.rsa.token(
            claims.changing(edits).json, header: #"{"alg":"RS256","kid":"rsa-1"\#(type)}"#)
        let verifier = try AccessTokenVerifier(
            profile ?? self.profile(), keys: .inHand(ProviderKey.rsa.set),
            options: ProviderFixture.openID().options())
        do throws(IdentityError) {
            return .success(try await verifier.verify(token))
        } catch {
            return .failure(error)
        }
    }

    private static func code(
        _ edits: [String: String?], _ profile: AccessTokenProfile? = nil
    ) async throws -> IdentityError.Code? {
        guard case .failure(let error) = try await outcome(edits, profile) else { return nil }
        return error.code
    }

    @Test("Without a sub a token is the client's, where the profile says so", arguments: absent)
    func withoutSubject(_ subject: String?) async throws {
        let token = try await Self.outcome(["sub": subject]).get()
        #expect(token.principal == .client("ada") && token.clientID == "ada")
        #expect(token.description.contains("client ada"))
        // Never by default, whatever the issuer.
        #expect(try await Self.code(["sub": subject], Self.profile(nil)) == .subject)
        let own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        guard
            case .failure(let error) = try await Self.outcome(["sub": subject], own, typed: false)
        else { return #expect(Bool(false), "accepted") }
        #expect(error == IdentityError(.subject, claim: "sub", ""))
    }

    @Test("A client's identifier that equals a user's sub never stands for the user")
    func sameName() async throws {
        let user = try await Self.outcome(["sub": #""ada""#, "client_id": #""web""#]).get()
        #expect(user.principal == .user("ada"))
        let users: Set<VerifiedAccessToken.Principal> = [user.principal]
        for subject in Self.absent + [#""ada""#] {
            let client = try await Self.outcome(["sub": subject]).get()
            #expect(client.principal == .client("ada"), "\(subject ?? "absent")")
            #expect(client.principal != user.principal && !users.contains(client.principal))
        }
        // By default too, where the issuer writes the client's identifier into `sub`, and whichever
        // of the client's claims has it.
        let standard = try await Self.outcome(["sub": #""ada""#], Self.profile(nil)).get()
        #expect(standard.principal == .client("ada"))
        let own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        let second = try await Self.outcome(
            ["sub": #""ada""#, "client_id": #""web""#, "azp": #""ada""#], own, typed: false
        ).get()
        #expect(second.principal == .client("ada") && second.clientID == "web")
    }

    @Test(
        "A token that shows a person needs a sub",
        arguments: [
            "sid", "auth_time", "acr", "amr", "nonce", "preferred_username", "email", "name",
            "username",
        ])
    func person(_ claim: String) async throws {
        for value in [#""x""#, "1", "[]", #""""#] {
            for subject in Self.absent {
                #expect(
                    try await Self.code(["sub": subject, claim: value]) == .subject, "\(value)")
            }
            #expect(try await Self.code(["sub": #""u1""#, claim: value]) == nil)
        }
        #expect(try await Self.code([claim: "null"]) == nil)
    }

    /// People may choose the name of a client where an issuer lets them choose their `sub`.
    @Test(
        "A sub that is the client's is refused if the token shows a person",
        arguments: ["sid", "amr", "nonce", "preferred_username", "email"])
    func personWithClientsName(_ claim: String) async throws {
        for profile in [try Self.profile(nil), try Self.profile()] {
            for value in [#""x""#, "[]"] {
                #expect(
                    try await Self.code(["sub": #""ada""#, claim: value], profile) == .subject)
            }
            #expect(try await Self.code(["sub": #""ada""#, claim: "null"], profile) == nil)
        }
    }

    @Test("Claims that Cognito and others write for clients too show no person beside the sub")
    func sharedClaims() async throws {
        let edits: [String: String?] = [
            "sub": #""ada""#, "auth_time": "1799999940", "acr": #""1""#, "name": #""A service""#,
            "username": #""ada""#,
        ]
        let token = try await Self.outcome(edits, Self.profile(nil)).get()
        #expect(token.principal == .client("ada"))
    }

    @Test("Without a sub, several clients are none")
    func severalClients() async throws {
        var own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        own.subject = .absentForClients
        for name in ["azp", "cid", "appid"] {
            let same = try await Self.outcome([name: #""ada""#], own, typed: false).get()
            #expect(same.principal == .client("ada"))
            guard
                case .failure(let error) = try await Self.outcome(
                    [name: #""web""#], own, typed: false)
            else { return #expect(Bool(false), "accepted") }
            #expect(error.code == .subject)
        }
    }

    @Test("Without a sub a client must be named")
    func unnamed() async throws {
        var own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        own.subject = .absentForClients
        guard
            case .failure(let error) = try await Self.outcome(["client_id": nil], own, typed: false)
        else { return #expect(Bool(false), "accepted") }
        #expect(error.code == .subject)
        // Cloudflare names the client elsewhere.
        own.clientClaims = ["common_name"]
        let token = try await Self.outcome(
            ["sub": #""""#, "common_name": #""svc""#, "client_id": nil], own, typed: false
        ).get()
        #expect(token.principal == .client("svc"))
        own.clientClaims = []
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try AccessTokenVerifier(own, keys: .inHand(ProviderKey.rsa.set), options: .still)
        }
        // The rule for clients counts as well.
        var strict = try Self.profile()
        strict.client = .anyOf(["other"])
        #expect(try await Self.code([:], strict) == .azp)
    }

    @Test("A sub of a wrong form is refused, also where it may be absent")
    func form() async throws {
        for text in [
            " ", "  ", "a\\nb", "a\\u0000", "a\\u009b", String(repeating: "é", count: 513),
        ] {
            for profile in [try Self.profile(nil), try Self.profile()] {
                #expect(try await Self.code(["sub": "\"\(text)\""], profile) == .subject, "\(text)")
            }
        }
        for json in ["7", "false", "[]", #"["u1"]"#, "{}"] {
            #expect(try await Self.code(["sub": json]) == .subject, "\(json)")
        }
    }

    /// GitLab's subjects name branches.
    @Test("A sub is Unicode up to 1,024 bytes by default")
    func unicode() async throws {
        let own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        let long = String(repeating: "é", count: 512)
        for name in ["project_path:g/p:ref_type:branch:ref:feature/ümlaut", "試験", long] {
            for (profile, typed) in [(try Self.profile(nil), true), (own, false)] {
                let token = try await Self.outcome(["sub": "\"\(name)\""], profile, typed: typed)
                    .get()
                #expect(token.principal == .user(name))
            }
        }
        // The presets keep the form that their issuer documents.
        let okta = try AccessTokenProfile.okta(domain: "t.example", audiences: ["a"])
        #expect(okta.subject == .text(maximumByteCount: 255))
    }

    @Test("Principals are compared byte by byte")
    func spelling() {
        typealias Principal = VerifiedAccessToken.Principal
        #expect(Principal.user("\u{e9}") != .user("e\u{301}"))
        #expect(Set<Principal>([.user("\u{e9}"), .user("e\u{301}"), .client("\u{e9}")]).count == 3)
        #expect(Principal.user("a") == .user("a") && Principal.user("a") != .client("a"))
        #expect("\(Principal.user("\u{1b}[1m"))" == "user ?[1m")
    }

    @Test("iat is optional where only RFC 7519 rules, and checked where it is there")
    func issuedAt() async throws {
        #expect(try await Self.code(["iat": nil, "sub": #""u""#]) == .claimMissing)
        var own = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
        func outcome(_ edits: [String: String?]) async throws -> IdentityError.Code? {
            let edits = edits.merging(["sub": #""u""#]) { $1 }
            switch try await Self.outcome(edits, own, typed: false) {
            case .success(let token):
                #expect(token.issuedAt == nil && token.reusableUntil == token.expiration)
                return nil
            case .failure(let error): return error.code
            }
        }
        #expect(try await outcome(["iat": nil]) == nil)
        #expect(try await outcome(["iat": "1800000031"]) == .issuedInFuture)
        #expect(try await outcome(["iat": #""x""#]) == .claimInvalid)
        #expect(try await outcome(["iat": nil, "exp": nil]) == .claimMissing)
        own.requiredClaims = ["iat"]
        #expect(try await outcome(["iat": nil]) == .claimMissing)
        let secret = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .boundByIssuer,
            secret: HMACKey.generate(.hs256))
        #expect(secret.subject == .unicode(maximumByteCount: 1_024))
    }
}
