// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import Testing

@Suite("Transaction turns", .serialized, .timeLimit(.minutes(20)))
struct TransactionSemaphoreTests {
    @Test("Turns never exceed the places, and every waiting task gets one", arguments: [1, 3])
    func everybody(_ places: Int) async throws {
        let semaphore = TransactionSemaphore(places: places)
        let inside = Locked((now: 0, most: 0))
        let (served, late, cancelled) = await withTaskGroup(of: AccountError.Code?.self) { group in
            for number in 0..<3000 {
                group.addTask {
                    let task = Task { () async throws -> Bool in
                        let wait: Duration? = number % 5 == 0 ? .microseconds(50) : nil
                        guard try await semaphore.take(within: wait) else { return false }
                        defer { semaphore.give() }
                        inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        inside.withLock { $0.now -= 1 }
                        return true
                    }
                    if number % 7 == 0 { task.cancel() }
                    switch await task.result {
                    case .success(true): return nil
                    case .success(false): return .busy
                    case .failure: return .cancelled
                    }
                }
            }
            return await group.reduce(into: (0, 0, 0)) { counts, code in
                switch code {
                case nil: counts.0 += 1
                case .busy: counts.1 += 1
                default: counts.2 += 1
                }
            }
        }
        #expect(served + late + cancelled == 3000 && served >= 3000 - 600 - 429)
        #expect(inside.withLock { $0.most } <= places)
        // All places are free again.
        for _ in 0..<places { #expect(try await semaphore.take(within: .zero)) }
        #expect(try await !semaphore.take(within: .milliseconds(10)))
    }

    @Test("Waiting tasks are served in order")
    func order() async throws {
        let semaphore = TransactionSemaphore()
        #expect(try await semaphore.take())
        let order = Locked<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<100 {
            let entered = Locked(false)
            tasks.append(
                Task {
                    entered.withLock { $0 = true }
                    _ = try await semaphore.take()
                    order.withLock { $0.append(number) }
                    semaphore.give()
                })
            while !entered.withLock({ $0 }) { await Task.yield() }
            try await Task.sleep(for: .milliseconds(2))
        }
        semaphore.give()
        for task in tasks { try await task.value }
        let found = order.withLock { $0 }
        #expect(found.count == 100 && Set(found).count == 100)
        // On a busy machine one of them may come late.
        #expect(zip(found, found.dropFirst()).count { $0 > $1 } < 20)
    }

    @Test(
        "There is at least one place, and no more than are asked for",
        arguments: [0, -1, Int.min])
    func fewPlaces(_ places: Int) async throws {
        let semaphore = TransactionSemaphore(places: places)
        #expect(try await semaphore.take(within: .milliseconds(10)))
        #expect(try await !semaphore.take(within: .milliseconds(10)))
        semaphore.give()
        #expect(try await semaphore.take(within: .milliseconds(10)))
    }

    @Test("A wait of any length is a wait", arguments: LongDurationTests.durations)
    func anyWait(_ duration: Duration) async throws {
        let semaphore = TransactionSemaphore()
        #expect(try await semaphore.take())
        let waiting = Task { () async throws(AccountError) -> Bool in
            try await semaphore.take(within: duration)
        }
        if duration < .zero {
            #expect(try await !waiting.value)
        } else {
            try await Task.sleep(for: .milliseconds(20))
            semaphore.give()
            #expect(try await waiting.value)
        }
    }
}
