// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import Testing

@Suite("Derivations on threads of their own", .serialized, .timeLimit(.minutes(20)))
struct DerivationQueueTests {
    /// Holds threads until it is opened, and counts them.
    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let state = Locked((isOpen: false, running: 0, most: 0, done: 0))

        var running: Int { state.withLock { $0.running } }
        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }

        func pass() {
            state.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            condition.lock()
            while !state.withLock({ $0.isOpen }) { condition.wait() }
            condition.unlock()
            state.withLock {
                $0.running -= 1
                $0.done += 1
            }
        }

        func open() {
            condition.lock()
            state.withLock { $0.isOpen = true }
            condition.broadcast()
            condition.unlock()
        }
    }

    private func outcome(_ queue: DerivationQueue, _ gate: Gate) async -> AccountError? {
        do throws(AccountError) {
            // Not Void, which the compiler does not survive here.
            _ = try await queue.run { () throws(AccountError) -> Int in
                gate.pass()
                return 0
            }
            return nil
        } catch { return error }
    }

    private func wait(until condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("A caller whose work is done finds the place free for its next")
    func oneAfterAnother() async throws {
        let queue = try DerivationQueue(concurrency: 1, length: 0)
        for number in 0..<2_000 {
            let answer = try await queue.run { () throws(AccountError) -> Int in number }
            #expect(answer == number)
        }
    }

    @Test("A bounded number runs, a bounded number waits, and the next is refused at once")
    func bounds() async throws {
        let (queue, gate) = (try DerivationQueue(concurrency: 2, length: 3), Gate())
        try await withThrowingTaskGroup(of: AccountError?.self) { group in
            for _ in 0..<20 {
                group.addTask { await outcome(queue, gate) }
            }
            var refused = 0
            for try await error in group {
                guard let error else { continue }
                #expect(error.code == .busy && error.retryAfter == .seconds(1))
                refused += 1
                guard refused == 15 else { continue }
                // The threads begin when they like.
                try await wait { gate.running == 2 }
                gate.open()
            }
            #expect(refused == 15)
        }
        #expect(gate.most == 2 && gate.done == 5)
        #expect(try await queue.run { 7 } == 7)
    }

    @Test("A cancelled caller leaves the queue, and the others go on")
    func cancelled() async throws {
        let (queue, gate) = (try DerivationQueue(concurrency: 1, length: 2), Gate())
        let first = Task { await outcome(queue, gate) }
        try await wait { gate.running == 1 }
        let second = Task { await outcome(queue, gate) }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        // Its place in the queue is free.
        let others = (0..<2).map { _ in Task { await outcome(queue, gate) } }
        // Running work is waited for, and counts.
        first.cancel()
        gate.open()
        #expect(await first.value == nil)
        for other in others { #expect(await other.value == nil) }
        #expect(try await queue.run { 7 } == 7)
    }

    @Test("The error that the work throws is returned")
    func failure() async throws {
        let queue = try DerivationQueue(concurrency: 1, length: 0)
        await #expect(throws: AccountError(.conflict, "")) {
            try await queue.run { () throws(AccountError) -> Int in
                throw AccountError(.conflict, "x")
            }
        }
    }

    @Test("A thousand callers all get their results")
    func many() async throws {
        let queue = try DerivationQueue(concurrency: 4, length: 1000)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1000 { group.addTask { try await queue.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 499_500)
    }
}
