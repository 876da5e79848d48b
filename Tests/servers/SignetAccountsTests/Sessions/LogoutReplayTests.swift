// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import TestSupport
import Testing

@Suite("Copies of a logout at a table", .timeLimit(.minutes(20)))
struct LogoutReplayTests {
    private let database: ClockedDatabase
    private let folder: PrivateFolder
    private let clock = ManualClock()

    init() async throws {
        folder = try PrivateFolder()
        database = try await ClockedDatabase.open(folder)
    }

    private var table: LogoutReplayTable { LogoutReplayTable(database, clock: clock.source) }

    /// Runs `body` while work on a logout goes on.
    private func working(_ body: () async throws -> Void) async throws {
        let (table, isWorking) = (table, Locked(false))
        let gate = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await table.claim("a", forSeconds: 200) {
                isWorking.withLock { $0 = true }
                for await _ in gate.stream {}
            }
        }
        while !isWorking.withLock({ $0 }) { await Task.yield() }
        try await body()
        gate.continuation.finish()
        #expect(try await first.value)
    }

    private func sleeper() async {
        while clock.sleeperCount == 0 { await Task.yield() }
    }

    @Test("A copy waits 75 s for the first one's work, and is then told to come again")
    func endless() async throws {
        try await working {
            let table = table
            let copy = Task { try await table.claim("a", forSeconds: 200) {} }
            for step in [74.9, 0.3] {
                await sleeper()
                clock.advance(by: .seconds(step))
            }
            await #expect(throws: AccountError(.busy, "")) { try await copy.value }
        }
        #expect(try await !table.claim("a", forSeconds: 200) {})
    }

    @Test("A copy ends the sessions when the claim of a server that died is a minute old")
    func dead() async throws {
        try await working {
            let table = table
            let copy = Task { try await table.claim("a", forSeconds: 200) {} }
            await sleeper()
            try await database.advance(by: 60_001)
            clock.advance(by: .seconds(60))
            #expect(try await copy.value)
        }
    }
}
