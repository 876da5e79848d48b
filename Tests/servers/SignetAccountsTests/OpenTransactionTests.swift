// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import Testing

/// What authors of an engine build on, without an engine.
@Suite("A transaction of an engine", .timeLimit(.minutes(20)))
struct OpenTransactionTests {
    private static let busy = AccountError(.busy, "Busy.")
    private static let statement: SQLStatement = "SELECT 1"

    /// A transaction, and how many of its statements reached the connection.
    private static func begun(
        failing: Bool = false
    ) -> (transaction: OpenTransaction, reached: Locked<Int>) {
        let reached = Locked(0)
        let transaction = OpenTransaction(.sqlite) { (_, _, check) throws(AccountError) in
            try check()
            reached.withLock { $0 += 1 }
            if failing { throw busy }
            return []
        }
        return (transaction, reached)
    }

    @Test("A transaction that was kept runs nothing after its end, which may be asked for twice")
    func kept() async throws {
        let (transaction, reached) = Self.begun()
        _ = try await transaction.run(Self.statement, values: [])
        try transaction.end()
        await #expect(throws: AccountError(.invalidParameter, "")) {
            try await transaction.run(Self.statement, values: [])
        }
        try transaction.end()
        await #expect(throws: AccountError(.invalidParameter, "")) {
            try await transaction.run(Self.statement, values: [])
        }
        #expect(reached.withLock { $0 } == 1)
    }

    @Test("After a statement that failed nothing runs, and it does not end well")
    func failed() async throws {
        let (transaction, reached) = Self.begun(failing: true)
        for _ in 0..<2 {
            await #expect(throws: Self.busy) {
                try await transaction.run(Self.statement, values: [])
            }
        }
        #expect(reached.withLock { $0 } == 1)
        #expect(throws: Self.busy) { try transaction.end() }
    }

    @Test("A cancelled child task loses it, and a cancelled task does not end it well")
    func cancelled() async throws {
        let (transaction, reached) = Self.begun()
        let child = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await transaction.run(Self.statement, values: [])
        }
        child.cancel()
        await #expect(throws: AccountError(.cancelled, "")) { try await child.value }
        #expect(throws: AccountError(.cancelled, "")) { try transaction.end() }

        let whole = Self.begun().transaction
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try whole.end()
        }
        task.cancel()
        await #expect(throws: AccountError(.cancelled, "")) { try await task.value }
        #expect(reached.withLock { $0 } == 0)
    }

    @Test("A statement that waits while the transaction ends reaches no later one")
    func late() async throws {
        let queue = TransactionQueue(label: "test")
        let (isHeld, isEntered) = (Locked(true), Locked(false))
        let reached = Locked(0)
        let transaction = OpenTransaction(.sqlite) { (_, _, check) throws(AccountError) in
            isEntered.withLock { $0 = true }
            return try await queue.run { () throws(AccountError) in
                try check()
                reached.withLock { $0 += 1 }
                return []
            }
        }
        queue.async { while isHeld.withLock({ $0 }) {} }
        let leaked = Task { _ = try await transaction.run(Self.statement, values: []) }
        while !isEntered.withLock({ $0 }) { await Task.yield() }
        try transaction.end()
        isHeld.withLock { $0 = false }
        await #expect(throws: AccountError(.invalidParameter, "")) { try await leaked.value }
        #expect(reached.withLock { $0 } == 0)
    }
}
