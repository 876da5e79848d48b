// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabase
import SignetVault
import TestSupport
import Testing

/// Whole lives of a session, over a real connection, in a real vault, with a server that follows
/// the published behaviour of GoTrue.
@Suite(
    "Sessions from sign-in to their end, with a real vault and connection",
    .enabled(if: KeyServer.isAvailable || KeyServer.isRequired))
struct LifeTests {
    static let number = "14155551234"

    /// A server, a vault and a clock.
    struct Installation {
        let server: GoTrueServer
        let folder: VaultFolder
        let clock = ManualClock()

        init(_ server: GoTrueServer) throws {
            self.server = server
            folder = try VaultFolder()
            _ = try folder.vault()
        }

        /// As another start of the program has it.
        func manager(refreshesAhead: Bool = false) throws -> SessionManager {
            var options = SessionOptions()
            options.refreshesAhead = refreshesAhead
            options.requestTimeout = .seconds(120)
            return try SessionManager(
                store: folder.another(), service: "supabase.example", backend: server.auth(),
                options: options, clock: clock.source)
        }

        func pass(_ seconds: Int) async throws {
            clock.advance(by: .seconds(seconds))
            try await server.advance(by: seconds)
        }

        /// A phone, a code, a session.
        func signIn(_ manager: SessionManager) async throws {
            let auth = try server.auth()
            let phone = SupabaseDestination.phone(try PhoneNumber("+" + LifeTests.number))
            try await auth.sendCode(to: phone)
            let code = try await server.code(to: LifeTests.number)
            try await manager.adopt(auth.verify(code, sentTo: phone))
        }
    }

    /// S0-1, S0-35, S0-36, S0-64.
    @Test("A session by phone is kept over restarts, refreshed in time and ended")
    func byPhoneOverRelaunches() async throws {
        let fixture = try Installation(await GoTrueServer())
        let auth = try fixture.server.auth()
        let phone = try Fixture.phone

        let first = try fixture.manager()
        #expect(await first.start() == .signedOut(.noSession))
        try await auth.sendCode(to: phone)
        // S0-60: a wrong code, and then the right one.
        let right = try await fixture.server.code(to: Self.number)
        let wrong = try OneTimeCode(right.exposedText == "000000" ? "000001" : "000000")
        let refused = await failure { () async throws(SupabaseError) in
            _ = try await auth.verify(wrong, sentTo: phone)
        }
        #expect(refused?.userMessage == "Invalid code. Please try again.")
        // S0-59: too soon.
        let early = await failure { () async throws(SupabaseError) in
            try await auth.sendCode(to: phone)
        }
        #expect(early?.code == .rateLimited)
        try await first.adopt(auth.verify(right, sentTo: phone))

        // The token is one that a server takes.
        let claims = try await fixture.server.verifier().verify(first.accessToken().exposedText)
        #expect(claims.phone?.withoutPlus == Self.number)

        // Restarted: the user is known before the network answers.
        let second = try fixture.manager()
        guard case .signedIn(let user) = await second.start() else {
            Issue.record("the session did not survive")
            return
        }
        #expect(user.id == claims.userID)
        #expect(try SupabaseUser(profile: user.profile ?? "").phone == claims.phone)

        // Weeks of use, each time by another start of the program.
        var token = try await second.accessToken()
        for _ in 0..<5 {
            try await fixture.pass(3_400)
            let manager = try fixture.manager()
            let next = try await manager.accessToken()
            #expect(next != token)
            #expect(try await auth.user(next).id == user.id)
            token = next
        }
        #expect(try await fixture.server.counts().counts["POST /auth/v1/token"] == 5)

        // Signed out here and at the server; after a restart the user is a guest.
        #expect(await second.signOut().isComplete)
        #expect(try await fixture.server.counts().sessions == 0)
        #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
        let gone = await failure { () async throws(SupabaseError) in _ = try await auth.user(token)
        }
        #expect(gone?.serverCode == .sessionNotFound)
    }

