// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// A run of combining characters in every string of ID, access and session tokens, of a provider's
/// metadata, and of what a token endpoint and a browser answer.
@Suite("The cost of combining characters in tokens, metadata and answers")
struct CombiningIdentityCosts {
    private static let all: Result<[HostileMember], any Error> = Result {
        try idTokens() + otherTokens() + metadata() + answers + callbacks()
    }
    static let members: [HostileMember] = (try? all.get()) ?? []

    @Test("Members are found")
    func made() throws { #expect(try Self.all.get().count > 200) }

    @Test(
        "A run of 8 KiB costs what its bytes cost", .tags(.fuzzing, .sampled),
        arguments: Effort.cases(members, oneOf: 10))
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test("A run of 64 or 512 KiB costs what its bytes cost", .tags(.fuzzing), arguments: members)
    func large(_ member: HostileMember) throws { try member.expectLinearWhenLarge() }

    @Test("Strings from metadata and callbacks are cut at 1,024 bytes")
    func shownTexts() throws {
        let issuer = try EndpointURL("https://issuer.example")
        let (whole, long) = (
            String(repeating: "a", count: 1_024), String(repeating: "a", count: 1_025)
        )
        #expect(Self.lists.count == 3)
        for name in Self.lists {
            let json = { (text: String) -> String in
                Self.metadataMembers.changing([name: "[\"\(text)\"]"]).json
            }
            #expect(throws: Never.self) {
                try ProviderMetadata(Array(json(whole).utf8), issuer: issuer)
            }
            #expect(throws: KeySourceError(.invalidDocument, "")) {
                try ProviderMetadata(Array(json(long).utf8), issuer: issuer)
            }
        }
        let callback = try AuthorizationCallback(
            query: "code=c&state=\(SignInFixture.stateText)&user=\(whole)&other=\(long)",
            state: SignInFixture.state(), issuer: SignInFixture.issuer)
        #expect(
            callback.unverifiedParameter("user") == whole
                && callback.unverifiedParameter("other") == nil)
    }
}

// MARK: - Tokens

extension CombiningIdentityCosts {
    /// Of the claims, where the limit of a token is 256 KiB.
    private static let maximumByteCount = 190_000

