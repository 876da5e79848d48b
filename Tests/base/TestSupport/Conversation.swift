// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line out, a line back, in order. Lines are read on a separate thread, so that no pool thread
/// waits for a pipe.
final class Conversation: Sendable {
    private struct State {
        var waiters: [CheckedContinuation<Data?, Never>] = []
        var isClosed = false
    }

    private let input: FileHandle
    private let state: Guarded<State>

    init(input: FileHandle, output: FileHandle) {
        let state = Guarded(State())
        (self.input, self.state) = (input, state)
        Thread {
            var buffer = Data()
            while true {
                // Not read(upToCount:), which waits for so many bytes.
                let more = output.availableData
                if more.isEmpty { break }
                buffer.append(more)
                while let end = buffer.firstIndex(of: 0x0a) {
                    let line = Data(buffer[..<end])
                    buffer = Data(buffer[(end + 1)...])
                    // The server announces its ports unasked: a caller may already wait for them,
                    // or may come later.
                    var waiter: CheckedContinuation<Data?, Never>?
                    while waiter == nil {
                        waiter = state.with { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
                        if waiter == nil { Thread.sleep(forTimeInterval: 0.001) }
                    }
                    waiter?.resume(returning: line)
                }
            }
            let left = state.with { state in
                state.isClosed = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in left { waiter.resume(returning: nil) }
        }.start()
    }

    func answer(to question: Data = Data()) async throws -> Data {
        let line = await withCheckedContinuation { waiter in
            let isClosed = state.with { state in
                if !state.isClosed {
                    state.waiters.append(waiter)
                    // Inside the lock: questions and waiting readers keep the same order.
                    try? input.write(contentsOf: question)
                }
                return state.isClosed
            }
            if isClosed { waiter.resume(returning: nil) }
        }
        guard let line else { throw ServingProgram.Failure(description: "the server has ended") }
        return line
    }

    func close() { try? input.close() }
}

private final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func with<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&value) } }
}
