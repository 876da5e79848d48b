// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Introspection of access tokens (RFC 7662)")
struct TokenIntrospectionTests {
    static let good: TestClaimSet = [
        "active": "true", "sub": #""alice""#, "aud": #""https://api.example""#,
        "iss": #""https://idp.example""#, "exp": "1800003540", "iat": "1799999940",
        "scope": #""read write""#, "client_id": #""app""#, "token_type": #""Bearer""#,
        "username": "7",
    ]
    /// RFC 7662, section 2.2: every member but `active` is optional.
    static let bare: [String: String?] = [
        "iss": nil, "exp": nil, "iat": nil, "scope": nil, "client_id": nil, "token_type": nil,
        "username": nil,
    ]
    static let json = ["Content-Type": "application/json"]

    static func introspection(
        _ transport: FakeTransport,
        audience: AccessTokenProfile.AudienceRule = .anyOf(["https://api.example"]),
        authentication: ClientAuthentication = .clientSecretBasic("s3cret"),
        change: (inout AccessTokenProfile) throws -> Void = { _ in }
    ) throws -> TokenIntrospection {
        var options = TokenVerificationOptions()
        options.clock = .fixed(secondsSince1970: Double(ProviderFixture.now))
        var profile = try AccessTokenProfile(issuer: "https://idp.example", audience: audience)
        try change(&profile)
        return try TokenIntrospection(
            profile, at: EndpointURL("https://idp.example/introspect"), clientID: "api",
            authentication: authentication, transport: transport, options: options)
    }

    static func outcome(
        _ answer: FakeTransport.Answer, scopes: [String] = [], token: String = "opaque-secret",
        audience: AccessTokenProfile.AudienceRule = .anyOf(["https://api.example"])
    ) async throws -> Result<VerifiedAccessToken, IdentityError> {
        let introspection = try introspection(FakeTransport(answer), audience: audience)
        do throws(IdentityError) {
            return .success(try await introspection.verify(token, scopes: scopes))
        } catch {
            #expect(!"\(error)".contains("secret"))
            return .failure(error)
        }
    }

    static func outcome(
        _ edits: [String: String?], scopes: [String] = []
    ) async throws -> Result<VerifiedAccessToken, IdentityError> {
        try await outcome(.body(good.changing(edits).json, json), scopes: scopes)
    }

