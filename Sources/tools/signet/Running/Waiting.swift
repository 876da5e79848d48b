// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// Runs asynchronous work and waits for it: a command has nothing else to do in the meantime. If a
/// signal came while the work exchanged tokens, the process may end here instead.
///
/// Call it only from the main thread, on which the work never runs.
func waiting<R: Sendable, E: Error>(
    _ work: @escaping @Sendable () async throws(E) -> R
) throws(E) -> R {
    let outcome = Locked<Result<R, E>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let result = await Result(of: work)
        outcome.withLock { $0 = result }
        done.signal()
    }
    RunningExchange.current.setWaiter(done)
    while true {
        done.wait()
        let result = outcome.withLock { $0 }
        RunningExchange.current.settleIfOver(isDone: result != nil)
        if let result { return try result.get() }
    }
}
