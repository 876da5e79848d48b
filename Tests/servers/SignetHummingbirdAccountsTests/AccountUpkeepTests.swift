// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import Logging
    import SignetAccounts
    import SignetBase
    import SignetCrypto
    import SignetHummingbirdAccounts
    import SignetIdentity
    import SignetJOSE
    import SignetSignIn
    import Testing

    @Suite("Hummingbird: the upkeep of accounts")
    struct AccountUpkeepTests {
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test("It exchanges the keys, sweeps what has ended, and ends when it is cancelled")
        func work() async throws {
            let fixture = try await AccountFixture()
            let keys = try await SigningKeys.open(
                in: .database(
                    fixture.database, secret: AccountSecret(SecretKey.generate(bitCount: 256))),
                clock: fixture.clock.source)
            try fixture.sessions.use(fixture.sessions.issuer.using(keys.ring))
            let longTokens = RotatingSessionIssuer(fixture.sessions.issuer)
            let user = try await fixture.people.addGuest()
            let ended = try await fixture.sessions.begin(for: user.id)
            try await fixture.pass(.seconds(8 * 86_400))
            let alive = try await fixture.sessions.begin(for: user.id)
            // Another instance exchanges the key.
            let before = keys.ring.currentKeyID
            _ = try await keys.replaceAll()

            let upkeep = AccountUpkeep(
                of: fixture.sessions, keys: keys, longTokens: longTokens,
                keyPause: .milliseconds(1), sweepPause: .milliseconds(1), logger: Self.quiet)
            let running = Task { try await upkeep.run() }
            while longTokens.issuer.keys.currentKeyID == before {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(fixture.sessions.issuer.keys.currentKeyID != before)
            while try await isKept(ended.session, in: fixture) {
                try await Task.sleep(for: .milliseconds(1))
            }
            running.cancel()
            try await running.value
            #expect(try await isKept(alive.session, in: fixture))
        }

        private func isKept(
            _ session: AccountSession, in fixture: AccountFixture
        ) async throws -> Bool {
            try await fixture.database.read { (transaction) throws(AccountError) in
                try await !transaction.run(
                    "SELECT id FROM signet_sessions WHERE id = $1", values: [.text(session.id)]
                ).isEmpty
            }
        }
    }
#endif
