// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetMemory
import Synchronization

/// Runs `body` on eight threads, released at the same moment, `rounds` times each, and counts the
/// rounds that threw or returned false. Tasks would not do: the pool has only as many threads as
/// there are cores.
package func failuresOnThreads(
    rounds: Int, threads: Int = 8,
    _ body: @escaping @Sendable (_ thread: Int, _ round: Int) throws -> Bool
) -> Int {
    let start = DispatchSemaphore(value: 0)
    let finished = DispatchGroup()
    let failures = Counter()
    for number in 0..<threads {
        finished.enter()
        let thread = Thread {
            start.wait()
            for round in 0..<rounds where (try? body(number, round)) != true {
                failures.increment()
            }
            finished.leave()
        }
        thread.start()
    }
    for _ in 0..<threads { start.signal() }
    finished.wait()
    return failures.value
}

private final class Counter: Sendable {
    private let storage = Mutex(0)

    var value: Int { storage.withLock { $0 } }

    func increment() { storage.withLock { $0 += 1 } }
}
