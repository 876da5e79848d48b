// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetIdentity
import TestSupport
import Testing

/// Runs under ThreadSanitizer as well (`make test-threads`).
@Suite("Remote keys between threads", .timeLimit(.minutes(20)))
struct RemoteKeyThreadTests {
    @Test(
        "Eight threads use rotating keys while others cancel and fail: none hangs, no key is lost"
    )
    func rotation() async throws {
        let bodies = [
            try PublishedTestKeys.jwks("one", "two"), try PublishedTestKeys.jwks("two", "three"),
        ]
        let calls = Locked(0)
        let source = try Source(
            FakeTransport { _ in
                let call = calls.withLock { count -> Int in
                    count += 1
                    return count
                }
                await Task.yield()
                return call % 3 == 0 ? .status(500) : .body(bodies[call % 2])
            })
        let first = try await source.set.keys()
        let set = source.set
        let clock = source.clock
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    for round in 0..<50 {
                        if (number + round) % 8 == 0 { clock.advance(by: .seconds(7)) }
                        let task = Task { try? await set.keys(newerThan: first) }
                        if round % 5 == 0 { task.cancel() }
                        let newer = await task.value
                        if let newer { #expect(newer.generation > first.generation) }
                        if round % 11 == 0 { _ = try? await set.refresh() }
                        let keyIDs = try? await set.keys().keyIDs
                        #expect(keyIDs == ["one", "two"] || keyIDs == ["two", "three"])
                    }
                }
            }
        }
        while set.waitingCount > 0 { await Task.yield() }
        #expect(set.keysInHand() != nil)
    }

    @Test("Threads that only look never miss existing keys")
    func looking() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        let set = source.set
        let failures = await withCheckedContinuation { continuation in
            // Threads of their own, off the pool, which they would block.
            Thread {
                continuation.resume(
                    returning: failuresOnThreads(rounds: 2_000) { thread, round in
                        if thread == 0, round % 500 == 0 { source.clock.advance(by: .seconds(100)) }
                        return set.keysInHand() != nil
                    })
            }.start()
        }
        #expect(failures == 0)
    }
}
