// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import Testing

extension OpenIDProviderTests {
    @Test("A session at Authlib's server rotates refresh tokens, and a refusal ends it")
    func session() async throws {
        let flow = try await SignInSteps(clientID: "basic", Self.authentication("basic"))
        let first = try await flow.exchange(flow.code())
        let backend = OAuthBackend(try flow.endpoint()) { _ in "user-1" }
        let clock = ManualClock()
        let store = InMemoryStore(clock: clock.source)
        var options = SessionOptions()
        options.refreshesAhead = false
        func manager() throws -> SessionManager {
            try SessionManager(
                store: store, service: "authlib", backend: backend, options: options,
                clock: clock.source)
        }
        let (mine, other) = (try manager(), try manager())
        let grant = try backend.grant(of: first)
        try await mine.adopt(grant)
        var seen = Set([try await mine.accessToken().exposedText])
        for _ in 0..<20 {
            clock.advance(by: grant.lifetime)
            async let one = mine.accessToken()
            async let two = other.accessToken()
            let tokens = try await (one, two)
            #expect(tokens.0 == tokens.1, "one exchange for both")
            #expect(seen.insert(tokens.0.exposedText).inserted)
        }
        // A reused token is what a thief would have: the server refuses it.
        try await mine.adopt(grant)
        clock.advance(by: grant.lifetime)
        await #expect(throws: SessionError(.refused, "")) { try await mine.accessToken() }
        #expect(mine.state == .signedOut(.endedByServer))
        #expect(await other.start() == .signedOut(.removedElsewhere))
    }
}
