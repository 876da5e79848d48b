// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetPlatform

/// Runs what is asynchronous and waits for it: a command does one thing and has nothing else to do
/// meanwhile.
///
/// Call it from the main thread only, which is none of those that the work runs on.
func waiting<R: Sendable, E: Error>(
    _ work: @escaping @Sendable () async throws(E) -> R
) throws(E) -> R {
    let answer = Locked<Result<R, E>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let result = await Result(of: work)
        answer.withLock { $0 = result }
        done.signal()
    }
    while true {
        done.wait()
        if let result = answer.withLock({ $0 }) { return try result.get() }
    }
}