    /// S0-36.
    @Test("Several programs on one vault refresh once per period and share the token")
    func severalProgramsExchangeOnce() async throws {
        let fixture = try Installation(await GoTrueServer())
        try await fixture.signIn(fixture.manager())
        for period in 1...3 {
            try await fixture.pass(3_400)
            let managers = try (0..<4).map { _ in try fixture.manager() }
            let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
                for manager in managers { group.addTask { try await manager.accessToken() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tokens.allSatisfy { $0 == tokens.first })
            #expect(try await fixture.server.counts().counts["POST /auth/v1/token"] == period)
        }
    }

    /// The parent of the active token gets the active one again, even much later.
    @Test("A lost answer to a refresh costs no session")
    func anAnswerThatWasLostCostsNothing() async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        try await fixture.pass(3_500)
        try await fixture.server.loseAnswer()
        // The old one stays valid for a while.
        _ = try await manager.accessToken()
        try await fixture.pass(600)
        let token = try await manager.accessToken()
        #expect(try await fixture.server.auth().user(token).phone?.withoutPlus == Self.number)
        #expect(
            try await fixture.server.counts().counts["refused refresh_token_already_used"] == nil)
    }

    /// S0-16, S0-39, S1-15.
    @Test("Anything but a definite refusal leaves the session")
    func failuresLeaveTheSession() async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        let failures: [(Int, String)] = [
            (500, "{}"), (502, "<html>"), (429, "{}"), (409, #"{"code":"conflict"}"#),
            (400, #"{"code":"refresh_token_not_found"#), (200, "{}"), (404, ""),
            (400, #"{"error":"invalid_grant","error_description":"Invalid login credentials"}"#),
            (301, ""), (401, #"{"message":"key"}"#),
        ]
        try await fixture.pass(3_700)
        for (status, body) in failures {
            try await fixture.server.fail("/token", status, body)
            #expect(await Self.code(manager) != nil)
            #expect(manager.state != .signedOut(.endedByServer))
            try await fixture.pass(120)
        }
        #expect(await Self.code(manager) == nil)
    }

    /// V9.10: a banned person, and one of a GoTrue without codes, are not asked to wait for ever.
    @Test(
        "A banned or refused person is signed out, and may sign in again",
        arguments: [
            nil,
            #"{"error":"invalid_grant","error_description":"Invalid Refresh Token: Already Used"}"#,
        ])
    func aShutOutPersonIsSignedOut(_ answer: String?) async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        try await fixture.pass(3_700)
        if let answer {
            try await fixture.server.fail("/token", 400, answer)
        } else {
            try await fixture.server.ban(Self.number, true)
        }
        #expect(await Self.code(manager) == .refused)
        #expect(manager.state == .signedOut(.endedByServer))
        try await fixture.server.ban(Self.number, false)
        try await fixture.signIn(manager)
        #expect(await Self.code(manager) == nil)
    }

    /// S0-61: one device is signed out by another, or its token was stolen and used.
    @Test("A session that another device ended is signed out here")
    func aRefusalEndsTheSession() async throws {
        let fixture = try Installation(await GoTrueServer())
        let (here, there) = (try fixture.manager(), try Installation(fixture.server))
        try await fixture.signIn(here)
        try await fixture.server.advance(by: 61)
        let elsewhere = try there.manager()
        try await there.signIn(elsewhere)
        #expect(await elsewhere.signOut(.others).isComplete)
        #expect(try await fixture.server.counts().sessions == 1)
        try await fixture.pass(3_700)
        #expect(await Self.code(here) == .refused)
        #expect(here.state == .signedOut(.endedByServer))
        #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
        // The other one continues.
        there.clock.advance(by: .seconds(3_700))
        #expect(await Self.code(elsewhere) == nil)
    }

    /// S1-17.
    @Test("Without the server, signing out still ends the local session")
    func signsOutWithoutTheServer() async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        fixture.server.stop()
        let report = await manager.signOut()
        #expect(report.storeError == nil)
        #expect(report.serverError?.code == .unreachable)
        #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
    }

    /// The access token has expired at the server.
    @Test("Signing out after a long pause ends all sessions at the server")
    func signsOutWithATokenThatHasExpired() async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        try await fixture.pass(10_000)
        #expect(await manager.signOut(.all).isComplete)
        #expect(try await fixture.server.counts().sessions == 0)
    }

    /// S1-18.
    @Test("A deleted account has no session, and a restart begins as a guest")
    func deletesTheAccount() async throws {
        let fixture = try Installation(await GoTrueServer())
        let manager = try fixture.manager()
        try await fixture.signIn(manager)
        let route = try EndpointURL(fixture.server.origin + "/v1/auth/me")
        let api = try BearerClient(
            manager: manager, transport: CurlTransport.curl, origins: [route])
        let token = try await manager.accessToken()
        let request = TransportRequest(url: route, method: .delete, timeout: .seconds(60))
        #expect(try await api.send(request).status == 204)
        // The server no longer knows the user, which counts as ended.
        #expect(await manager.signOut(.all).isComplete)
        #expect(try await fixture.server.counts().users == 0)
        #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
        let auth = try fixture.server.auth()
        let gone = await failure { () async throws(SupabaseError) in _ = try await auth.user(token)
        }
        #expect(gone?.userMessage == "Account not found. Please sign up.")
        let again = await failure { () async throws(APIError) in try await api.send(request) }
        #expect(again?.code == .notSignedIn)
    }

    @Test("A guest who adds an address stays the same user")
    func aGuestGetsAnAddress() async throws {
        let server = try await GoTrueServer()
        let auth = try server.auth()
        let guest = try await auth.signInAnonymously(metadata: ["theme": "dark"])
        #expect(try await auth.user(guest.accessToken).isAnonymous)
        #expect(try await server.verifier().verify(guest.accessToken.exposedText).isAnonymous)
        var change = SupabaseUserChange()
        change.phone = try PhoneNumber("+" + Self.number)
        _ = try await auth.update(change, with: guest.accessToken)
        let grant = try await auth.verify(
            server.code(to: Self.number), sentTo: Fixture.phone, purpose: .change)
        #expect(grant.userID == guest.userID)
        #expect(try await !auth.user(grant.accessToken).isAnonymous)
    }

    @Test("A password signs in after confirmation, and can be changed or recovered")
    func byPassword() async throws {
        let server = try await GoTrueServer()
        let auth = try server.auth(hasAlwaysConfirmedEmail: true)
        let email = try Fixture.email
        guard case .needsConfirmation = try await auth.signUp(email, password: "correct horse")
        else {
            Issue.record("the address counts as confirmed")
            return
        }
        let code = try await server.code(to: "ann@company.example")
        let grant = try await auth.verify(code, sentTo: email, purpose: .signUp)
        #expect(try await auth.emailClaims(of: grant.accessToken).evidence == .verifiedAddress)
        #expect(try await auth.signIn(email, password: "correct horse").userID == grant.userID)
        let wrong = await failure { () async throws(SupabaseError) in
            _ = try await auth.signIn(email, password: "wrong")
        }
        #expect(wrong?.serverCode == .invalidCredentials)
        // A new one, with the code that the project asks for.
        var change = SupabaseUserChange()
        change.password = "battery staple"
        let bare = await failure { () async throws(SupabaseError) in
            _ = try await auth.update(change, with: grant.accessToken)
        }
        #expect(bare?.serverCode == .reauthenticationNeeded)
        try await auth.reauthenticate(grant.accessToken)
        change.nonce = try await server.code(to: "ann@company.example")
        _ = try await auth.update(change, with: grant.accessToken)
        #expect(try await auth.signIn(email, password: "battery staple").userID == grant.userID)
        // Forgotten.
        try await server.advance(by: 61)
        try await auth.sendRecovery(to: Mailbox("ann@company.example"))
        let recovery = try await server.code(to: "ann@company.example")
        #expect(
            try await auth.verify(recovery, sentTo: email, purpose: .recovery).userID
                == grant.userID)
        let bob = SupabaseDestination.email(try Mailbox("bob@company.example"))
        let weak = await failure { () async throws(SupabaseError) in
            _ = try await auth.signUp(bob, password: "x")
        }
        #expect(weak?.serverCode == .weakPassword)
    }

    /// S3-47.
    @Test("An address that may be another company's is signed out, and never stored")
    func anotherCompanyIsTurnedAway() async throws {
        let server = try await GoTrueServer(autoconfirm: true)
        let auth = try server.auth(hasAlwaysConfirmedEmail: true)
        guard
            case .signedIn(let grant) = try await auth.signUp(
                Fixture.email, password: "correct horse")
        else {
            Issue.record("the address has to be confirmed")
            return
        }
        let policy = try BusinessEmailPolicy(allowing: ["company.example"])
        let claims = try await auth.emailClaims(of: grant.accessToken)
        // The address counts as confirmed, though it never was.
        #expect(policy.verdict(for: claims) == .unverified)
        try await auth.signOut(grant.accessToken, scope: .this)
        #expect(try await server.counts().sessions == 0)
    }

    /// S0-3.
    @Test("A browser signs in to a loopback address and to an app, once per code")
    func byBrowser() async throws {
        let server = try await GoTrueServer()
        let auth = try server.auth()
        for redirect in [BrowserTests.loopback, BrowserTests.app] {
            let (address, signIn) = try auth.authorization(
                provider: "github", redirectTo: redirect, schemes: BrowserTests.schemes)
            let callback = try await server.visit(address)
            let grant = try await auth.exchange(url: callback, of: signIn)
            #expect(try await auth.user(grant.accessToken).email == "ann@company.example")
            // Once.
            let again = await failure { () async throws(SupabaseError) in
                _ = try await auth.exchange(url: callback, of: signIn)
            }
            #expect(again?.code == .refused)
        }
        // S3-5: the person says no.
        let (address, signIn) = try auth.authorization(
            provider: "deny", redirectTo: BrowserTests.loopback)
        let callback = try await server.visit(address)
        let refused = await failure { () async throws(SupabaseError) in
            _ = try await auth.exchange(url: callback, of: signIn)
        }
        #expect(refused?.code == .signInRefused)
        // An attacker's code in a victim's sign-in: PKCE's verifier is another.
        let attacker = try auth.authorization(
            provider: "github", redirectTo: BrowserTests.app, schemes: BrowserTests.schemes)
        let victim = try auth.authorization(
            provider: "github", redirectTo: BrowserTests.app, schemes: BrowserTests.schemes)
        let stolen = try await server.visit(attacker.url)
        let injected = await failure { () async throws(SupabaseError) in
            _ = try await auth.exchange(url: stolen, of: victim.signIn)
        }
        #expect(injected?.serverCode == GoTrueCode("bad_code_verifier"))
    }

    private static func code(_ manager: SessionManager) async -> SessionError.Code? {
        await failure { () async throws(SessionError) in _ = try await manager.accessToken() }?.code
    }
}
