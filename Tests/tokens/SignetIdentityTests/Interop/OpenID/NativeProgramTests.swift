// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import Testing

extension OpenIDProviderTests {
    private static func backend(_ metadata: ProviderMetadata) throws -> OAuthBackend {
        OAuthBackend(try token(metadata), revocation: metadata.revocationEndpoint) { _ in "alice" }
    }

    private static func token(_ metadata: ProviderMetadata) throws -> TokenEndpoint {
        try TokenEndpoint(
            provider: metadata, clientID: "public", authentication: .none,
            transport: CurlTransport.curl, timeout: SignInSteps.timeout)
    }

    private static func metadata() async throws -> ProviderMetadata {
        try await ProviderMetadata.fetch(
            issuer: EndpointURL(OpenIDProvider.shared.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
    }

    @Test("A native program at Authlib's server gets its loopback answer, refreshes and revokes")
    func nativeProgram() async throws {
        let metadata = try await Self.metadata()
        let signIn = try LoopbackSignIn(
            .openID(issuer: metadata.issuer, clientIDs: ["public"]), transport: .curl,
            options: SignInSteps.options)
        let done = try await signIn.run { address in
            // The browser follows its redirects while the program waits.
            Task {
                let target = try await OpenIDProvider.visit(address)
                let location = try await OpenIDProvider.visit(target)
                let page = try await CurlTransport.curl.exchange(
                    TransportRequest(
                        url: EndpointURL(location), accept: "text/html",
                        timeout: SignInSteps.timeout))
                #expect(page.status == 200 && page.values(of: "Cache-Control") == ["no-store"])
            }
        }
        #expect(done.identity.subject == "alice")
        let backend = try Self.backend(metadata)
        let manager = try SessionManager(
            store: InMemoryStore(), service: "authlib", backend: backend, clock: .peers)
        let grant = try backend.grant(of: done.tokens)
        try await manager.adopt(grant)
        #expect(await manager.signOut().isComplete, "Authlib has revoked the token")
        let token = try #require(grant.refreshToken)
        await #expect(throws: SessionError(.refused, "")) { try await backend.refresh(token) }
        // An unknown token is not an error (RFC 7009, section 2.2).
        try await Self.token(metadata).revoke(
            refreshToken: token.exposedText, at: #require(metadata.revocationEndpoint))
    }

    @Test("A device at Authlib's server waits for approval or denial", arguments: [true, false])
    func device(_ approves: Bool) async throws {
        let metadata = try await Self.metadata()
        let device = try DeviceAuthorization(
            endpoint: #require(metadata.deviceAuthorizationEndpoint), token: Self.token(metadata),
            clock: .peers)
        let code = try await device.begin()
        #expect(code.verificationURI.text == metadata.issuer + "/device")
        let waiting = Task { try await device.tokens(for: code) }
        try await Task.sleep(for: .milliseconds(1500))
        try await OpenIDProvider.shared.answer(code.userCode, approving: approves)
        guard approves else {
            let error = await #expect(throws: AuthorizationError.self) { try await waiting.value }
            #expect(error?.refusal?.registeredError == "access_denied")
            return
        }
        let tokens = try await waiting.value
        let verifier = try IDTokenVerifier(
            .openID(issuer: metadata.issuer, clientIDs: ["public"]),
            keys: .fetched(over: CurlTransport.curl), options: SignInSteps.options)
        let identity = try await verifier.verify(#require(tokens.idToken), nonce: .none)
        #expect(identity.subject == "alice")
        let grant = try Self.backend(metadata).grant(of: tokens)
        let refresh = try #require(grant.refreshToken)
        #expect(try await Self.backend(metadata).refresh(refresh).userID == "alice")
    }
}
