// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCurl
import SignetEmail
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSession
import SignetSignIn
import SignetSupabase
import SignetVault
import TestSupport
import Testing

/// S0-64: Signet's own client and Signet's own service, from a code by phone to the end of the
/// account, over a real connection and in a real vault.
@Suite(
    "Signet's own client against this service",
    .enabled(if: KeyServer.isAvailable || KeyServer.isRequired))
struct OwnClientTests {
    private static let phone = SupabaseDestination.phone

    private struct Fixture {
        let front: Front
        let auth: SupabaseAuth
        let folder: VaultFolder

        init(change: @escaping (inout GoTrueOptions) throws -> Void = { _ in }) async throws {
            front = try await Front(change: change)
            auth = try SupabaseAuth(
                SupabaseProject(url: EndpointURL(front.origin)), publishableKey: Scene.key,
                transport: CurlTransport.curl, timeout: .seconds(60))
            folder = try VaultFolder()
            _ = try folder.vault()
        }

        /// As another start of the program has it.
        func manager(_ clock: TimeSource = .still) throws -> SessionManager {
            var options = SessionOptions()
            options.refreshesAhead = false
            options.requestTimeout = .seconds(120)
            return try SessionManager(
                store: folder.another(), service: "signet.example", backend: auth,
                options: options, clock: clock)
        }

        func code(_ destination: String) async throws -> OneTimeCode {
            try OneTimeCode(try #require(await front.scene.code(to: destination)))
        }
    }

    @Test("A client signs in by phone, restarts, refreshes and deletes the account")
    func byPhone() async throws {
        let fixture = try await Fixture()
        let phone = SupabaseDestination.phone(try PhoneNumber("+" + Scene.phone))
        let clock = ManualClock()
        let first = try fixture.manager(clock.source)
        #expect(await first.start() == .signedOut(.noSession))
        try await fixture.auth.sendCode(to: phone)
        let right = try await fixture.code("+" + Scene.phone)
        let wrong = try OneTimeCode(right.exposedText == "000000" ? "000001" : "000000")
        let refused = await supabaseError {
            try await fixture.auth.verify(wrong, sentTo: phone)
        }
        #expect(refused?.userMessage == "Invalid code. Please try again.")
        try await first.adopt(fixture.auth.verify(right, sentTo: phone))
        // Four an hour, for an address that signed in.
        for _ in 0..<3 { try await fixture.auth.sendCode(to: phone) }
        let fifth = await supabaseError { try await fixture.auth.sendCode(to: phone) }
        #expect(fifth?.code == .rateLimited && fifth?.retryAfter != nil)

        // What a server reads from the token, by the keys that the service publishes.
        let verifier = try SupabaseTokenVerifier(
            fixture.auth.project, keys: .fetched(over: CurlTransport.curl), options: .still)
        let claims = try await verifier.verify(first.accessToken().exposedText)
        #expect(claims.phone?.withoutPlus == Scene.phone && claims.sessionID != nil)
        #expect(claims.assuranceLevel == .aal1 && !claims.isAnonymous)

        let second = try fixture.manager(clock.source)
        guard case .signedIn(let user) = await second.start() else {
            Issue.record("the session did not survive")
            return
        }
        #expect(user.id == claims.userID)
        let token = try await second.accessToken()
        clock.advance(by: .seconds(3_500))
        let next = try await second.accessToken()
        #expect(next != token)
        #expect(try await fixture.auth.user(next).id == user.id)

        let route = try EndpointURL(fixture.front.origin + "/v1/auth/me")
        let api = try BearerClient(
            manager: second, transport: CurlTransport.curl, origins: [route])
        let request = TransportRequest(url: route, method: .delete, timeout: .seconds(60))
        #expect(try await api.send(request).status == 204)
        #expect(await second.signOut(.all).isComplete)
        let gone = await supabaseError { try await fixture.auth.user(next) }
        #expect(gone?.userMessage == "Account not found. Please sign up.")
        #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
    }

