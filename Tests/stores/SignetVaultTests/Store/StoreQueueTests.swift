// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import Testing

@Suite("StoreQueue", .timeLimit(.minutes(20)))
struct StoreQueueTests {
    @Test("Blocked work holds no thread of Swift's pool")
    func blockedWorkHoldsNoThreadOfThePool() async throws {
        let gate = DispatchSemaphore(value: 0)
        // More than the pool has threads: if they were blocked, nothing could open the gate.
        let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    try await StoreQueue(label: "test \(number)").run { () throws(StoreError) in
                        gate.wait()
                    }
                }
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(50))
                for _ in 0..<count { gate.signal() }
            }
            try await group.waitForAll()
        }
    }

    @Test("The error of the work is rethrown")
    func theWorksErrorIsRethrown() async {
        await #expect(throws: StoreError(.corrupt, "")) {
            try await StoreQueue(label: "test").run { () throws(StoreError) -> Int in
                throw StoreError(.corrupt, "")
            }
        }
    }

    @Test("A cancelled task begins no work, unless it asks to")
    func aCancelledTaskBeginsNothing() async throws {
        let queue = StoreQueue(label: "test")
        let gate = DispatchSemaphore(value: 0)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let blocking = Task {
            try await queue.run { () throws(StoreError) in
                held.finish()
                gate.wait()
            }
        }
        for await _ in isHeld {}
        // Queued after the one that blocks, and cancelled there.
        let waiting = Task { try await queue.run { () throws(StoreError) in "ran" } }
        let stubborn = Task {
            try await queue.run(evenIfCancelled: true) { () throws(StoreError) in "ran" }
        }
        try await Task.sleep(for: .milliseconds(20))
        waiting.cancel()
        stubborn.cancel()
        gate.signal()
        try await blocking.value
        await #expect(throws: StoreError(.cancelled, "")) { try await waiting.value }
        #expect(try await stubborn.value == "ran")
    }
}
