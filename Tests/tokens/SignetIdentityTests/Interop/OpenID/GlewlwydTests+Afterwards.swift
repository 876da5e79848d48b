// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetSignIn
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
}
