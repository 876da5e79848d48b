// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetVault
internal import Synchronization

/// Runs what is asynchronous and waits for it: a command does one thing and has nothing else to do meanwhile.
///
/// Call it from the main thread only, which is none of those that the work runs on.
func waiting<R: Sendable>(
    _ work: @escaping @Sendable () async throws(StoreError) -> R
) throws(StoreError) -> R {
    let answer = Answer<R>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do throws(StoreError) {
            answer.give(.success(try await work()))
        } catch {
            answer.give(.failure(error))
        }
        done.signal()
    }
    done.wait()
    guard let result = answer.take() else {
        throw StoreError(.unavailable, "The call gave no answer.")
    }
    return try result.get()
}

private final class Answer<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, StoreError>?>(nil)

    func give(_ value: Result<R, StoreError>) { result.withLock { $0 = value } }

    func take() -> Result<R, StoreError>? { result.withLock { $0 } }
}
