// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("SignIn: losses and late errors")
struct SignInLossTests {
    static func signIn(
        _ provider: IdentityProvider, _ stub: StubProvider, _ keeping: SignIn.Keeping,
        redirectURI: String = StubProvider.redirectURI
    ) throws -> SignIn {
        try SignIn(
            provider, authentication: .clientSecretPost("secret"), redirectURI: redirectURI,
            keeping: keeping, transport: stub, options: .still)
    }

    @Test(
        "A callback at another SignIn of the same store does not use up the sign-in"
    )
    func sharedStore() async throws {
        let (store, stub) = (MemorySignInStore(clock: .still), try StubProvider())
        let right = try Self.signIn(SignInConfigurationTests.openID(), stub, .store(store))
        let begun = try await right.begin()
        let query = try stub.signIn(begun.url)
        let wrong = try [
            Self.signIn(
                .openID(
                    issuer: StubProvider.issuer + "/", clientIDs: [StubProvider.client],
                    algorithms: [.es256]),
                StubProvider(issuer: StubProvider.issuer + "/"), .store(store)),
            Self.signIn(
                .openID(issuer: StubProvider.issuer, clientIDs: ["other"], algorithms: [.es256]),
                stub,
                .store(store)),
            Self.signIn(
                SignInConfigurationTests.openID(), stub, .store(store),
                redirectURI: StubProvider.redirectURI + "2"),
        ]
        for (index, wrong) in wrong.enumerated() {
            let code = try await SignInTests.code {
                try await wrong.finish(query: query, ticket: begun.ticket)
            }
            #expect(code == "notPending", "\(index)")
        }
        let code = try await SignInTests.code {
            try await right.finish(query: query, ticket: begun.ticket)
        }
        #expect(code == "signed in")
    }

    @Test("A token endpoint that is gone is looked for once in 30 s, and no code is sent twice")
    func movedEndpoint() async throws {
        let (stub, time) = (try StubProvider(), Locked(Duration.zero))
        var options = TokenVerificationOptions.still
        options.keySet.clock = .still(elapsed: { time.withLock { $0 } })
        let signIn = try SignInConfigurationTests.signIn(
            SignInConfigurationTests.openID(), stub, keeping: .cookie(sealedWith: SignInTests.key),
            options)
        func attempt() async throws -> String {
            let begun = try await signIn.begin()
            let query = try stub.signIn(begun.url)
            return try await SignInTests.code {
                try await signIn.finish(query: query, ticket: begun.ticket)
            }
        }
        let metadata = "/.well-known/openid-configuration"
        #expect(try await attempt() == "signed in")
        // Those of the verifier's keys are counted, too.
        let count = stub.requests(metadata)
        // A refused code says nothing about the endpoint.
        stub.state.withLock { $0.codes = [:] }
        let begun = try await signIn.begin()
        let query = try stub.signIn(begun.url)
        stub.state.withLock { $0.codes = [:] }
        let refused = try await SignInTests.code {
            try await signIn.finish(query: query, ticket: begun.ticket)
        }
        #expect(refused == "refused" && stub.requests(metadata) == count)
        // 404, with the metadata still the earlier ones.
        stub.state.withLock { $0.outages = ["/token"] }
        for _ in 0..<3 { #expect(try await attempt() == "unavailable") }
        while stub.requests(metadata) < count + 1 { await Task.yield() }
        #expect(stub.requests(metadata) == count + 1)
        stub.state.withLock { $0.tokenPath = "/oauth/token" }
        #expect(try await attempt() == "unavailable")
        time.withLock { $0 = .seconds(31) }
        #expect(try await attempt() == "unavailable")
        while stub.requests(metadata) < count + 2 { await Task.yield() }
        var outcome = try await attempt()
        // The answer arrives beside the sign-ins.
        while outcome == "unavailable" { outcome = try await attempt() }
        #expect(outcome == "signed in" && stub.requests(metadata) == count + 2)
        #expect(stub.requests("/oauth/token") == 1)
    }

    @Test(
        "Unreachable keys cost no pending sign-in",
        arguments: SignInTests.Kept.allCases)
    func keyOutage(_ kept: SignInTests.Kept) async throws {
        let (stub, time) = (try StubProvider(), Locked(Duration.zero))
        var options = TokenVerificationOptions.still
        options.keySet.clock = .still(elapsed: { time.withLock { $0 } })
        let signIn = try SignInConfigurationTests.signIn(
            SignInConfigurationTests.openID(), stub, keeping: kept.keeping, options)
        let begun = try await signIn.begin()
        let query = try stub.signIn(begun.url)
        stub.state.withLock { $0.outages = ["/keys"] }
        let during = try await SignInTests.code {
            try await signIn.finish(query: query, ticket: begun.ticket)
        }
        #expect(during == "keySourceUnavailable" && stub.requests("/token") == 0)
        stub.state.withLock { $0.outages = [] }
        time.withLock { $0 = .seconds(60) }
        let after = try await SignInTests.code {
            try await signIn.finish(query: query, ticket: begun.ticket)
        }
        #expect(after == "signed in")
    }

    @Test(
        "An ID token for another of the clients is refused (Core 3.1.3.7, step 3)"
    )
    func otherClient() async throws {
        let stub = try StubProvider()
        let provider = try IdentityProvider.openID(
            issuer: StubProvider.issuer, clientIDs: [StubProvider.client, "app"],
            algorithms: [.es256])
        let signIn = try Self.signIn(provider, stub, SignInConfigurationTests.keeping)
        for (audience, wanted) in [("app", "audienceMissing"), (StubProvider.client, "signed in")] {
            stub.state.withLock {
                $0.idToken = { stub, nonce in
                    try TokenSigner(key: stub.key, clock: .still).sign(
                        StubProvider.Claims(
                            iss: StubProvider.issuer, aud: audience, sub: "user", nonce: nonce),
                        lifetime: .seconds(3_600))
                }
            }
            let begun = try await signIn.begin()
            let query = try stub.signIn(begun.url)
            let code = try await SignInTests.code {
                try await signIn.finish(query: query, ticket: begun.ticket)
            }
            #expect(code == wanted, "\(audience)")
        }
    }

    @Test(
        "An unusable client secret is refused before anyone signs in",
        arguments: [0, 8_193])
    func secret(_ count: Int) throws {
        let stub = try StubProvider()
        let text = String(repeating: "s", count: count)
        for authentication in [
            ClientAuthentication.clientSecretPost(text), .clientSecretBasic(text),
        ] {
            #expect(throws: IdentityConfigurationError(.invalidSecret, ""), "\(authentication)") {
                _ = try SignInConfigurationTests.signIn(
                    SignInConfigurationTests.openID(), stub, authentication)
            }
        }
    }

