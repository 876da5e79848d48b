// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import TestSupport
import Testing

@Suite("Revocation, and a token endpoint's Retry-After")
struct RevocationTests {
    private static func endpoint(_ transport: FakeTransport) throws -> TokenEndpoint {
        try TokenEndpoint(
            url: EndpointURL("https://idp.example/token"), clientID: "cli",
            authentication: .clientSecretPost("s3cret"), transport: transport)
    }

    private static func backend(
        _ transport: FakeTransport, revokes: Bool = true
    ) throws -> OAuthBackend {
        let place = revokes ? try EndpointURL("https://idp.example/revoke") : nil
        return OAuthBackend(try endpoint(transport), revocation: place) { _ in "user-1" }
    }

    /// What a sign-out reports, of a session with these tokens.
    private static func signOut(
        _ transport: FakeTransport, _ scope: SignOutScope = .this,
        refreshToken: String? = "rt-secret",
        revokes: Bool = true
    ) async throws -> (SessionError?, SessionState) {
        var options = SessionOptions()
        options.refreshesAhead = false
        let manager = try SessionManager(
            store: InMemoryStore(), service: "s", backend: backend(transport, revokes: revokes),
            options: options, clock: .still)
        try await manager.adopt(
            SessionGrant(
                accessToken: AccessToken("at-secret"),
                refreshToken: refreshToken.map { try RefreshToken($0) }, lifetime: .seconds(3600),
                userID: "user-1"))
        let report = await manager.signOut(scope)
        #expect(report.storeError == nil)
        return (report.serverError, manager.state)
    }

    private static func body(_ request: TransportRequest?) -> String {
        String(decoding: request?.body?.bytes ?? [], as: UTF8.self)
    }

    @Test("The refresh token is revoked, else the access token (RFC 7009, section 2.1)")
    func revoked() async throws {
        let transport = FakeTransport(.status(200))
        let (error, state) = try await Self.signOut(transport)
        #expect(error == nil && state == .signedOut(.signedOutHere))
        #expect(
            Self.body(transport.requests.all.last)
                == "token=rt-secret&token_type_hint=refresh_token&client_id=cli&client_secret=s3cret"
        )
        #expect(transport.requests.all.last?.url.text == "https://idp.example/revoke")
        _ = try await Self.signOut(transport, refreshToken: nil)
        #expect(
            Self.body(transport.requests.all.last).hasPrefix(
                "token=at-secret&token_type_hint=access_token&"))
        #expect(transport.count == 2, "one call each")
    }

    @Test("An unsupported sign-out is reported, and the local session has ended")
    func unsupported() async throws {
        let transport = FakeTransport(.status(200))
        let none = try await Self.signOut(transport, revokes: false)
        #expect(none.0?.code == .unsupported && none.1 == .signedOut(.signedOutHere))
        #expect(transport.count == 0)
        let all = try await Self.signOut(transport, .all)
        #expect(all.0?.code == .unsupported && all.1 == .signedOut(.signedOutHere))
        #expect(transport.count == 1, "the session here is ended at the server")
        let others = try await Self.signOut(transport, .others)
        #expect(others.0?.code == .unsupported && transport.count == 1)
        guard case .signedIn = others.1 else { return #expect(Bool(false), "it goes on here") }
    }

    @Test("A failed revocation is reported, and the local session has ended")
    func failures() async throws {
        let json = ["Content-Type": "application/json"]
        let cases: [(FakeTransport.Answer, SessionError.Code)] = [
            (.status(500), .serverFailed), (.status(503), .serverFailed),
            (.status(429, ["Retry-After": "9"]), .rateLimited),
            (.failure(TransportFailure(.unreachable, "")), .unreachable),
            (.status(302), .invalidAnswer), (.status(404), .invalidAnswer),
            (.status(400, json, body: #"{"error":"unsupported_token_type"}"#), .unsupported),
            (.status(401, json, body: #"{"error":"invalid_client"}"#), .serverFailed),
        ]
        for (answer, code) in cases {
            let (error, state) = try await Self.signOut(FakeTransport(answer))
            #expect(error?.code == code && state == .signedOut(.signedOutHere), "\(answer)")
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test(
        "Retry-After is read as seconds or a date, up to an hour, or else ignored",
        arguments: [
            ("7", 7), ("0", 0), ("3600", 3600), ("999999999", 3600), ("9999999999", nil),
            ("-1", nil), ("+7", nil), ("7.5", nil), ("", nil),
            ("Fri, 31 Dec 1999 23:59:59 GMT", 10), ("Sat, 01 Jan 2000 00:10:00 GMT", 611),
            ("Fri, 31 Dec 1999 23:59:48 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 3600),
            ("Wed, 30 Feb 2000 00:00:00 GMT", nil), ("Fri, 31 Dec 1999 24:00:00 GMT", nil),
            ("Fri, 31 dec 1999 23:59:59 GMT", nil), ("Fri, 31 Dec 1999 23:59:59 UTC", nil),
            ("Friday, 31-Dec-99 23:59:59 GMT", nil), ("Fri, 31 Dec 1999 23:59:59 GMT ", nil),
            ("٧", nil),
        ] as [(String, Int?)])
    func retryAfter(_ text: String, _ seconds: Int?) async throws {
        for (status, code) in [(429, SessionError.Code.rateLimited), (503, .serverFailed)] {
            let transport = FakeTransport(
                .status(
                    status, ["retry-after": text, "date": "Fri, 31 Dec 1999 23:59:49 GMT"]))
            let backend = try Self.backend(transport)
            let error = await #expect(throws: SessionError.self) {
                try await backend.refresh(RefreshToken("rt"))
            }
            #expect(error?.code == code && error?.retryAfter == seconds.map { .seconds($0) })
            let exchange = await #expect(throws: AuthorizationError.self) {
                try await Self.endpoint(transport).refresh("rt")
            }
            #expect(exchange?.code == .unavailable && exchange?.status == status)
        }
    }
}
