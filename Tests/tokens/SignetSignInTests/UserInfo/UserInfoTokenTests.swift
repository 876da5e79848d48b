// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Userinfo: signed and encrypted answers")
struct UserInfoTokenTests {
    typealias Form = UserInfoEndpoint.Form

    static let jwt = ["Content-Type": "application/jwt"]
    static let tokens: [Form] = [.signed, .encrypted]
    static let url = "https://idp.example/userinfo"
    /// No time: the specification asks for none.
    static let claims: TestClaimSet = [
        "iss": #""https://idp.example""#, "aud": #""client-1""#, "sub": #""u1""#,
        "name": #""Alice""#, "email": #""a@b.example""#, "email_verified": "true", "x": "[1]",
    ]

    let fixture: ProviderFixture
    let jwk: JWK
    let keys: DecryptionKeySet

    init() throws {
        fixture = try .openID()
        jwk = JWK(material: .key(.ecPrivate(try .generate(curve: .p256))), keyID: "e1")
        keys = try DecryptionKeySet(
            current: DecryptionKey(jwk: jwk, algorithm: .ecdhESA256KW, content: [.a256GCM]))
    }

    private func verifier(
        _ decryption: IDTokenVerifier.Decryption, of fixture: ProviderFixture? = nil
    ) throws -> IDTokenVerifier {
        let fixture = fixture ?? self.fixture
        return try IDTokenVerifier(
            fixture.provider, keys: .inHand(fixture.key.set), decryption: decryption,
            options: fixture.options())
    }

    /// A token that anybody can make who has the published key.
    private func encrypt(
        _ text: String, to other: JWK? = nil, algorithm: KeyManagementAlgorithm = .ecdhESA256KW,
        content: ContentEncryptionAlgorithm = .a256GCM, contentType: String? = "JWT"
    ) throws -> String {
        try JWEEncrypter(
            to: EncryptionKey(jwk: other ?? jwk, algorithm: algorithm), content: content,
            contentType: contentType
        ).encrypt(text.utf8)
    }

    private func signed(
        _ edits: [String: String?] = [:], header: String? = nil
    ) throws -> String {
        try fixture.key.token(Self.claims.changing(edits).json, header: header)
    }

    /// A signed token in the form.
    private func token(_ signed: String, in form: Form) throws -> String {
        form == .encrypted ? try encrypt(signed) : signed
    }