    private static func filled(_ members: TestClaimSet, _ byteCount: Int) -> String {
        let roles = String(repeating: #""role","#, count: byteCount / 7)
        return members.changing(["roles": "[\(roles)\"\"]"]).json
    }

    /// Every member, as nothing but the text, and with the good text in front of it.
    private static func templates(_ members: TestClaimSet) -> [(String, String)] {
        members.names.flatMap { name -> [(String, String)] in
            let alone = (name, members.changing([name: #""%""#]).json)
            guard let good = members[name], good.hasPrefix("\"") else { return [alone] }
            let behind = members.changing([name: good.dropLast() + "%\""]).json
            return [alone, ("\(name) with a known beginning", behind)]
        } + [("a member's name", members.changing(["%": "1"]).json)]
    }

    /// Claims that not every provider writes.
    private static func claims(_ claims: TestClaimSet) -> [(String, String)] {
        templates(claims) + [
            ("a list of audiences", claims.changing(["aud": #"["x","%"]"#]).json),
            ("at_hash", claims.changing(["at_hash": #""%""#]).json),
            ("azp", claims.changing(["azp": #""%""#]).json),
            ("events", claims.changing(["events": #"{"%":{}}"#]).json),
        ]
    }

    static func idTokens() throws -> [HostileMember] {
        let policy = try BusinessEmailPolicy(allowing: ["corp.example"])
        return try ProviderFixture.all().flatMap { fixture in
            var options = fixture.options()
            options.maximumTokenByteCount = 262_144
            let verifier = try IDTokenVerifier(
                fixture.provider, keys: .inHand(fixture.key.set), options: options)
            let kind = DocumentKind {
                try fixture.key.token(filled(fixture.claims, $0))
            } accepts: { token in
                let identity = try? verifier.verifyWithKeysInHand(token, nonce: fixture.nonce)
                guard let identity else { return false }
                _ = policy.verdict(for: identity.email)
                return true
            }
            return HostileMember.table(
                "ID token of \(fixture.name)", kind, maximumByteCount: maximumByteCount,
                claims(fixture.claims), make: { try fixture.key.token($0) })
        }
    }

    static func otherTokens() throws -> [HostileMember] {
        var options = try ProviderFixture.openID().options()
        options.maximumTokenByteCount = 262_144
        let verifier = try AccessTokenVerifier(
            .rfc9068(issuer: "https://idp.example", resources: ["https://api.example"]),
            keys: .inHand(ProviderKey.rsa.set), options: options)
        let signed = { @Sendable (claims: String) throws -> String in
            try ProviderKey.rsa.token(claims, header: AccessTokenTests.header)
        }
        let access = DocumentKind {
            try signed(filled(AccessTokenTests.claims, $0))
        } accepts: { token in
            let verified = try? verifier.verifyWithKeysInHand(token)
            return verified?.hasScope("read") == true
        }
        let secret = try SessionFixture.secret()
        let issuer = try SessionFixture.issuer(SessionKeyRing(secret))
        let signer = try JWSSigner(hmacKey: secret, type: "JWT")
        let session = try TestClaimSet(SessionFixture.claims())
        let sessions = DocumentKind {
            try signer.sign(Array(filled(session, $0).utf8))
        } accepts: {
            (try? issuer.verify($0)) != nil
        }
        return HostileMember.table(
            "access token", access, maximumByteCount: maximumByteCount,
            claims(AccessTokenTests.claims),
            make: signed)
            + HostileMember.table(
                "session token", sessions, maximumByteCount: 11_000, claims(session),
                make: { try signer.sign(Array($0.utf8)) })
    }
}

extension TestClaimSet {
    fileprivate init(_ claims: [String: JSONValue]) throws {
        self = [:]
        for (name, value) in claims {
            let json = try JSONTokenEncoder(allowsFragments: true).encode(value)
            self = changing([name: String(decoding: json, as: UTF8.self)])
        }
    }
}

// MARK: - Documents

extension CombiningIdentityCosts {
    private static let metadataMembers: TestClaimSet = [
        "issuer": #""https://issuer.example""#, "jwks_uri": #""https://keys.example/jwks""#,
        "authorization_endpoint": #""https://issuer.example/authorize""#,
        "token_endpoint": #""https://issuer.example/token""#,
        "userinfo_endpoint": #""https://issuer.example/me""#,
        "end_session_endpoint": #""https://issuer.example/end""#,
        "id_token_signing_alg_values_supported": #"["RS256"]"#,
        "code_challenge_methods_supported": #"["S256"]"#,
        "token_endpoint_auth_methods_supported": #"["client_secret_post"]"#,
        "authorization_response_iss_parameter_supported": "true", "op_policy_uri": #""https://x""#,
    ]
    private static let lists = metadataMembers.names.filter { $0.hasSuffix("s_supported") }

    static func metadata() throws -> [HostileMember] {
        let issuer = try EndpointURL("https://issuer.example")
        let transport = FakeTransport(body: "")
        let kind = DocumentKind {
            filled(metadataMembers, $0)
        } accepts: { text in
            guard let metadata = try? ProviderMetadata(Array(text.utf8), issuer: issuer) else {
                return false
            }
            _ = try? TokenEndpoint(
                provider: metadata, clientID: "c", authentication: .clientSecretBasic("s"),
                transport: transport)
            return true
        }
        let elements = lists.map {
            ("an element of \($0)", metadataMembers.changing([$0: #"["S256","%"]"#]).json)
        }
        return HostileMember.table(
            "metadata", kind, maximumByteCount: 520_000, templates(metadataMembers) + elements)
    }

    private static let tokens: TestClaimSet = [
        "access_token": #""at""#, "token_type": #""Bearer""#, "expires_in": "3600",
        "id_token": #""e.e.s""#,
        "refresh_token": #""rt""#, "scope": #""openid email""#, "x": #""y""#,
    ]
    private static let refusal: TestClaimSet = [
        "error": #""invalid_grant""#, "error_description": #""expired""#,
        "error_uri": #""https://x""#,
    ]

    static let answers: [HostileMember] =
        HostileMember.table("answer", answer, maximumByteCount: 520_000, templates(tokens))
        + HostileMember.table("refusal", answer, maximumByteCount: 520_000, templates(refusal))

    private static let answer = DocumentKind {
        filled(tokens, $0)
    } accepts: { body in
        let response = TransportResponse(
            status: body.utf8.starts(with: #"{"error"#.utf8) ? 400 : 200,
            fields: [.init(name: "Content-Type", value: "application/json")], body: Array(body.utf8)
        )
        do throws(AuthorizationError) {
            let tokens = try TokenEndpointAnswer(response, secrets: ["code-value"]).tokens()
            return tokens.scopes?.contains("openid") == true
        } catch {
            _ =
                error
                == AuthorizationError(
                    .refused, refusal: ProviderRefusal(error: "invalid_grant"), "")
            return false
        }
    }

    static func callbacks() throws -> [HostileMember] {
        let state = try SignInFixture.state()
        let good = "code=c-1&state=\(SignInFixture.stateText)&iss=https%3A%2F%2Faccounts.example"
        let kind = DocumentKind {
            good + "&user=" + String(repeating: "%41", count: $0)
        } accepts: { query in
            let callback = try? AuthorizationCallback(
                query: query, state: state, issuer: SignInFixture.issuer)
            _ = callback?.unverifiedParameter("user") == "alice"
            return callback != nil
        }
        let places = [
            ("code", good.replacing("c-1", with: "*")),
            ("state", good.replacing("state=", with: "state=*")),
            ("iss", good + "*"), ("error", good.replacing("code=c-1", with: "error=*")),
            ("error_description", good.replacing("code=c-1", with: "error=x&error_description=*")),
            ("another parameter", good + "&user=*"), ("a parameter's name", good + "&*=1"),
        ]
        return places.map { name, template in
            HostileMember("callback: \(name)", kind, maximumByteCount: 5_000) { text in
                template.replacing(
                    "*", with: text.utf8.map { "%" + String($0, radix: 16) }.joined())
            }
        }
    }
}