    @Test("A reused token ends the session in our client too")
    func reuse() async throws {
        let fixture = try await Fixture()
        let phone = SupabaseDestination.phone(try PhoneNumber("+" + Scene.phone))
        try await fixture.auth.sendCode(to: phone)
        let grant = try await fixture.auth.verify(fixture.code("+" + Scene.phone), sentTo: phone)
        let token = try #require(grant.refreshToken)
        let next = try await fixture.auth.refresh(token)
        // A lost answer costs nothing.
        #expect(try await fixture.auth.refresh(token).refreshToken == next.refreshToken)
        try await fixture.front.scene.pass(61)
        // However late.
        let late = try await fixture.auth.refresh(token).refreshToken
        #expect(late != next.refreshToken)
        _ = try await fixture.auth.refresh(try #require(next.refreshToken))
        for token in [try #require(late), token, try #require(next.refreshToken)] {
            do throws(SessionError) {
                _ = try await fixture.auth.refresh(token)
                Issue.record("the token was good")
            } catch { #expect(error.code == .refused) }
        }
    }

    @Test("A guest adds a number, a password and a provider, and signs the others out")
    func ways() async throws {
        let fixture = try await Fixture()
        let auth = fixture.auth
        let guest = try await auth.signInAnonymously(metadata: ["theme": "dark"])
        #expect(try await auth.user(guest.accessToken).isAnonymous)
        var change = SupabaseUserChange()
        change.phone = try PhoneNumber("+" + Scene.phone)
        _ = try await auth.update(change, with: guest.accessToken)
        let phone = SupabaseDestination.phone(try PhoneNumber("+" + Scene.phone))
        let grown = try await auth.verify(
            fixture.code("+" + Scene.phone), sentTo: phone, purpose: .change)
        #expect(grown.userID == guest.userID)

        let email = SupabaseDestination.email(try Mailbox(Scene.email))
        guard case .needsConfirmation = try await auth.signUp(email, password: "correct horse")
        else {
            Issue.record("the address counts as confirmed")
            return
        }
        let ann = try await auth.verify(
            fixture.code(Scene.email), sentTo: email, purpose: .signUp)
        #expect(try await auth.signIn(email, password: "correct horse").userID == ann.userID)
        let wrong = await supabaseError { try await auth.signIn(email, password: "wrong") }
        #expect(wrong?.serverCode == .invalidCredentials)
        try await auth.sendRecovery(to: Mailbox(Scene.email))
        let recovered = try await auth.verify(
            fixture.code(Scene.email), sentTo: email, purpose: .recovery)
        change = SupabaseUserChange()
        change.password = "battery staple"
        _ = try await auth.update(change, with: recovered.accessToken)
        let again = try await auth.signIn(email, password: "battery staple")
        try await auth.signOut(again.accessToken, scope: .others)
        let ended = await supabaseError { try await auth.user(recovered.accessToken) }
        #expect(ended?.serverCode == .sessionNotFound)

        let nonce = try AuthorizationNonce()
        let token = try fixture.front.scene.provider.idToken("dora", nonce: nonce.sha256Hex())
        let dora = try await auth.signIn(idToken: token, provider: "keycloak", nonce: nonce)
        #expect(try await auth.user(dora.accessToken).email == nil)
        for other in [nil, try AuthorizationNonce()] {
            let refused = await supabaseError {
                try await auth.signIn(idToken: token, provider: "keycloak", nonce: other)
            }
            #expect(refused?.code == .refused)
        }
        let settings = try await auth.settings()
        #expect(settings.mailerAutoconfirm == false && settings.providers.contains("keycloak"))
    }

    @Test("The token of a link signs in, once")
    func byLink() async throws {
        let fixture = try await Fixture { $0.linkPage = Scene.redirect }
        try await fixture.auth.sendCode(to: .email(try Mailbox(Scene.email)))
        let token = try await fixture.front.scene.linkToken()
        let grant = try await fixture.auth.verify(tokenHash: token)
        #expect(try await fixture.auth.user(grant.accessToken).email == Scene.email)
        let again = await supabaseError { try await fixture.auth.verify(tokenHash: token) }
        #expect(again?.userMessage == "Invalid code. Please try again.")
    }

    @Test("A browser signs in to a listening program and to an app")
    func byBrowser() async throws {
        let fixture = try await Fixture()
        let scene = fixture.front.scene
        for redirect in ["http://127.0.0.1:49152/callback", "app.example:/callback"] {
            let (address, signIn) = try fixture.auth.authorization(
                provider: "keycloak", redirectTo: redirect)
            let query = String(try #require(address.split(separator: "?", maxSplits: 1).last))
            let begun = try await scene.call("GET /authorize?" + query)
            let answer = try scene.provider.visit(
                try #require(begun.field("Location")), subject: "emil")
            let back = try await scene.call(
                "GET /callback/keycloak?" + answer,
                fields: [("Cookie", BrowserCallTests.cookie(begun))])
            let callback = try #require(back.field("Location"))
            let grant = try await fixture.auth.exchange(url: callback, of: signIn)
            #expect(try await !fixture.auth.user(grant.accessToken).isAnonymous)
            // The answer was lost.
            let again = try await fixture.auth.exchange(url: callback, of: signIn)
            #expect(again.refreshToken == grant.refreshToken)
            try await scene.pass(60)
            let late = await supabaseError {
                try await fixture.auth.exchange(url: callback, of: signIn)
            }
            #expect(late?.code == .refused)
        }
    }
}

/// The error of a client's call; nil for none, and for one of another kind.
func supabaseError<Value>(_ body: () async throws -> Value) async -> SupabaseError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? SupabaseError }
}