    private func outcome(
        _ answer: FakeTransport.Answer, expecting form: Form, of fixture: ProviderFixture? = nil
    ) async throws -> Result<UserInfo, AuthorizationError> {
        let verifier = try verifier(.offered(keys), of: fixture)
        let identity = try await (fixture ?? self.fixture).identity()
        let transport = FakeTransport(answer)
        let endpoint = try UserInfoEndpoint(
            url: EndpointURL(Self.url), verifier: verifier, expecting: form, transport: transport)
        do throws(AuthorizationError) {
            let info = try await endpoint.userInfo(of: identity, accessToken: "at-secret")
            let accept = transport.requests.all.first?.accept
            #expect(
                accept
                    == (form == .json ? "application/json" : "application/jwt, application/json"))
            return .success(info)
        } catch {
            #expect(!"\(error)".contains("secret") && !"\(error)".contains("eyJ"))
            return .failure(error)
        }
    }

    private func error(
        _ answer: FakeTransport.Answer, expecting form: Form, of fixture: ProviderFixture? = nil
    ) async throws -> AuthorizationError? {
        guard case .failure(let error) = try await outcome(answer, expecting: form, of: fixture)
        else { return nil }
        return error
    }

    @Test("A signed answer is accepted, alone and inside an encrypted one", arguments: tokens)
    func accepted(_ form: Form) async throws {
        let texts = try [
            signed(), signed(["iat": "1799999940", "exp": "1800003540", "nbf": "1799999940"]),
            signed(["aud": #"["another", "client-1"]"#]),
            signed(header: #"{"alg":"RS256","kid":"rsa-1"}"#),
            signed(header: #"{"alg":"RS256","typ":"application/jwt"}"#),
        ]
        for text in texts {
            let answer = FakeTransport.Answer.body(try token(text, in: form), Self.jwt)
            let info = try await outcome(answer, expecting: form).get()
            #expect(info.subject == "u1" && info.name == "Alice")
            #expect(info.email.evidence == .verifiedAddress)
            struct More: Decodable { let x: [Int] }
            #expect(try info.claims(as: More.self).x == [1])
        }
        let type = ["content-type": "Application/JWT;charset=utf-8"]
        let info = try await outcome(.body(try token(signed(), in: form), type), expecting: form)
        #expect(try info.get().subject == "u1")
    }

    @Test("An answer in another form than expected is refused, and the message says what to do")
    func otherForms() async throws {
        let plain = try signed()
        let encrypted = try encrypt(plain)
        let claims = Self.claims.json
        let json = UserInfoTests.json
        let cases: [(Form, FakeTransport.Answer, String)] = [
            (.json, .body(plain, Self.jwt), "or expect .signed or .encrypted."),
            (.json, .body(encrypted, Self.jwt), "or expect .signed or .encrypted."),
            (.signed, .body(claims, json), "or expect .json."),
            (.encrypted, .body(claims, json), "or expect .json."),
            (.signed, .body(encrypted, Self.jwt), "or expect .encrypted, with keys to decrypt."),
            (.encrypted, .body(plain, Self.jwt), "or expect .signed."),
            // JSON under a token's type.
            (.signed, .body(claims, Self.jwt), "without userinfo_encrypted_response_alg."),
            // The specification allows it, and anybody can make it.
            (
                .encrypted, .body(try encrypt(claims, contentType: nil), Self.jwt),
                "register the client at the provider with userinfo_signed_response_alg and userinfo_encrypted_response_alg."
            ),
        ]
        for (form, answer, advice) in cases {
            let error = try await error(answer, expecting: form)
            #expect(error?.code == .formMismatch, "\(form): \(error?.description ?? "accepted")")
            #expect(error?.message.hasSuffix(advice) == true, "\(error?.message ?? "")")
            #expect(error.map { HTTPRefusal($0).status } == 500)
        }
    }

    @Test(
        "iss, aud and sub are there and are the ID token's; times are checked where they are",
        arguments: tokens)
    func registeredClaims(_ form: Form) async throws {
        let cases: [([String: String?], IdentityError.Code)] = [
            (["iss": nil], .issuer), (["iss": "null"], .issuer), (["iss": "7"], .issuer),
            (["iss": #""https://idp.example/""#], .issuer),
            (["aud": nil], .audienceMissing), (["aud": "null"], .audienceMissing),
            (["aud": "[]"], .audienceMissing), (["aud": #""client-10""#], .audienceMissing),
            (["aud": #"["another"]"#], .audienceMissing),
            (["sub": nil], .subject), (["sub": "null"], .subject), (["sub": "7"], .subject),
            (["sub": #""""#], .subject), (["sub": #""U1""#], .subject),
            (["sub": #""u1 ""#], .subject),
            (["exp": "1799990000"], .expired), (["exp": #""1800003540""#], .claimInvalid),
            (["nbf": "1800003540"], .notYetValid), (["iat": "1800003540"], .issuedInFuture),
        ]
        for (edits, code) in cases {
            let answer = FakeTransport.Answer.body(try token(signed(edits), in: form), Self.jwt)
            let error = try await error(answer, expecting: form)
            #expect(
                (error?.underlying as? IdentityError)?.code == code,
                "\(edits): \(error?.description ?? "accepted")")
            let isSubject = code == .subject
            #expect(error?.code == .some(isSubject ? .subjectMismatch : .invalidResponse))
        }
    }

    @Test("Only what the provider signed is accepted", arguments: tokens)
    func signatures(_ form: Form) async throws {
        let claims = Self.claims.json
        let good = try signed()
        let unsigned =
            Base64URL.encode(#"{"alg":"none"}"#.utf8) + "." + Base64URL.encode(claims.utf8) + "."
        let cases: [(String, IdentityError.Code)] = [
            (try ProviderKey.foreignRSA.token(claims), .badSignature),
            (unsigned, .unsupportedAlg),
            (try signed(header: #"{"alg":"RS256","kid":"x"}"#), .unknownKid),
            (try signed(header: #"{"alg":"HS256","kid":"rsa-1"}"#), .algMismatch),
            (try signed(header: #"{"alg":"RS256","kid":"rsa-1","crit":["b64"]}"#), .critUnknown),
            (try signed(header: #"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#), .typeMismatch),
            (try fixture.key.token(#"{"sub":"u1","sub":"u2"}"#), .duplicateMember),
            ("", .malformed), ("e30.e30", .malformed), (good + "\n", .malformed),
            ("\u{e9}" + good, .malformed),
        ]
        for (text, code) in cases {
            let answer = FakeTransport.Answer.body(try token(text, in: form), Self.jwt)
            let error = try await error(answer, expecting: form)
            #expect(
                error?.code == .invalidResponse
                    && (error?.underlying as? IdentityError)?.code == code,
                "\(code): \(error?.description ?? "accepted")")
        }
        let long = try signed(["x": "\"\(String(repeating: "a", count: 16_384))\""])
        let tooLong = try await error(.body(token(long, in: form), Self.jwt), expecting: form)
        #expect(tooLong?.fullCode == "invalidResponse.tooLarge")
    }

    @Test("An encrypted answer opens with the program's key alone, in one layer")
    func encryption() async throws {
        let good = try signed()
        let foreign = JWK(material: .key(.ecPrivate(try .generate(curve: .p256))), keyID: "e1")
        let named = JWK(material: jwk.material, keyID: "e2")
        var parts = try encrypt(good).split(separator: ".").map(String.init)
        var tag = try Base64URL.decode(parts[4])
        tag[0] ^= 1
        parts[4] = Base64URL.encode(tag)
        let cases: [(String, IdentityError.Code)] = [
            (parts.joined(separator: "."), .decryptionFailed),
            (try encrypt(good, to: foreign), .decryptionFailed),
            (try encrypt(good, to: named), .unknownKid),
            (try encrypt(good, algorithm: .ecdhES), .algMismatch),
            (try encrypt(good, content: .a128GCM), .algMismatch),
            (try encrypt(good, contentType: "json"), .typeMismatch),
            (try encrypt(encrypt(good)), .encrypted),
            ("a.b.c.d", .malformed), (".....", .malformed),
        ]
        for (text, code) in cases {
            let error = try await error(.body(text, Self.jwt), expecting: .encrypted)
            #expect(
                error?.code == .invalidResponse
                    && (error?.underlying as? IdentityError)?.code == code,
                "\(code): \(error?.description ?? "accepted")")
        }
    }

    @Test("The ID token's issuer and client count, not another one of the same provider")
    func ofTheIDToken() async throws {
        let google = try ProviderFixture(
            name: "google", provider: .google(clientIDs: ["client-1", "client-2"]), key: .rsa,
            claims: .issued(
                #"{"iss": "https://accounts.google.com", "aud": "client-1", "sub": "u1"}"#))
        let cases: [([String: String?], String?)] = [
            (["iss": #""https://accounts.google.com""#], nil),
            (["iss": #""accounts.google.com""#], "invalidResponse.issuer"),
            (
                ["iss": #""https://accounts.google.com""#, "aud": #""client-2""#],
                "invalidResponse.audienceMissing"
            ),
        ]
        for (edits, code) in cases {
            let answer = FakeTransport.Answer.body(try signed(edits), Self.jwt)
            let error = try await error(answer, expecting: .signed, of: google)
            #expect(error?.fullCode == code, "\(error?.description ?? "accepted")")
        }
    }

    @Test("The provider's own errors come before the form", arguments: tokens)
    func refusals(_ form: Form) async throws {
        let json = UserInfoTests.json
        let cases: [(FakeTransport.Answer, AuthorizationError.Code)] = [
            (.status(401, Self.jwt), .refused), (.status(403), .refused),
            (.status(503, Self.jwt), .unavailable),
            (.status(400, json, body: #"{"error":"invalid_request"}"#), .refused),
            (.body(#"{"error":"server_error"}"#, json), .refused),
            (.status(302, Self.jwt), .invalidResponse), (.status(204, Self.jwt), .invalidResponse),
            (.body("e30.e30.AA"), .invalidResponse),
            (.body("e30.e30.AA", ["Content-Type": "application/jwtx"]), .invalidResponse),
            (.body("[]", json), .invalidResponse),
            (.body(String(repeating: "a", count: 131_073), Self.jwt), .invalidResponse),
        ]
        for (answer, code) in cases {
            let error = try await error(answer, expecting: form)
            #expect(error?.code == code, "\(error?.description ?? "accepted")")
        }
    }

    @Test("A form that cannot come is refused before anything is sent")
    func configuration() throws {
        let entra = try IdentityProvider.entra(
            tenants: .only(ProviderFixture.tenant), clientIDs: ["client-1"])
        let entraFixture = ProviderFixture(
            name: "entra", provider: entra, key: .rsa, claims: fixture.claims)
        let cases: [(IDTokenVerifier, Form, isRefused: Bool)] = try [
            (verifier(.notOffered), .encrypted, true), (verifier(.notOffered), .signed, false),
            (verifier(.required(keys)), .encrypted, false),
            (verifier(.required(keys)), .json, false),
            (verifier(.notOffered, of: entraFixture), .signed, true),
            (verifier(.offered(keys), of: entraFixture), .encrypted, true),
            (verifier(.notOffered, of: entraFixture), .json, false),
        ]
        for (verifier, form, isRefused) in cases {
            do throws(IdentityConfigurationError) {
                _ = try UserInfoEndpoint(
                    url: EndpointURL(Self.url), verifier: verifier, expecting: form,
                    transport: FakeTransport(.status(200)))
                #expect(!isRefused, "\(form)")
            } catch {
                #expect(isRefused && error.code == .contradiction, "\(error)")
            }
        }
    }

    @Test("The ID token's keys serve for userinfo; an outage of the keys is no bad answer")
    func fetchedKeys() async throws {
        let keysURL = "https://idp.example/keys"
        let published = try fixture.key.set.jwksJSON()
        let answer = FakeTransport.Answer.body(try encrypt(signed()), Self.jwt)
        let garbage = FakeTransport.Answer.body(try encrypt("x"), Self.jwt)
        let transport = FakeTransport { request in
            request.url.text == keysURL ? .status(503) : answer
        }
        var options = fixture.options()
        options.keySet = .still
        let verifier = try IDTokenVerifier(
            .openID(
                issuer: ProviderFixture.openIDIssuer, clientIDs: ["client-1"],
                keys: .keySet(EndpointURL(keysURL))),
            keys: .fetched(over: transport), decryption: .offered(keys), options: options)
        let identity = try await fixture.identity()
        let endpoint = try UserInfoEndpoint(
            url: EndpointURL(Self.url), verifier: verifier, expecting: .encrypted,
            transport: transport)
        let error = await #expect(throws: AuthorizationError.self) {
            try await endpoint.userInfo(of: identity, accessToken: "at-secret")
        }
        #expect(error?.code == .unavailable && error.map { HTTPRefusal($0).status } == 503)
        // A second verifier, since the first one waits after the failure.
        let other = try IDTokenVerifier(
            verifier.provider, keys: .fetched(over: transport), decryption: .offered(keys),
            options: options)
        let second = try UserInfoEndpoint(
            url: EndpointURL(Self.url), verifier: other, expecting: .encrypted,
            transport: transport)
        func fetches() -> Int { transport.requests.all.count(where: { $0.url.text == keysURL }) }
        let before = fetches()
        transport.set { request in
            request.url.text == keysURL ? .body(published) : garbage
        }
        let refused = await #expect(throws: AuthorizationError.self) {
            try await second.userInfo(of: identity, accessToken: "at-secret")
        }
        #expect(refused?.fullCode == "invalidResponse.malformed" && fetches() == before)
        transport.set { request in
            request.url.text == keysURL ? .body(published) : answer
        }
        #expect(try await other.verify(fixture.token()).subject == "u1")
        let info = try await second.userInfo(of: identity, accessToken: "at-secret")
        #expect(info.name == "Alice" && fetches() == before + 1)
    }
}
