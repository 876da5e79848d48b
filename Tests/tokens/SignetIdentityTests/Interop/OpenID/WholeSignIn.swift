// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// `SignIn` as an application uses it, at a real provider. ``SignInSteps`` tests what goes wrong
/// between its steps.
struct WholeSignIn {
    let issuer: String
    let signIn: SignIn

    /// - Parameter keeping: nil for a store in memory.
    init(
        issuer: String, clientID: String, _ authentication: ClientAuthentication,
        algorithm: SignatureAlgorithm = .rs256, scopes: [String] = ["openid"],
        redirectURI: String = OpenIDProvider.redirectURI, keeping: SignIn.Keeping? = nil,
        decryption: IDTokenVerifier.Decryption = .notOffered,
        options: TokenVerificationOptions = SignInSteps.options
    ) throws {
        var provider = try IdentityProvider.openID(
            issuer: issuer, clientIDs: [clientID], algorithms: [algorithm])
        provider.codeFlow?.scopes = scopes
        self.issuer = issuer
        signIn = try SignIn(
            provider, authentication: authentication, redirectURI: redirectURI,
            keeping: keeping ?? .store(MemorySignInStore(clock: .peers)), transport: .curl,
            decryption: decryption, options: options)
    }

    /// The address for the browser, and its cookie.
    func begin() async throws -> (address: String, cookies: String) {
        let begun = try await signIn.begin(applicationState: "/inbox")
        return (begun.url, SignInFixture.cookie(begun.setCookie))
    }

    /// Who came back, by the query of the redirect URI.
    func finish(query: String, cookies: String) async throws -> SignIn.Finished {
        let finished = try await signIn.finish(query: query, cookies: cookies)
        #expect(finished.applicationState == "/inbox")
        return finished
    }

    /// From begin to end, through a browser that reports where it was sent.
    func signIn(_ visit: (String) async throws -> String) async throws -> SignIn.Finished {
        let (address, cookies) = try await begin()
        return try await finish(query: Self.query(try await visit(address)), cookies: cookies)
    }

    static func query(_ location: String) throws -> String {
        String(try #require(location.split(separator: "?", maxSplits: 1).last))
    }
}
