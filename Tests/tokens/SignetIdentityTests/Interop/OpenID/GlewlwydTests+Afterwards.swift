// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import TestSupport
import Testing

extension GlewlwydTests {
    @Test("Userinfo, introspection and revocation work", arguments: variants)
    func afterwards(_ variant: Variant) async throws {
        let provider = try await Self.provider.value
        let flow = try await WholeSignIn(
            issuer: Self.issuer(variant), clientID: variant.clientID, variant.authentication,
            algorithm: variant.algorithm, keeping: .cookie(sealedWith: SecretKey.generate()))
        let finished = try await flow.signIn(provider.visit)
        let info = try await flow.signIn.userInfo(of: finished)
        #expect(info.subject == finished.identity.subject && info.name == "Alice")
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(flow.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
        let introspection = try TokenIntrospection(
            AccessTokenProfile(issuer: flow.issuer, audience: .boundByIssuer),
            at: #require(metadata.introspectionEndpoint), clientID: variant.clientID,
            authentication: variant.authentication, transport: CurlTransport.curl,
            timeout: SignInSteps.timeout, options: SignInSteps.options)
        let access = try #require(finished.tokens.accessToken)
        let token = try await introspection.verify(access)
        #expect(token.clientID == variant.clientID)
        #expect(try #require(token.expiration) > #require(token.issuedAt))
        let refresh = try #require(finished.tokens.refreshToken)
        let kind = await reason { () async throws(IdentityError) in
            try await introspection.verify(refresh)
        }
        // It follows the hint and does not find its own access tokens.
        #expect(kind?.code == .inactive)
        try await TokenEndpoint(
            provider: metadata, clientID: variant.clientID, authentication: variant.authentication,
            transport: CurlTransport.curl, timeout: SignInSteps.timeout
        ).revoke(accessToken: access, at: #require(metadata.revocationEndpoint))
        let error = await reason { () async throws(IdentityError) in
            try await introspection.verify(access)
        }
        #expect(error?.code == .inactive)
    }

    @Test(
        "A session is refreshed; an empty 400, its answer to everything, ends none",
        arguments: variants)
    func session(_ variant: Variant) async throws {
        let provider = try await Self.provider.value
        let flow = try await WholeSignIn(
            issuer: Self.issuer(variant), clientID: variant.clientID, variant.authentication,
            algorithm: variant.algorithm, keeping: .cookie(sealedWith: SecretKey.generate()))
        let finished = try await flow.signIn(provider.visit)
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(flow.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
        let endpoint = try TokenEndpoint(
            provider: metadata, clientID: variant.clientID, authentication: variant.authentication,
            transport: CurlTransport.curl, timeout: SignInSteps.timeout)
        let subject = finished.identity.subject
        let backend = OAuthBackend(endpoint, revocation: metadata.revocationEndpoint) { _ in
            subject
        }
        let clock = ManualClock()
        let manager = try SessionManager(
            store: InMemoryStore(clock: clock.source), service: "glewlwyd", backend: backend,
            clock: clock.source)
        let grant = try backend.grant(of: finished.tokens)
        try await manager.adopt(grant)
        var seen = Set([grant.accessToken.exposedText])
        for _ in 0..<5 {
            clock.advance(by: .seconds(3600))
            #expect(seen.insert(try await manager.accessToken().exposedText).inserted)
        }
        let token = try #require(grant.refreshToken)
        try await endpoint.revoke(
            refreshToken: token.exposedText, at: #require(metadata.revocationEndpoint))
        clock.advance(by: .seconds(3600))
        // It says the same to a wrong secret and to an unknown grant, which end no session.
        await #expect(throws: SessionError(.invalidAnswer, "")) { try await manager.accessToken() }
        #expect(manager.state.isSignedIn)
        #expect(await manager.signOut().isComplete)
    }
}
