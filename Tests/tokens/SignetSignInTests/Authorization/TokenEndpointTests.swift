// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("The token endpoint")
struct TokenEndpointTests {
    typealias Fixture = SignInFixture
    static let clientSecret = "s3cr:et & %é+"
    static let code = "SplxlOBeZQQYbYS6WxSbIA/4"

    /// Answers with what it was given, and keeps what it was sent.
    final class Recorder: IdentityTransport {
        private let answer: Result<TransportResponse, TransportFailure>
        private let sent = Locked<[TransportRequest]>([])

        init(_ answer: Result<TransportResponse, TransportFailure>) { self.answer = answer }

        convenience init(_ status: Int, _ body: String, type: String? = "application/json") {
            let fields =
                type.map { [TransportResponse.Field(name: "content-type", value: $0)] } ?? []
            self.init(
                .success(TransportResponse(status: status, fields: fields, body: Array(body.utf8))))
        }

        var requests: [TransportRequest] { sent.withLock { $0 } }

        func exchange(_ request: TransportRequest) async throws(TransportFailure)
            -> TransportResponse
        {
            sent.withLock { $0.append(request) }
            return try answer.get()
        }
    }

    static func endpoint(
        _ transport: Recorder, _ authentication: ClientAuthentication = .none,
        clientID: String = "client"
    ) throws -> TokenEndpoint {
        try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: clientID,
            authentication: authentication,
            transport: transport, timeout: .seconds(60))
    }

    static func exchange(
        _ transport: Recorder, _ authentication: ClientAuthentication = .none,
        clientID: String = "client"
    ) async throws -> TokenEndpointResponse {
        try await endpoint(transport, authentication, clientID: clientID).exchange(
            AuthorizationCode(code), redirectURI: Fixture.redirectURI, pkce: .used(Fixture.pkce()))
    }

    static func body(_ transport: Recorder) throws -> String {
        let request = try #require(transport.requests.first)
        #expect(request.method == .post)
        let body = try #require(request.body)
        #expect(body.contentType == "application/x-www-form-urlencoded")
        return String(decoding: body.bytes, as: UTF8.self)
    }

    static let good =
        #"{"access_token":"at","token_type":"bearer","expires_in":3600,"id_token":"e.e.s","refresh_token":"rt","scope":"openid email","x":[1]}"#
    static let sentCode =
        "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA%2F4"
        + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test("A public client sends its identifier")
    func publicClient() async throws {
        let transport = Recorder(200, Self.good)
        let response = try await Self.exchange(transport)
        #expect(
            response.accessToken == "at" && response.idToken == "e.e.s"
                && response.refreshToken == "rt")
        #expect(response.expiresIn == 3600 && response.scopes == ["openid", "email"])
        #expect(try Self.body(transport) == Self.sentCode + "&client_id=client")
        let request = try #require(transport.requests.first)
        #expect(request.authorization == nil && request.accept == "application/json")
        #expect(request.url.text == "https://accounts.example/token")
        #expect(transport.requests.count == 1)
    }

    @Test("client_secret_basic encodes both parts before it joins them (RFC 6749, section 2.3.1)")
    func basic() async throws {
        let transport = Recorder(200, Self.good)
        _ = try await Self.exchange(
            transport, .clientSecretBasic(Self.clientSecret), clientID: "cli:ent")
        #expect(try Self.body(transport) == Self.sentCode)
        let pair = "cli%3Aent:s3cr%3Aet%20%26%20%25%C3%A9%2B"
        #expect(
            transport.requests.first?.authorization == "Basic " + Base64Standard.encode(pair.utf8))
    }

    @Test("client_secret_post sends the secret in the form")
    func post() async throws {
        let transport = Recorder(200, Self.good)
        _ = try await Self.exchange(transport, .clientSecretPost(Self.clientSecret))
        #expect(
            try Self.body(transport) == Self.sentCode
                + "&client_id=client&client_secret=s3cr%3Aet%20%26%20%25%C3%A9%2B")
        #expect(transport.requests.first?.authorization == nil)
    }

    @Test("A refresh token is exchanged, and null members are absent")
    func refresh() async throws {
        let transport = Recorder(
            200,
            #"{"access_token":"a2","token_type":"Bearer","refresh_token":null,"id_token":null,"scope":null,"expires_in":null}"#
        )
        let response = try await Self.endpoint(transport).refresh("r+t", scopes: ["openid"])
        #expect(
            response.accessToken == "a2" && response.refreshToken == nil && response.idToken == nil)
        #expect(response.expiresIn == nil && response.scopes == nil)
        #expect(
            try Self.body(transport)
                == "grant_type=refresh_token&refresh_token=r%2Bt&scope=openid&client_id=client")
        for (token, scopes) in [("", []), ("a\u{0}", []), ("é", []), ("a", [""]), ("a", ["b c"])] {
            await #expect(throws: AuthorizationError(.malformed, "")) {
                try await Self.endpoint(transport).refresh(token, scopes: scopes)
            }
        }
        #expect(transport.requests.count == 1)
    }

    @Test(
        "Answers outside RFC 6749, section 5, are refused",
        arguments: [
            (200, ""), (200, "null"), (200, "[]"), (200, "{}"), (200, #"{"token_type":"Bearer"}"#),
            (200, #"{"access_token":"a","token_type":"mac"}"#),
            (200, #"{"access_token":"a","token_type":"DPoP"}"#),
            (200, #"{"access_token":"a","token_type":"Be\u0000arer"}"#),
            (200, #"{"access_token":"","token_type":"Bearer"}"#),
            (200, #"{"access_token":1,"token_type":"Bearer"}"#),
            (200, #"{"access_token":"a\n","token_type":"Bearer"}"#),
            (200, #"{"access_token":"é","token_type":"Bearer"}"#),
            (200, #"{"access_token":null,"token_type":"Bearer"}"#),
            (200, #"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#),
            (200, #"{"access_token":"a","token_type":"Bearer","id_token":{}}"#),
            (200, #"{"access_token":"a","token_type":"Bearer","refresh_token":["r"]}"#),
            (200, #"{"access_token":"a","token_type":"Bearer"} x"#),
            (200, String(repeating: "[", count: 100_000)),
            (202, good), (203, good), (206, good), (201, ""), (201, "{}"), (204, ""), (301, good),
            (302, good), (307, good), (100, good), (0, good),
            (-1, good),
            (600, good),
            (400, "{}"), (404, good), (400, #"{"error":1}"#), (400, #"{"error":""}"#),
            (400, #"{"error":null}"#),
            (401, "<html>"),
        ])
    func invalid(_ status: Int, _ body: String) async throws {
        let transport = Recorder(status, body)
        await #expect(throws: AuthorizationError(.invalidResponse, "")) {
            try await Self.exchange(transport)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("An answer of 201 is read as one of 200")
    func created() async throws {
        #expect(try await Self.exchange(Recorder(201, Self.good)).refreshToken == "rt")
        #expect(await refusal(Recorder(201, #"{"error":"invalid_grant"}"#)) == .refused)
    }

    @Test(
        "The content type must be JSON",
        arguments: [
            ("application/json", true), ("application/json; charset=utf-8", true),
            ("Application/JSON;charset=UTF-8", true), ("application/json\t; charset=utf-8", true),
            ("text/json", true), ("TEXT/JSON; charset=utf-8", true),
            ("application/vnd.api+json", true), ("Application/Token+JSON;v=1", true),
            ("text/html", false), ("application/json-seq", false), ("text/javascript", false),
            ("", false),
            ("application/+json", false), ("application/x+jsonp", false), ("text/x+json", false),
            ("text/html+json", false), ("application/x,text/x+json", false), ("text/jsonx", false),
            ("application/x\"+json", false), ("text/html;+json", false),
            ("application/json,text/html", false),
        ])
    func contentType(_ type: String, _ isGood: Bool) async throws {
        let code = await refusal(Recorder(200, Self.good, type: type))
        #expect(code == (isGood ? nil : .invalidResponse))
        #expect(await refusal(Recorder(200, Self.good, type: nil)) == .invalidResponse)
    }

    @Test(
        "An overloaded or unreachable provider is unavailable",
        arguments: [429, 500, 502, 503, 504, 599])
    func unavailable(_ status: Int) async throws {
        #expect(await refusal(Recorder(status, "")) == .unavailable)
    }

    @Test(
        "A failing transport has its code",
        arguments: [
            (TransportFailure.Code.unreachable, AuthorizationError.Code.unavailable),
            (.timedOut, .unavailable),
            (.notTrusted, .unavailable), (.invalidResponse, .unavailable),
            (.bodyTooLarge, .invalidResponse),
            (.cancelled, .cancelled),
        ])
    func failure(_ failure: TransportFailure.Code, _ code: AuthorizationError.Code) async throws {
        #expect(await refusal(Recorder(.failure(TransportFailure(failure, "")))) == code)
    }

    @Test("A body over the limit is refused, even if the transport delivers it")
    func longBody() async throws {
        #expect(
            await refusal(Recorder(200, Self.good + String(repeating: " ", count: 131_072)))
                == .invalidResponse)
    }

    @Test(
        "The provider's error is reported without anything from the exchange",
        arguments: [400, 401, 403, 200])
    func refused(_ status: Int) async throws {
        let error = try await #require(throws: AuthorizationError.self) {
            try await Self.exchange(
                Recorder(status, #"{"error":"invalid_grant","error_description":"expired\u0007"}"#))
        }
        #expect(error.code == .refused && error.refusal?.error == "invalid_grant")
        #expect(error.refusal?.errorDescription == "expired?")
        #expect("\(error)".contains("invalid_grant") && !"\(error)".contains("expired"))
        for secret in [Self.code, Fixture.verifier, Self.clientSecret] {
            let body = try JSONTokenEncoder().encode([
                "error": secret, "error_description": "bad: \(secret)!",
            ])
            let echo = Recorder(status, String(decoding: body, as: UTF8.self))
            let error = try await #require(throws: AuthorizationError.self) {
                try await Self.exchange(echo, .clientSecretPost(Self.clientSecret))
            }
            #expect(error.refusal?.error == "?" && error.refusal?.errorDescription == nil)
        }
    }

    struct DeafTransport: IdentityTransport {
        let gate: Gate
        func exchange(_ request: TransportRequest) async throws(TransportFailure)
            -> TransportResponse
        {
            await gate.pass()
            return TransportResponse(
                status: 200, fields: [], body: Array(TokenEndpointTests.good.utf8))
        }
    }

    @Test("A transport that never answers is given up after the time limit")
    func deaf() async throws {
        let transport = DeafTransport(gate: Gate())
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: .none,
            transport: transport, timeout: .milliseconds(20))
        await #expect(throws: AuthorizationError.self) {
            try await endpoint.exchange(
                AuthorizationCode(Self.code), redirectURI: Fixture.redirectURI,
                pkce: .used(Fixture.pkce()))
        }
        transport.gate.open()
    }

    @Test("Invalid endpoints are refused")
    func configuration() throws {
        let transport = Recorder(200, "")
        #expect(
            configurationRefusal { try Self.endpoint(transport, clientID: "") }
                == .invalidIdentifier)
        #expect(
            configurationRefusal { try Self.endpoint(transport, clientID: "é") }
                == .invalidIdentifier)
        #expect(
            configurationRefusal { try Self.endpoint(transport, .clientSecretBasic("")) }
                == .invalidSecret)
        #expect(
            configurationRefusal {
                try Self.endpoint(
                    transport, .clientSecretPost(String(repeating: "x", count: 8_193)))
            } == .invalidSecret)
        for (timeout, limit) in [
            (Duration.zero, 4096), (.seconds(61), 4096), (.seconds(-1), 4096), (.seconds(1), 1023),
            (.seconds(1), 1_048_577),
        ] {
            #expect(
                configurationRefusal {
                    try TokenEndpoint(
                        url: EndpointURL("https://accounts.example/token"), clientID: "c",
                        authentication: .none,
                        transport: transport, timeout: timeout, maximumByteCount: limit)
                } == .outOfRange)
        }
    }

    private func refusal(_ transport: Recorder) async -> AuthorizationError.Code? {
        do {
            _ = try await Self.exchange(transport)
            return nil
        } catch let error as AuthorizationError {
            return error.code
        } catch {
            Issue.record("not an AuthorizationError: \(error)")
            return nil
        }
    }
}
