// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretServiceBridge
import Testing

/// The thread without a service: what the bridge promises whatever the library does.
@Suite("The service's thread", .timeLimit(.minutes(20)))
struct ServiceThreadTests {
    private func run(
        _ thread: ServiceThread, milliseconds: Int, _ work: @escaping @Sendable () -> String
    ) async -> String {
        Self.shown(await thread.run(milliseconds: milliseconds) { _ in work() })
    }

    /// What was made, or the kind of the failure.
    private static func shown(_ answer: Result<String, SecretServiceFailure>) -> String {
        switch answer {
        case .success(let made): made
        case .failure(let failure): "\(failure.kind)"
        }
    }

    @Test("Work runs one piece at a time, off the pool")
    func order() async {
        let thread = ServiceThread()
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await run(thread, milliseconds: 600_000) {
                        "\(Thread.isMainThread) \(ObjectIdentifier(Thread.current))"
                    }
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
        #expect(names.first?.hasPrefix("false") == true)
    }

    @Test("Callers of a stuck thread get an error, and a new thread replaces it")
    func stuck() async {
        let thread = ServiceThread()
        let release = DispatchSemaphore(value: 0)
        // It comes no earlier than it should.
        async let first = Task {
            let start = DispatchTime.now().uptimeNanoseconds
            let kind = await run(thread, milliseconds: 300) {
                release.wait()
                return "late"
            }
            return (kind: kind, taken: DispatchTime.now().uptimeNanoseconds - start)
        }.value
        // Waits behind it, and is done by the new thread after the grace.
        async let second = run(thread, milliseconds: 600_000) { "done" }
        let (kind, taken) = await first
        #expect(kind == "timedOut")
        #expect(taken >= 290_000_000)
        #expect(await second == "done")
        #expect(await run(thread, milliseconds: 600_000) { "again" } == "again")
        release.signal()
        // The old thread's late answer is dropped.
        #expect(await run(thread, milliseconds: 600_000) { "still" } == "still")
    }

    @Test("Work that waited too long is not started")
    func waiting() async {
        let thread = ServiceThread()
        let release = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        async let first = run(thread, milliseconds: 600_000) {
            held.finish()
            release.wait()
            return "first"
        }
        for await _ in isHeld {}
        let second = await run(thread, milliseconds: 50) {
            begun.signal()
            return "second"
        }
        release.signal()
        #expect(await [first, second] == ["first", "timedOut"])
        #expect(begun.wait(timeout: .now()) == .timedOut)
    }

    @Test("A cancelled task returns at once")
    func cancellation() async {
        let thread = ServiceThread()
        let release = DispatchSemaphore(value: 0)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await run(thread, milliseconds: 600_000) {
                held.finish()
                release.wait()
                return "late"
            }
        }
        for await _ in isHeld {}
        task.cancel()
        #expect(await task.value == "cancelled")
        release.signal()
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await run(thread, milliseconds: 600_000) { "done" }
        }
        early.cancel()
        #expect(await early.value == "cancelled")
    }

    @Test("The blocking form behaves the same")
    func blocking() async {
        let thread = ServiceThread()
        let release = DispatchSemaphore(value: 0)
        let answers = await withCheckedContinuation { continuation in
            DispatchQueue(label: "caller").async {
                let done = thread.runBlocking(milliseconds: 600_000) { _ in "done" }
                let late = thread.runBlocking(milliseconds: 100) { _ in
                    release.wait()
                    return "late"
                }
                continuation.resume(returning: [Self.shown(done), Self.shown(late)])
            }
        }
        release.signal()
        #expect(answers == ["done", "timedOut"])
    }
}
