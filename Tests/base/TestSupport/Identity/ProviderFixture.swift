// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
package import SignetJOSE
package import Testing

/// A provider, the key that it signs with, and the claims of a token as it writes them.
package struct ProviderFixture: Sendable, CustomTestStringConvertible {
    package let name: String
    package var provider: IdentityProvider
    package let key: ProviderKey
    package let claims: TestClaimSet
    package var nonce: NonceExpectation
    /// Where its shape is from.
    package var source: TokenSource
    /// The header's `typ`.
    package var type: String?

    package init(
        name: String, provider: IdentityProvider, key: ProviderKey, claims: TestClaimSet,
        nonce: NonceExpectation = .none, source: TokenSource = .knowledge, type: String? = "JWT"
    ) {
        self.name = name
        self.provider = provider
        self.key = key
        self.claims = claims
        self.nonce = nonce
        self.source = source
        self.type = type
    }

    package static let now = 1_800_000_000
    package static let times = (issued: "1799999940", expires: "1800003540")

    package var testDescription: String { name }

    package func options(at now: Int = now) -> TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = .fixed(secondsSince1970: Double(now))
        return options
    }

    package func verifier(at now: Int = now, keys: KeySet? = nil) throws -> IDTokenVerifier {
        try IDTokenVerifier(provider, keys: .inHand(keys ?? key.set), options: options(at: now))
    }

    package func token(_ edits: [String: String?] = [:], header: String? = nil) throws -> String {
        try key.token(claims.changing(edits).json, header: header)
    }

    package func identity(_ edits: [String: String?] = [:], at now: Int = now) async throws
        -> VerifiedIdentity
    {
        try await verifier(at: now).verify(token(edits), nonce: nonce)
    }

    /// With other settings of the program.
    package func with(_ change: (inout IdentityProvider) -> Void) -> ProviderFixture {
        var copy = self
        change(&copy.provider)
        return copy
    }

    /// Verifies a changed token and compares the outcome with the case.
    package func check(_ one: ClaimCase, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let verifier = try verifier()
        let token = try token(one.edits)
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(token, nonce: nonce)
        }
        #expect(
            error?.code == one.code, "\(name), \(one.name): \(error?.description ?? "accepted")",
            sourceLocation: sourceLocation)
        if let claim = one.claim {
            #expect(error?.claim == claim, "\(name), \(one.name)", sourceLocation: sourceLocation)
        }
    }

    /// Whether one of its claims names the kind of token, and so must be there.
    package var namesKind: Bool { ["typ", "token_use", "tfp"].contains { claims[$0] != nil } }

    package static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    package static let otherTenant = "11111111-2222-3333-4444-555555555555"
    package static let object = "00000000-0000-0000-66f3-3332eca7ea81"
    package static let user = "8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55"
}

/// Where the shape of a token is from. Facts only: the tokens are made, and signed with keys of
/// ours, in the tests.
package enum TokenSource: Sendable, Hashable {
    /// A page of the provider's documentation, or a standard.
    case documentation(String)
    /// Source or tests of the provider's server, or of a client library.
    case library(String)
    /// What is known of the provider; no published source was found.
    case knowledge
}