    @Test("An active token gives the same as an access-token verifier")
    func active() async throws {
        let transport = FakeTransport(.body(Self.good.json, Self.json))
        let introspection = try Self.introspection(transport)
        let token = try await introspection.verify("opaque-secret", scopes: ["write"])
        #expect(token.principal == .user("alice") && token.issuer == "https://idp.example")
        #expect(token.audience == ["https://api.example"] && token.clientID == "app")
        #expect(token.scopes == ["read", "write"] && token.keyID == nil)
        let request = try #require(transport.requests.all.first)
        #expect(
            String(decoding: request.body?.bytes ?? [], as: UTF8.self)
                == "token=opaque-secret&token_type_hint=access_token")
        #expect(request.authorization?.hasPrefix("Basic ") == true)
        _ = try await introspection.verify("opaque-secret")
        #expect(transport.count == 2, "nothing is cached: a revocation counts at once")
        #expect(!"\(introspection)".contains("s3cret"))
    }

    @Test("A token for DPoP is accepted where the binding is not checked, by name")
    func bindingNotChecked() async throws {
        for edits in [["token_type": #""DPoP""#], ["typ": #""DPoP""#, "cnf": #"{"jkt":"x"}"#]] {
            let answer = FakeTransport.Answer.body(Self.good.changing(edits).json, Self.json)
            let introspection = try Self.introspection(FakeTransport(answer)) {
                $0.sender = .bindingNotChecked
            }
            #expect(try await introspection.verify("opaque-secret").clientID == "app")
        }
    }

    @Test(
        "Bad claims are refused",
        arguments: [
            ClaimCase("inactive", ["active": "false"], .inactive),
            ClaimCase("an end that has passed", ["exp": "1799999000"], .expired, "exp"),
            ClaimCase("an end of null", ["exp": "null"], .claimInvalid, "exp"),
            ClaimCase("an end as text that has passed", ["exp": #""1799999000""#], .expired, "exp"),
            ClaimCase("an end that is no number", ["exp": #""never""#], .claimInvalid, "exp"),
            ClaimCase("an empty end", ["exp": #""""#], .claimInvalid, "exp"),
            ClaimCase("a signed end", ["exp": #""+1800003540""#], .claimInvalid, "exp"),
            ClaimCase("a hexadecimal end", ["exp": #""0x7fffffff""#], .claimInvalid, "exp"),
            ClaimCase("an end out of range", ["exp": "-1e300"], .claimInvalid, "exp"),
            ClaimCase("a list of ends", ["exp": "[1800003540]"], .claimInvalid, "exp"),
            ClaimCase(
                "a beginning to come, as text", ["nbf": #""1800000900""#], .notYetValid, "nbf"),
            ClaimCase(
                "issued in the future, as text", ["iat": #""1800000900""#], .issuedInFuture, "iat"),
            ClaimCase("a beginning to come", ["nbf": "1800000900"], .notYetValid, "nbf"),
            ClaimCase("issued in the future", ["iat": "1800000900"], .issuedInFuture, "iat"),
            ClaimCase("another issuer", ["iss": #""https://idp.example/""#], .issuer, "iss"),
            ClaimCase("an issuer that is no text", ["iss": "[]"], .issuer, "iss"),
            ClaimCase("another audience", ["aud": #""other""#], .audienceMissing, "aud"),
            ClaimCase("no audience", ["aud": nil], .audienceMissing, "aud"),
            ClaimCase("no subject", ["sub": nil], .subject, "sub"),
            ClaimCase("no subject, by null", ["sub": "null"], .subject, "sub"),
            ClaimCase("no dates, another issuer", bare.merging(["iss": #""x""#]) { $1 }, .issuer),
            ClaimCase(
                "no dates, another audience", bare.merging(["aud": #""x""#]) { $1 },
                .audienceMissing),
            ClaimCase(
                "no end, a beginning to come", ["exp": nil, "nbf": "1800000900"], .notYetValid,
                "nbf"),
            ClaimCase(
                "no end, issued in the future", ["exp": nil, "iat": "1800000900"], .issuedInFuture,
                "iat"),
            ClaimCase(
                "no iat, an end that has passed", ["iat": nil, "exp": "1799999000"], .expired),
            ClaimCase("never begins", ["nbf": "9223372036854775807"], .notYetValid, "nbf"),
            ClaimCase("an empty subject", ["sub": #""""#], .subject, "sub"),
            ClaimCase("a refresh token", ["token_type": #""refresh_token""#], .typeMismatch),
            ClaimCase("a token for DPoP", ["token_type": #""DPoP""#], .senderBound, "token_type"),
            ClaimCase("Keycloak's token for DPoP", ["typ": #""DPoP""#], .senderBound, "typ"),
            ClaimCase(
                "an actor that is text", ["act": #""ada""#], .claimInvalid, "act"),
            ClaimCase("a type that is no text", ["token_type": "7"], .claimInvalid, "token_type"),
            ClaimCase("Keycloak's refresh token", ["typ": #""Refresh""#], .typeMismatch, "typ"),
            ClaimCase("Keycloak's ID token", ["typ": #""ID""#], .typeMismatch, "typ"),
            ClaimCase(
                "Ory's refresh token", ["token_use": #""refresh_token""#], .typeMismatch,
                "token_use"),
            ClaimCase("scopes that are a number", ["scope": "7"], .claimInvalid, "scope"),
        ])
    func refused(_ one: ClaimCase) async throws {
        let outcome = try await Self.outcome(one.edits)
        guard case .failure(let error) = outcome else {
            return #expect(Bool(false), "\(one.name): accepted")
        }
        #expect(error.code == one.code, "\(one.name): \(error)")
        if let claim = one.claim { #expect(error.claim == claim) }
        #expect(HTTPRefusal(error) == .invalidToken)
    }

    @Test(
        "Answers without informative members are accepted",
        arguments: [
            ["iss": nil], ["iss": "null"], ["scope": nil], ["client_id": nil], ["token_type": nil],
            ["token_type": "null"], ["token_type": #""bearer""#], ["token_type": #""""#],
            ["token_type": #""access_token""#],
            ["typ": #""Bearer""#], ["token_use": #""access_token""#],
            ["aud": #"["x","https://api.example"]"#], ["jti": "null"], ["acr": "7"],
            ["exp": #""1800003540""#, "iat": #""1799999940""#, "nbf": #""1799999940""#],
            ["exp": #""1800003540.5""#], ["exp": "1800003540.5"],
            ["exp": #""99999999999999999999""#], ["exp": nil], ["iat": nil], bare,
        ] as [[String: String?]])
    func accepted(_ edits: [String: String?]) async throws {
        let token = try await Self.outcome(edits).get()
        #expect(token.issuer == "https://idp.example" && token.principal == .user("alice"))
    }

    @Test(
        "With the profile of RFC 9068 an answer needs no jti, but the client that decides who acts")
    func standardProfile() async throws {
        func outcome(_ edits: [String: String?]) async throws -> VerifiedAccessToken {
            let answer = FakeTransport.Answer.body(Self.good.changing(edits).json, Self.json)
            return try await Self.introspection(FakeTransport(answer)) {
                $0 = try .rfc9068(
                    issuer: "https://idp.example", resources: ["https://api.example"])
            }.verify("opaque")
        }
        #expect(try await outcome([:]).principal == .user("alice"))
        #expect(try await outcome(["sub": #""app""#]).principal == .client("app"))
        let missing = await #expect(throws: IdentityError.self) {
            try await outcome(["client_id": nil])
        }
        #expect(missing?.code == .claimMissing && missing?.claim == "client_id")
        let empty = await #expect(throws: IdentityError.self) {
            try await outcome(["jti": #""""#])
        }
        #expect(empty?.code == .claimInvalid && empty?.claim == "jti")
    }

    @Test("A server that sends no aud must be declared as such")
    func withoutAudience() async throws {
        let answer = FakeTransport.Answer.body(Self.good.changing(["aud": nil]).json, Self.json)
        _ = try await Self.outcome(answer, audience: .boundByIssuer).get()
    }

    @Test("Without a named audience, aud is not checked", arguments: [nil, #""other""#])
    func anyAudience(_ audience: String?) async throws {
        let answer = FakeTransport.Answer.body(
            Self.good.changing(Self.bare.merging(["aud": audience]) { $1 }).json, Self.json)
        _ = try await Self.outcome(answer, audience: .boundByIssuer).get()
        guard case .failure(let error) = try await Self.outcome(answer) else {
            return #expect(Bool(false), "accepted")
        }
        #expect(error.code == .audienceMissing)
    }

    @Test("An answer without an end may be kept for 60 s, another until its end")
    func reuse() async throws {
        let now = Double(ProviderFixture.now)
        let bare = try await Self.outcome(Self.bare).get()
        #expect(bare.expiration == nil && bare.issuedAt == nil)
        #expect(bare.reusableUntil == NumericDate(secondsSince1970: now + 60))
        let good = try await Self.outcome([:]).get()
        #expect(good.reusableUntil == good.expiration)
        #expect(good.expiration == NumericDate(secondsSince1970: 1_800_003_540))
    }

    @Test("What the program asks for is required in answers too")
    func requirements() async throws {
        for name in ["exp", "iat"] {
            let answer = FakeTransport.Answer.body(Self.good.changing(Self.bare).json, Self.json)
            let introspection = try Self.introspection(FakeTransport(answer)) {
                $0.requiredClaims = [name]
            }
            let error = await reason { () async throws(IdentityError) in
                try await introspection.verify("t")
            }
            #expect(error == IdentityError(.claimMissing, claim: name, ""))
        }
    }

    @Test("A client's answer without sub is the client's, where the profile says so")
    func clients() async throws {
        let answer = FakeTransport.Answer.body(
            Self.good.changing(["sub": nil, "exp": nil, "iat": nil, "username": nil]).json,
            Self.json)
        let introspection = try Self.introspection(FakeTransport(answer)) {
            $0.subject = .absentForClients
        }
        #expect(try await introspection.verify("t").principal == .client("app"))
        for shown: [String: String?] in [
            ["auth_time": "1799999940", "username": nil], ["username": #""alice""#],
        ] {
            let person = FakeTransport.Answer.body(
                Self.good.changing(shown.merging(["sub": nil]) { $1 }).json, Self.json)
            let other = try Self.introspection(FakeTransport(person)) {
                $0.subject = .absentForClients
            }
            let error = await reason { () async throws(IdentityError) in
                try await other.verify("t")
            }
            #expect(error?.code == .subject)
        }
    }

    @Test("A missing scope is 403")
    func scopes() async throws {
        guard case .failure(let error) = try await Self.outcome([:], scopes: ["read", "admin"])
        else { return #expect(Bool(false)) }
        #expect(error.code == .insufficientScope && HTTPRefusal(error).status == 403)
    }

    @Test(
        "An error between the servers is 503 for an outage, else 500",
        arguments: [
            (.failure(TransportFailure(.unreachable, "")), 503, nil),
            (.failure(TransportFailure(.timedOut, "")), 503, nil),
            (.failure(TransportFailure(.cancelled, "")), 503, nil),
            (.status(503, ["Retry-After": "9"]), 503, 9), (.status(429), 503, nil),
            (.status(500, json, body: #"{"active":true}"#), 503, nil),
            (.status(401, json, body: #"{"error":"invalid_client"}"#), 500, nil),
            (.status(401), 500, nil), (.status(302, ["Location": "https://x.example"]), 500, nil),
            (.body("{}", json), 500, nil), (.body("true", json), 500, nil),
            (.body(#"{"active":"true"}"#, json), 500, nil),
            (.body(#"{"active":1}"#, json), 500, nil), (.body(#"{"active":null}"#, json), 500, nil),
            (.body(#"{"active":false,"active":true}"#, json), 500, nil),
            (.body(#"{"active":true}"#), 500, nil),
            (.body("e30.e30.", ["Content-Type": "application/token-introspection+jwt"]), 500, nil),
            (.failure(TransportFailure(.bodyTooLarge, "")), 500, nil),
        ] as [(FakeTransport.Answer, Int, Int?)])
    func outages(_ answer: FakeTransport.Answer, _ status: Int, _ seconds: Int?) async throws {
        guard case .failure(let error) = try await Self.outcome(answer) else {
            return #expect(Bool(false), "accepted")
        }
        let refusal = HTTPRefusal(error)
        #expect(refusal.status == status && refusal.retryAfterSeconds == seconds, "\(error)")
        #expect(error.code == (status == 503 ? .introspectionUnavailable : .introspectionFailed))
        if status == 503 {
            #expect(error.fullCode.hasPrefix("introspectionUnavailable."), "\(error.fullCode)")
        }
    }

    @Test(
        "A malformed token is not sent",
        arguments: [
            "", "a b", "a\u{301}", "a\nb", "=", "a=b", String(repeating: "a", count: 16_385),
        ])
    func malformed(_ token: String) async throws {
        let transport = FakeTransport(.body(Self.good.json, Self.json))
        let introspection = try Self.introspection(transport)
        let error = await reason { () async throws(IdentityError) in
            try await introspection.verify(token)
        }
        #expect(error?.code == (token.utf8.count > 16_384 ? .tooLarge : .malformed))
        #expect(transport.count == 0)
    }

    @Test("A client without authentication, and Entra, are refused")
    func configuration() throws {
        let transport = FakeTransport(.status(200))
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try Self.introspection(transport, authentication: .none)
        }
        let entra = try AccessTokenProfile.entra(
            tenants: .only(ProviderFixture.tenant), audiences: ["api"])
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try TokenIntrospection(
                entra, at: EndpointURL("https://idp.example/i"), clientID: "api",
                authentication: .clientSecretBasic("s"), transport: transport, options: .still)
        }
    }
}
