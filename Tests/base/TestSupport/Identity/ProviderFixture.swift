// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import Testing

/// A provider, the key that it signs with, and the claims of a token as it writes them.
struct ProviderFixture: Sendable, CustomTestStringConvertible {
    let name: String
    var provider: IdentityProvider
    let key: ProviderKey
    let claims: TestClaimSet
    var nonce = NonceExpectation.none
    /// Where its shape is from.
    var source = TokenSource.knowledge
    /// The header's `typ`.
    var type: String? = "JWT"

    static let now = 1_800_000_000
    static let times = (issued: "1799999940", expires: "1800003540")

    var testDescription: String { name }

    func options(at now: Int = now) -> TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = .fixed(secondsSince1970: Double(now))
        return options
    }

    func verifier(at now: Int = now, keys: KeySet? = nil) throws -> IDTokenVerifier {
        try IDTokenVerifier(provider, keys: .inHand(keys ?? key.set), options: options(at: now))
    }

    func token(_ edits: [String: String?] = [:], header: String? = nil) throws -> String {
        try key.token(claims.changing(edits).json, header: header)
    }

    func identity(_ edits: [String: String?] = [:], at now: Int = now) async throws
        -> VerifiedIdentity
    {
        try await verifier(at: now).verify(token(edits), nonce: nonce)
    }

    /// With other settings of the program.
    func with(_ change: (inout IdentityProvider) -> Void) -> ProviderFixture {
        var copy = self
        change(&copy.provider)
        return copy
    }

    /// Verifies a changed token and compares the outcome with the case.
    func check(_ one: ClaimCase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
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

    /// The fixtures of all presets, from `Fixtures`. Entra's with version 1 is not among them: it
    /// takes the tokens of version 2 as well.
    static func all() throws -> [ProviderFixture] {
        try ProviderTokens.all().filter { $0.name != "entra 1" }.compactMap(\.signIn)
    }

    /// Whether one of its claims names the kind of token, and so must be there.
    var namesKind: Bool { ["typ", "token_use", "tfp"].contains { claims[$0] != nil } }

    static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    static let otherTenant = "11111111-2222-3333-4444-555555555555"
    static let object = "00000000-0000-0000-66f3-3332eca7ea81"
    static let user = "8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55"
}
