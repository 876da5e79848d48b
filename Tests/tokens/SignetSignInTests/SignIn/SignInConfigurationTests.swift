// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("SignIn: providers, metadata and stores", .timeLimit(.minutes(20)))
struct SignInConfigurationTests {
    static let keeping = SignIn.Keeping.cookie(sealedWith: SignInTests.key)

    static func openID(_ change: (inout CodeFlow) -> Void = { _ in }) throws -> IdentityProvider {
        var provider = try IdentityProvider.openID(
            issuer: StubProvider.issuer, clientIDs: [StubProvider.client], algorithms: [.es256])
        var flow = try #require(provider.codeFlow)
        change(&flow)
        provider.codeFlow = flow
        return provider
    }

    static func signIn(
        _ provider: IdentityProvider, _ transport: StubProvider,
        _ authentication: ClientAuthentication = .clientSecretBasic("secret"),
        keeping: SignIn.Keeping = Self.keeping, _ options: TokenVerificationOptions = .still
    ) throws -> SignIn {
        try SignIn(
            provider, authentication: authentication, redirectURI: StubProvider.redirectURI,
            keeping: keeping, transport: transport, options: options)
    }

    @Test("Sign-in works with providers without PKCE and, like LinkedIn, without a nonce")
    func leftOut() async throws {
        let stub = try StubProvider()
        for usesNonce in [true, false] {
            let provider = try Self.openID { ($0.usesPKCE, $0.usesNonce) = (false, usesNonce) }
            let signIn = try Self.signIn(provider, stub)
            let begun = try await signIn.begin()
            #expect(
                !begun.url.contains("code_challenge") && begun.url.contains("nonce=") == usesNonce)
            let done = try await signIn.finish(query: stub.signIn(begun.url), ticket: begun.ticket)
            #expect(done.identity.subject == "user")
            // PKCE only with a client secret.
            #expect(throws: IdentityConfigurationError(.contradiction, "")) {
                try Self.signIn(provider, stub, .none)
            }
        }
        // The metadata says that it supports PKCE.
        let other = try StubProvider(metadata: ",\"code_challenge_methods_supported\":[\"S256\"]")
        await #expect(
            throws: SignInError.configuration(IdentityConfigurationError(.contradiction, ""))
        ) {
            try await Self.signIn(try Self.openID { $0.usesPKCE = false }, other).begin()
        }
    }

    @Test("An answer by POST works: the cookie comes with the provider's page")
    func formPost() async throws {
        let stub = try StubProvider()
        let signIn = try Self.signIn(try Self.openID { $0.responseMode = .formPost }, stub)
        let begun = try await signIn.begin()
        #expect(begun.url.contains("&response_mode=form_post"))
        #expect(
            begun.setCookie.contains("; SameSite=None;") && begun.setCookie.contains("; Secure;"))
    }

    @Test("Invalid configurations are refused when made")
    func refused() throws {
        let stub = try StubProvider()
        let wrong: [(String, IdentityConfigurationError.Code, () throws -> SignIn)] = [
            (
                "Firebase", .contradiction,
                { try Self.signIn(.firebase(projectID: "project-1"), stub) }
            ),
            ("Supabase", .contradiction, { try Self.signIn(.supabase(projectRef: "abc"), stub) }),
            (
                "no openid", .contradiction,
                { try Self.signIn(Self.openID { $0.scopes = ["email"] }, stub) }
            ),
            (
                "a scope", .invalidIdentifier,
                { try Self.signIn(Self.openID { $0.scopes += ["a b"] }, stub) }
            ),
            (
                "a short key", .invalidSecret,
                {
                    try Self.signIn(
                        Self.openID(), stub,
                        keeping: .cookie(sealedWith: SecretKey(copying: [1, 2])))
                }
            ),
            (
                "an old short key", .invalidSecret,
                {
                    try Self.signIn(
                        Self.openID(), stub,
                        keeping: .cookie(
                            sealedWith: SignInTests.key, previous: [SecretKey(copying: [1, 2])]))
                }
            ),
            (
                "a redirect URI", .invalidURL,
                {
                    try SignIn(
                        Self.openID(), authentication: .none, redirectURI: "http://app.example/",
                        keeping: Self.keeping, transport: stub, options: .still)
                }
            ),
        ]
        for (what, code, make) in wrong {
            #expect(throws: IdentityConfigurationError(code, ""), "\(what)") { _ = try make() }
        }
    }

    @Test(
        "The callback's issuer (RFC 9207) must be the provider's, where promised"
    )
    func issuer() async throws {
        let promise = ",\"authorization_response_iss_parameter_supported\":true"
        for (metadata, suffix, wanted) in [
            ("", "", "signed in"), ("", "&iss=https%3A%2F%2Faccounts.example", "signed in"),
            ("", "&iss=https%3A%2F%2Fother.example", "issuerMismatch"),
            (promise, "", "issuerMissing"),
            (promise, "&iss=https%3A%2F%2Faccounts.example", "signed in"),
            ("", "&error=access_denied", "malformed"),
        ] {
            let stub = try StubProvider(metadata: metadata)
            let signIn = try Self.signIn(Self.openID(), stub)
            let begun = try await signIn.begin()
            let query = try stub.signIn(begun.url) + suffix
            let code = try await SignInTests.code {
                try await signIn.finish(query: query, ticket: begun.ticket)
            }
            #expect(code == wanted, "\(metadata) \(suffix)")
        }
    }

    @Test("A hundred callers share one metadata fetch, and an outage costs no pending sign-in")
    func metadata() async throws {
        let stub = try StubProvider()
        let (path, time) = ("/.well-known/openid-configuration", Locked(Duration.zero))
        var options = TokenVerificationOptions.still
        options.keySet.clock = .still(elapsed: { time.withLock { $0 } })
        let signIn = try Self.signIn(
            Self.openID(), stub, keeping: .store(MemorySignInStore(clock: .still)), options)
        stub.state.withLock { $0.outages = [path] }
        await #expect(throws: SignInError.metadata(KeySourceError(.unreachable, ""))) {
            try await signIn.begin()
        }
        // What can never succeed is refused as such during the outage too.
        await #expect(throws: SignInError.authorization(AuthorizationError(.tooLarge, ""))) {
            try await signIn.begin(applicationState: String(repeating: "k", count: 257))
        }
        stub.state.withLock { $0.outages = [] }
        time.withLock { $0 = .seconds(1) }
        let before = stub.requests(path)
        let begun = try await withThrowingTaskGroup(of: SignIn.Begun.self) { group in
            for _ in 0..<100 { group.addTask { try await signIn.begin() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(stub.requests(path) == before + 1)
        // An hour later it is fetched in the background, a day later it is waited for.
        stub.state.withLock { $0.outages = [path] }
        let pending = try #require(begun.first)
        time.withLock { $0 = .seconds(3_601) }
        for _ in 0..<50 { _ = try await signIn.begin() }
        while stub.requests(path) < before + 2 { await Task.yield() }
        #expect(stub.requests(path) == before + 2)
        time.withLock { $0 = .seconds(86_401) }
        let query = try stub.signIn(pending.url)
        let code = try await SignInTests.code {
            try await signIn.finish(query: query, ticket: pending.ticket)
        }
        #expect(code == "unreachable")
        stub.state.withLock { $0.outages = [] }
        time.withLock { $0 = .seconds(86_402) }
        #expect(
            try await signIn.finish(query: query, ticket: pending.ticket).identity.subject == "user"
        )
    }

    struct BrokenStore: SignInStore {
        struct Failure: Error {}

        func keep(_ record: [UInt8], named name: String, forSeconds seconds: Int) async throws {
            throw Failure()
        }

        func take(_ name: String) async throws -> [UInt8]? { throw Failure() }
    }

    @Test("A failing store is 503 and reported as such")
    func store() async throws {
        let stub = try StubProvider()
        let signIn = try Self.signIn(Self.openID(), stub, keeping: .store(BrokenStore()))
        let error = SignInError.authorization(AuthorizationError(.storeUnavailable, ""))
        do {
            _ = try await signIn.begin()
            Issue.record("began")
        } catch {
            guard case .authorization(let told) = error.cause else { throw error }
            #expect(told == AuthorizationError(.storeUnavailable, ""))
            #expect(told.underlying is BrokenStore.Failure && !told.description.contains("Failure"))
        }
        let good = try Self.signIn(
            Self.openID(), stub, keeping: .store(MemorySignInStore(clock: .still)))
        let begun = try await good.begin()
        await #expect(throws: error) {
            try await signIn.finish(query: stub.signIn(begun.url), ticket: begun.ticket)
        }
        #expect(HTTPRefusal(error) == .unavailable && !error.shouldBeginAgain)
    }

    @Test("A store in memory forgets a sign-in after its time, by its clock")
    func forgetting() async {
        let clock = ManualClock()
        let store = MemorySignInStore(clock: clock.source)
        await store.keep([1], named: "a", forSeconds: 600)
        await store.keep([2], named: "b", forSeconds: 600)
        clock.advance(by: .milliseconds(599_999))
        #expect(await store.take("a") == [1])
        clock.advance(by: .milliseconds(1))
        #expect(await store.take("b") == nil)
    }

    @Test("A store in memory makes room for the newest, and gives each record once")
    func memory() async {
        let store = MemorySignInStore(maximumCount: 10, clock: .still)
        for number in 0..<1_000 {
            await store.keep([UInt8(number % 256)], named: "n\(number)", forSeconds: 600)
        }
        for number in 0..<990 { #expect(await store.take("n\(number)") == nil) }
        for number in 990..<1_000 {
            #expect(await store.take("n\(number)") == [UInt8(number % 256)])
        }
        for number in 990..<1_000 { #expect(await store.take("n\(number)") == nil) }
        await store.keep([1], named: "over", forSeconds: 0)
        #expect(await store.take("over") == nil)
    }

    @Test("Several tabs work, with at most eight cookies found by their states")
    func tabs() async throws {
        let stub = try StubProvider()
        let signIn = try Self.signIn(Self.openID(), stub)
        var jar: [Substring: (Substring, SignIn.Begun)] = [:]
        for _ in 0..<200 {
            let begun = try await signIn.begin(applicationState: String(repeating: "k", count: 256))
            let pair = SignInFixture.cookie(begun.setCookie).split(separator: "=")
            jar[try #require(pair.first)] = (try #require(pair.last), begun)
        }
        #expect(jar.count == 8)
        let field = jar.map { "\($0.key)=\($0.value.0)" }.joined(separator: "; ")
        print("sign-in cookies of eight tabs: \(field.utf8.count) bytes")
        #expect(field.utf8.count < 5_120)
        await #expect(throws: SignInError.authorization(AuthorizationError(.tooLarge, ""))) {
            try await signIn.begin(applicationState: String(repeating: "k", count: 257))
        }
        for (number, tab) in jar.values.enumerated() {
            let query = try stub.signIn(tab.1.url, code: "code-\(number)")
            #expect(
                try await signIn.finish(query: query, cookies: field).identity.subject == "user")
        }
    }

    @Test("Printing shows no code, token, ticket or secret")
    func redacted() async throws {
        let stub = try StubProvider()
        let signIn = try Self.signIn(Self.openID(), stub, .clientSecretPost("client-secret"))
        let begun = try await signIn.begin(applicationState: "kept-text")
        let done = try await signIn.finish(
            query: stub.signIn(begun.url, code: "the-code"), ticket: begun.ticket)
        var shown = ""
        for value in [signIn, begun, done] as [Any] {
            dump(value, to: &shown)
            shown += "\(value) \(String(reflecting: value))"
        }
        let state = begun.url.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst(6)
        for secret in [
            "client-secret", begun.ticket, "the-code", "at-secret", String(try #require(state)),
        ] {
            #expect(!shown.contains(secret), "\(secret.prefix(8))")
        }
    }
}
