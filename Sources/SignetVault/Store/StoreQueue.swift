// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs blocking work of a store off Swift's cooperative threads, one piece after another.
public struct StoreQueue: Sendable {
    private let queue: DispatchQueue

    /// A queue; the label shows in debuggers.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` on the queue and waits for it without holding a thread of the pool.
    public func run<R: Sendable>(_ work: @escaping @Sendable () throws(StoreError) -> R)
        async throws(StoreError) -> R
    {
        let result: Result<R, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(StoreError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
