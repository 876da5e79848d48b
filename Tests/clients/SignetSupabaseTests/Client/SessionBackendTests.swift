// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabase
import SignetVaultTesting
import TestSupport
import Testing

struct SessionBackendTests {
    private static let invalid = "Invalid Refresh Token"
    private static let used = invalid + ": Already Used"

    /// S0-61, and everything that is **not** a definite refusal.
    static let refusals: [(Int, String, SessionError.Code)] = [
        (400, #"{"code":"session_not_found"}"#, .refused),
        (400, #"{"code":"session_expired"}"#, .refused),
        (400, #"{"code":"refresh_token_not_found"}"#, .refused),
        (400, #"{"code":"refresh_token_already_used"}"#, .refused),
        (401, #"{"code":"session_not_found"}"#, .refused),
        (400, #"{"code":400,"error_code":"refresh_token_not_found","msg":"m"}"#, .refused),
        // A definite refusal, but at a time when it must not be believed.
        (409, #"{"code":"session_not_found"}"#, .serverFailed),
        (429, #"{"code":"refresh_token_not_found"}"#, .rateLimited),
        (500, #"{"code":"refresh_token_already_used"}"#, .serverFailed),
        (502, "<html>", .serverFailed), (503, "", .serverFailed),
        (302, #"{"code":"session_not_found"}"#, .invalidAnswer),
        (200, #"{"code":"session_not_found"}"#, .invalidAnswer),
        (400, #"{"code":"user_banned"}"#, .refused),
        (403, #"{"code":"user_not_found"}"#, .refused),
        (403, #"{"code":403,"error_code":"user_not_found"}"#, .refused),
        // GoTrue's before November 2024.
        (400, #"{"error":"invalid_grant","error_description":"\#(used)"}"#, .refused),
        (400, #"{"error":"invalid_grant","error_description":"\#(invalid)"}"#, .refused),
        (
            400, #"{"error":"invalid_grant","error_description":"\#(invalid): User Banned"}"#,
            .refused
        ),
        (401, #"{"error":"invalid_grant","error_description":null}"#, .refused),
        (400, #"{"error":"invalid_grant","error_description":""}"#, .refused),
        (400, #"{"error":"invalid_grant"}"#, .refused),
        // Not certain.
        (400, #"{"error":"invalid_grant","error_description":"Already Used"}"#, .serverFailed),
        (
            400, #"{"error":"invalid_grant","error_description":"Invalid login credentials"}"#,
            .serverFailed
        ),
        (400, #"{"error":"invalid_grant","error_description":["\#(invalid)"]}"#, .serverFailed),
        (400, #"{"error":"invalid_grant","code":"captcha_failed"}"#, .serverFailed),
        (400, #"{"error":"invalid_grant","error_code":"unknown_to_us"}"#, .serverFailed),
        (400, #"{"error":"Invalid_grant","error_description":"\#(invalid)"}"#, .serverFailed),
        (
            400, #"{"error":"invalid_request","error_description":"refresh_token required"}"#,
            .serverFailed
        ),
        (400, #"{"error":["invalid_grant"]}"#, .serverFailed),
        (400, #"{"error":"invalid_grant","error":"invalid_grant"}"#, .invalidAnswer),
        (409, #"{"error":"invalid_grant"}"#, .serverFailed),
        (429, #"{"error":"invalid_grant"}"#, .rateLimited),
        (500, #"{"error":"invalid_grant"}"#, .serverFailed),
        (502, #"{"code":"user_banned"}"#, .serverFailed),
        (200, #"{"error":"invalid_grant"}"#, .invalidAnswer),
        (302, #"{"error":"invalid_grant"}"#, .invalidAnswer),
        (400, #"{"code":"validation_failed"}"#, .serverFailed),
        (400, #"{"error":"refresh_token_not_found"}"#, .serverFailed),
        (400, #"{"message":"refresh_token_not_found"}"#, .serverFailed),
        (400, #"{"code":"refresh_token_not_found"#, .invalidAnswer),
        (400, #"{"code":"refresh_token_not_found","code":"x"}"#, .invalidAnswer),
        (400, #"{"code":["refresh_token_not_found"]}"#, .serverFailed),
        (400, "refresh_token_not_found", .invalidAnswer), (400, "", .invalidAnswer),
        (401, #"{"message":"Invalid API key"}"#, .serverFailed), (404, "", .invalidAnswer),
    ]

    @Test("Only a definite refusal ends a session", arguments: refusals.indices)
    func onlyARefusalEndsASession(_ index: Int) async throws {
        let (status, body, wanted) = Self.refusals[index]
        let transport = FakeTransport(.status(status, ["Retry-After": "7"], body: body))
        let manager = try Self.manager(transport)
        try await manager.adopt(Self.grant())
        let token = try await manager.accessToken()
        let error = await failure { () async throws(SessionError) in
            _ = try await manager.afterUnauthorized(token)
        }
        #expect(error?.code == wanted)
        #expect(manager.state == .signedOut(.endedByServer) || wanted != .refused)
        if wanted != .refused, case .signedIn = manager.state {
        } else {
            #expect(wanted == .refused)
        }
        if wanted == .rateLimited { #expect(error?.retryAfter == .seconds(7)) }
    }

    @Test(
        "A network failure is never reported as a refusal",
        arguments: [
            (TransportFailure.Code.unreachable, SessionError.Code.unreachable),
            (.notTrusted, .unreachable), (.timedOut, .timedOut), (.bodyTooLarge, .invalidAnswer),
        ])
    func aNetworkEndsNoSession(
        _ given: TransportFailure.Code, _ wanted: SessionError.Code
    ) async throws {
        let auth = try Fixture.auth(FakeTransport(.failure(TransportFailure(given, ""))))
        let error = await failure { () async throws(SessionError) in
            _ = try await auth.refresh(RefreshToken("r"))
        }
        #expect(error?.code == wanted)
    }

    /// S1-30: a client holds no token, and two in one process do not mix.
    @Test("A refresh sends the token that it is given")
    func sendsTheTokenThatItIsGiven() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        _ = try await auth.refresh(RefreshToken("one"))
        _ = try await auth.refresh(RefreshToken("two"))
        #expect(
            transport.requests.all.map(\.text)
                == [#"{"refresh_token":"one"}"#, #"{"refresh_token":"two"}"#])
        #expect(transport.requests.all.allSatisfy { $0.url.query == "grant_type=refresh_token" })
        #expect(transport.requests.all.allSatisfy { $0.authorization == nil })
    }

    static let signOuts: [(Int, String, Bool)] = [
        (204, "", true), (200, "{}", true), (401, "", true), (404, "", true),
        (403, #"{"code":"session_not_found"}"#, true), (403, #"{"code":"user_not_found"}"#, true),
        (401, #"{"code":"no_authorization"}"#, true), (403, "<html>", true),
        (500, "", false), (429, "{}", false), (400, "{}", false), (302, "", false),
    ]

    /// S1-17.
    @Test(
        "A sign-out counts a forgotten session as ended, and reports other errors",
        arguments: signOuts.indices)
    func endsAtTheServer(_ index: Int) async throws {
        let (status, body, isEnded) = Self.signOuts[index]
        let transport = FakeTransport(.status(status, body: body))
        let manager = try Self.manager(transport)
        try await manager.adopt(Self.grant())
        let report = await manager.signOut()
        #expect(report.storeError == nil)
        #expect((report.serverError == nil) == isEnded)
        #expect(manager.state == .signedOut(.signedOutHere))
    }

    @Test(
        "An answer that does not mention the other devices does not confirm their end",
        arguments: [SignOutScope.all, .others])
    func theOthersMayStillBeThere(_ scope: SignOutScope) async throws {
        let token = try Fixture.token
        for (status, body, isEnded) in [
            (403, #"{"code":"session_not_found"}"#, false), (401, "", false), (404, "", false),
            (403, #"{"code":"bad_jwt"}"#, false), (403, #"{"code":"user_not_found"}"#, true),
        ] {
            let auth = try Fixture.auth(FakeTransport(.status(status, body: body)))
            let error = await failure { () async throws(SupabaseError) in
                try await auth.signOut(token, scope: scope)
            }
            #expect((error == nil) == isEnded)
        }
    }

    @Test("A sign-out names its scope")
    func namesTheScope() async throws {
        let transport = FakeTransport(.status(204))
        let auth = try Fixture.auth(transport)
        for scope in SignOutScope.allCases { try await auth.signOut(Fixture.token, scope: scope) }
        #expect(
            transport.requests.all.map(\.url.query) == [
                "scope=local", "scope=global", "scope=others",
            ])
        #expect(transport.requests.all.allSatisfy { $0.method == .post && $0.body == nil })
    }

    /// An expired access token is no reason to leave sessions at the server.
    @Test("Signing out with an expired access token refreshes it first")
    func exchangesATokenThatHasExpired() async throws {
        let transport = FakeTransport { request in
            switch request.url.path {
            case "/auth/v1/token": .body(Fixture.session(["access_token": "\"fresh\""]))
            case _ where request.authorization == "Bearer fresh": .status(204)
            default: .status(403, body: #"{"code":"bad_jwt","message":"expired"}"#)
            }
        }
        let manager = try Self.manager(transport)
        for scope in [SignOutScope.this, .all] {
            try await manager.adopt(Self.grant())
            #expect(await manager.signOut(scope).isComplete)
        }
        // The session continues, and its refresh token belongs to the manager.
        try await manager.adopt(Self.grant())
        transport.requests.removeAll()
        let report = await manager.signOut(.others)
        #expect(report.serverError != nil)
        #expect(transport.requests.all.map(\.url.path) == ["/auth/v1/logout"])
    }

    /// A ban suspends sessions at the server, and they go on when it ends: only the server's word
    /// counts as their end.
    @Test(
        "A ban does not count as the end of a session at the server",
        arguments: [
            (#"{"code":"user_banned"}"#, false), (#"{"code":"refresh_token_not_found"}"#, true),
            (#"{"code":"user_not_found"}"#, true),
            (#"{"error":"invalid_grant","error_description":"\#(used)"}"#, true),
            (#"{"error":"invalid_grant","error_description":"\#(invalid): User Banned"}"#, false),
            (#"{"error":"invalid_grant","error_description":"Email not confirmed"}"#, false),
        ])
    func aBanIsNoEndAtTheServer(_ body: String, _ isEnded: Bool) async throws {
        let transport = FakeTransport { request in
            request.url.path == "/auth/v1/token"
                ? .status(400, body: body) : .status(403, body: #"{"code":"bad_jwt"}"#)
        }
        let manager = try Self.manager(transport)
        try await manager.adopt(Self.grant())
        let report = await manager.signOut()
        #expect((report.serverError == nil) == isEnded)
        #expect(manager.state == .signedOut(.signedOutHere))
    }

    /// What a refused refresh token is called says nothing about other calls.
    @Test("A wrong password ends no session")
    func aWrongPasswordEndsNoSession() async throws {
        for body in [
            #"{"error":"invalid_grant","error_description":"Invalid login credentials"}"#,
            #"{"error":"invalid_grant"}"#, #"{"code":"user_banned"}"#,
        ] {
            let transport = FakeTransport(.status(400, body: body))
            let manager = try Self.manager(transport)
            try await manager.adopt(Self.grant())
            let auth = try Fixture.auth(transport)
            let phone = try Fixture.phone
            let error = await failure { () async throws(SupabaseError) in
                _ = try await auth.signIn(phone, password: "wrong")
            }
            #expect(error?.code == .refused)
            guard case .signedIn = manager.state else {
                Issue.record("\(manager.state)")
                continue
            }
        }
    }

    static func grant() throws -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken(Fixture.accessToken),
            refreshToken: RefreshToken(Fixture.refreshToken), lifetime: .seconds(3600),
            userID: Fixture.userID, profile: Fixture.user)
    }

    static func manager(_ transport: FakeTransport) throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        let clock = ManualClock()
        return try SessionManager(
            store: InMemoryStore(clock: clock.source), service: "abcdefgh.supabase.co",
            backend: Fixture.auth(transport), options: options, clock: clock.source)
    }
}
