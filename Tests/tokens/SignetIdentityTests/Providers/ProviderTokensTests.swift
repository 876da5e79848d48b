// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Each preset against each kind of token of each provider.
@Suite("Tokens of providers")
struct ProviderTokensTests {
    static let providers = Result { try ProviderTokens.all() }

    @Test(
        "A preset accepts its own token and refuses the provider's others",
        arguments: try providers.get())
    func kinds(_ provider: ProviderTokens) async throws {
        #expect(provider.signIn != nil || provider.api != nil)
        for token in provider.tokens {
            let name = "\(provider.name), \(token.kind)"
            if let signIn = provider.signIn {
                let error = try await refusal(of: token, by: signIn)
                #expect(error == token.signIn, "\(name), signing in: \(told(error))")
            }
            if let api = provider.api {
                let error = try await refusal(of: token, by: api)
                #expect(error == token.api, "\(name), at an API: \(told(error))")
            }
        }
    }

    @Test(
        "A preset refuses all tokens of other providers, whatever key signs them",
        arguments: try providers.get())
    func others(_ provider: ProviderTokens) async throws {
        // The preset with version 1 takes tokens of version 2 as well.
        let related: Set = provider.name == "entra 1" ? ["entra 1", "entra"] : [provider.name]
        for other in try Self.providers.get() where !related.contains(other.name) {
            for token in other.tokens {
                let name = "\(provider.name) met \(other.name), \(token.kind)"
                if let signIn = provider.signIn {
                    #expect(try await refusal(of: token, by: signIn) != nil, "\(name), signing in")
                }
                if let api = provider.api {
                    #expect(try await refusal(of: token, by: api) != nil, "\(name), at an API")
                }
            }
        }
    }

    @Test("The shapes with a published source are counted")
    func sources() throws {
        var counts = (documentation: 0, library: 0, knowledge: 0)
        var known = [String]()
        let providers = try Self.providers.get()
        for provider in providers {
            for token in provider.tokens {
                switch token.source {
                case .documentation(let address):
                    counts.documentation += 1
                    #expect(address.hasPrefix("https://"), "\(provider.name), \(token.kind)")
                case .library(let address):
                    counts.library += 1
                    #expect(address.hasPrefix("https://"), "\(provider.name), \(token.kind)")
                case .knowledge:
                    counts.knowledge += 1
                    known.append("\(provider.name), \(token.kind)")
                }
            }
        }
        let all = counts.documentation + counts.library + counts.knowledge
        print(
            """
            The presets are tested against \(all) shapes of tokens from \(providers.count) issuers: \
            \(counts.documentation) from published documentation, \(counts.library) from the source or the \
            tests of servers and client libraries, \(counts.knowledge) from knowledge alone \
            (\(known.joined(separator: "; "))). All are signed with keys of our own.
            """)
        #expect(counts.documentation > counts.library + counts.knowledge)
    }

    private func refusal(
        of token: IssuedToken, by fixture: ProviderFixture
    ) async throws -> IdentityError? {
        let verifier = try fixture.verifier()
        let compact = try token.signed(by: fixture.key)
        let nonce = token.claims["nonce"] == nil ? .none : fixture.nonce
        return await reason { () async throws(IdentityError) in
            try await verifier.verify(compact, nonce: nonce)
        }
    }

    private func refusal(
        of token: IssuedToken, by fixture: AccessTokenFixture
    ) async throws -> IdentityError? {
        let verifier = try fixture.verifier()
        let compact = try token.signed(by: .rsa)
        return await reason { () async throws(IdentityError) in try await verifier.verify(compact) }
    }

    private func told(_ error: IdentityError?) -> String { error?.description ?? "accepted" }
}