    @Test(
        "Fetch limits out of range are refused for a provider with a secret too")
    func limits() throws {
        let stub = try StubProvider()
        let secret = try HMACKey(secret: SignInTests.key, algorithm: .hs256)
        let line = try IdentityProvider.line(channelIDs: ["1234567890"], secret: secret)
        for timeout in [Duration.zero, .seconds(61)] {
            var options = TokenVerificationOptions.still
            options.keySet.timeout = timeout
            #expect(throws: IdentityConfigurationError(.outOfRange, ""), "\(timeout)") {
                _ = try SignInConfigurationTests.signIn(line, stub, .clientSecretPost("s"), options)
            }
        }
    }

    @Test("While the metadata is unreachable, a flood of sign-ins does not reach the provider")
    func metadataFlood() async throws {
        let (stub, time) = (try StubProvider(), Locked(Duration.zero))
        let path = "/.well-known/openid-configuration"
        var options = TokenVerificationOptions.still
        options.keySet.clock = .still(elapsed: { time.withLock { $0 } })
        let signIn = try SignInConfigurationTests.signIn(
            SignInConfigurationTests.openID(), stub, .none, options)
        stub.state.withLock { $0.outages = [path] }
        for _ in 0..<100 {
            await #expect(throws: SignInError.metadata(KeySourceError(.unreachable, ""))) {
                try await signIn.begin()
            }
        }
        #expect(stub.requests(path) == 1)
        stub.state.withLock { $0.outages = [] }
        time.withLock { $0 = .seconds(1) }
        _ = try await signIn.begin()
    }

    @Test(
        "The kept text is returned byte for byte", arguments: SignInTests.Kept.allCases,
        [
            "\n\n\n\n\n", "\r\n", "\0", "\u{301}\u{301}e\u{301}", "",
            String(repeating: "\u{301}", count: 128),
        ])
    func kept(_ kept: SignInTests.Kept, _ text: String) async throws {
        let stub = try StubProvider()
        let signIn = try Self.signIn(SignInConfigurationTests.openID(), stub, kept.keeping)
        let begun = try await signIn.begin(applicationState: text)
        let done = try await signIn.finish(query: stub.signIn(begun.url), ticket: begun.ticket)
        #expect(done.applicationState.utf8.elementsEqual(text.utf8))
    }
}
