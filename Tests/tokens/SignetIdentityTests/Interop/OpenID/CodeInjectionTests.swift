// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

/// An attacker puts a victim's code into their own sign-in, at a provider that accepts clients with
/// a secret without PKCE. IDENTITY.md says what stops them.
@Suite(
    "A code from another sign-in, with and without PKCE, at a real OpenID provider",
    .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)"), .timeLimit(.minutes(20)))
struct CodeInjectionTests {
    private let victim: SignInSteps
    private let attacker: SignInSteps

    init() async throws {
        let authentication = try await OpenIDProviderTests.authentication("basic")
        victim = try await SignInSteps(clientID: "basic", authentication)
        attacker = try await SignInSteps(clientID: "basic", authentication)
    }

    private func code(of flow: SignInSteps, _ pkce: PKCE.Use) async throws -> AuthorizationCode {
        // The metadata lists S256, so a request without it is not made.
        let request = try AuthorizationRequest(
            endpoint: #require(flow.metadata.authorizationEndpoint), clientID: flow.clientID,
            redirectURI: OpenIDProvider.redirectURI, state: flow.state, nonce: .used(flow.nonce),
            pkce: pkce)
        return try flow.callback(await flow.browse(request)).code
    }

    private func exchange(_ code: AuthorizationCode, _ pkce: PKCE.Use) async throws
        -> TokenEndpointResponse
    {
        try await attacker.endpoint().exchange(
            code, redirectURI: OpenIDProvider.redirectURI, pkce: pkce)
    }

    @Test("Without PKCE the provider redeems it, and the nonce reveals it")
    func nonce() async throws {
        let tokens = try await exchange(code(of: victim, .notUsed), .notUsed)
        let idToken = try #require(tokens.idToken)
        await #expect(throws: IdentityError(.nonceMismatch, claim: "nonce", "")) {
            try await attacker.verifier().verify(idToken, nonce: .raw(attacker.nonce.exposedText))
        }
        let own = try await victim.verifier().verify(idToken, nonce: .raw(victim.nonce.exposedText))
        #expect(own.subject == "alice")
    }

    @Test("With PKCE in either sign-in the provider refuses it")
    func pkce() async throws {
        let bound = try await code(of: victim, .used(victim.pkce))
        #expect(await SignInSteps.refusal { try await exchange(bound, .notUsed) }?.code == .refused)
        let again = try await code(of: victim, .used(victim.pkce))
        #expect(
            await SignInSteps.refusal { try await exchange(again, .used(attacker.pkce)) }?.code
                == .refused)
        // A request whose challenge was taken out (RFC 9700, section 4.8).
        let unbound = try await code(of: victim, .notUsed)
        #expect(
            await SignInSteps.refusal { try await exchange(unbound, .used(attacker.pkce)) }?.code
                == .refused)
    }
}
