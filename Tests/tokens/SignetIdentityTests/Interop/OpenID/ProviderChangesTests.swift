// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// What providers do between two sign-ins. The same ``WholeSignIn`` continues with its cached keys.
@Suite(
    "A real OpenID provider that changes and fails between sign-ins", .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)"), .timeLimit(.minutes(20)))
struct ProviderChangesTests {
    @Test("After a rotation the next sign-in works, and an old token is refused")
    func rotation() async throws {
        let provider = try await OpenIDProvider()
        let clock = ManualClock()
        let flow = try Self.flow(provider, clock)
        let before = try await flow.signIn(OpenIDProvider.visit)
        try await provider.rotateKeys()
        let after = try await flow.signIn(OpenIDProvider.visit)
        #expect(after.identity.subject == before.identity.subject)
        #expect(after.identity.keyID == "rsa-2")
        // Each time: no cooldown turns people away.
        try await provider.rotateKeys()
        #expect(try await flow.signIn(OpenIDProvider.visit).identity.keyID == "rsa-3")
        let idToken = try #require(before.tokens.idToken)
        await #expect(throws: IdentityError(.unknownKid, "")) {
            try await Self.verifier(provider, clock).verify(idToken)
        }
    }

    @Test(
        "Keys are found at a new address, whether the old one is empty or outdated",
        arguments: [false, true])
    func movedKeys(leavingCopy: Bool) async throws {
        let provider = try await OpenIDProvider()
        let flow = try Self.flow(provider, ManualClock())
        _ = try await flow.signIn(OpenIDProvider.visit)
        try await provider.moveKeys(to: "/jwks/2", leavingCopy: leavingCopy)
        try await provider.rotateKeys()
        #expect(try await flow.signIn(OpenIDProvider.visit).identity.keyID == "rsa-2")
        try await provider.rotateKeys()
        #expect(try await flow.signIn(OpenIDProvider.visit).identity.keyID == "rsa-3")
    }

    @Test("With the provider down: 503, cached keys verify, and new keys work once it is back")
    func gone() async throws {
        let provider = try await OpenIDProvider()
        let clock = ManualClock()
        let flow = try Self.flow(provider, clock)
        let (address, cookies) = try await flow.begin()
        let query = try WholeSignIn.query(try await OpenIDProvider.visit(address))
        let (verifier, idToken, nonce) = try await Self.held(provider, clock)
        _ = try await flow.signIn(OpenIDProvider.visit)

        provider.stop()
        // Its endpoints are known: people can begin, and get no further.
        _ = try await flow.begin()
        #expect(await Self.status { try await flow.finish(query: query, cookies: cookies) } == 503)
        let stranger = try Self.flow(provider, clock)
        #expect(await Self.status { try await stranger.begin() } == 503)
        _ = try await verifier.verify(idToken, nonce: nonce)
        // Past their lifetime, too.
        clock.advance(by: .seconds(3_000))
        _ = try await verifier.verify(idToken, nonce: nonce)
        // A verifier without keys.
        let cold = try Self.verifier(provider, clock)
        for _ in 0..<2 {
            #expect(await Self.status { try await cold.verify(idToken, nonce: nonce) } == 503)
        }

        let successor = try await OpenIDProvider(port: provider.port, generation: 2)
        #expect(successor.issuer == provider.issuer)
        _ = try await stranger.signIn(OpenIDProvider.visit)
        // What Retry-After has said.
        clock.advance(by: .seconds(1))
        #expect(try await flow.signIn(OpenIDProvider.visit).identity.keyID == "rsa-2")
        let (_, newToken, newNonce) = try await Self.held(successor, clock)
        _ = try await cold.verify(newToken, nonce: newNonce)
    }

    @Test("A provider that never answers: 503, and cached keys verify")
    func silent() async throws {
        let provider = try await OpenIDProvider()
        let clock = ManualClock()
        let flow = try Self.flow(provider, clock)
        let (verifier, idToken, nonce) = try await Self.held(provider, clock)
        var hasty = SignInSteps.options
        hasty.keySet.timeout = .milliseconds(200)
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(provider.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
        let endpoint = try TokenEndpoint(
            provider: metadata, clientID: "public", authentication: .none,
            transport: CurlTransport.curl,
            timeout: .milliseconds(200))
        let cold = try Self.verifier(provider, options: hasty)
        try await provider.whileStopped {
            _ = try await verifier.verify(idToken, nonce: nonce)
            await #expect(throws: IdentityError(.keySourceUnavailable, "")) {
                try await cold.verify(idToken, nonce: nonce)
            }
            await #expect(throws: AuthorizationError(.unavailable, "")) {
                try await endpoint.exchange(
                    AuthorizationCode("a-code"), redirectURI: OpenIDProvider.redirectURI,
                    pkce: .used(PKCE()))
            }
        }
        #expect(try await flow.signIn(OpenIDProvider.visit).identity.subject == "alice")
    }

    private static func flow(_ provider: OpenIDProvider, _ clock: ManualClock) throws -> WholeSignIn
    {
        try WholeSignIn(issuer: provider.issuer, clientID: "public", .none, options: options(clock))
    }

    /// Pauses and lifetimes pass when a test says so.
    private static func options(_ clock: ManualClock) -> TokenVerificationOptions {
        var options = SignInSteps.options
        options.keySet.clock = clock.source
        return options
    }

    private static func verifier(
        _ provider: OpenIDProvider, _ clock: ManualClock
    ) throws -> IDTokenVerifier {
        try verifier(provider, options: options(clock))
    }

    private static func verifier(
        _ provider: OpenIDProvider, options: TokenVerificationOptions
    ) throws -> IDTokenVerifier {
        try IDTokenVerifier(
            .openID(issuer: provider.issuer, clientIDs: ["public"]),
            keys: .fetched(over: CurlTransport.curl),
            options: options)
    }

    /// A verifier with the provider's cached keys, and a token with its nonce.
    private static func held(
        _ provider: OpenIDProvider, _ clock: ManualClock
    ) async throws -> (IDTokenVerifier, idToken: String, nonce: NonceExpectation) {
        let steps = try await SignInSteps(
            issuer: provider.issuer, clientID: "public", .none, algorithm: .rs256)
        let idToken = try #require(try await steps.exchange(steps.code()).idToken)
        let verifier = try verifier(provider, clock)
        let nonce = NonceExpectation.raw(steps.nonce.exposedText)
        _ = try await verifier.verify(idToken, nonce: nonce)
        return (verifier, idToken, nonce)
    }

    /// What a server answers on the way back; nil if all is well.
    private static func status<Value>(_ body: () async throws -> Value) async -> Int? {
        do {
            _ = try await body()
            return nil
        } catch {
            return HTTPRefusal(error).status
        }
    }
}
