// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SQLiteBridge
internal import SignetPlatform

/// A connection and the one place where it is used: a queue of its own, whose thread may wait for
/// the disk and for other processes while the threads of the pool go on.
final class SQLiteLane: @unchecked Sendable {
    private let queue = DispatchQueue(label: "signet.accounts.sqlite")
    // Touched on the queue only.
    private let connection: AccountConnection

    init(_ connection: sending AccountConnection) { self.connection = connection }

    /// Runs `work` with the connection; the task waits without holding a thread.
    func run<Answer: Sendable>(
        _ work: @escaping @Sendable (AccountConnection) throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(AccountError) in try work(self.connection) })
            }
        }
        return try result.get()
    }
}
