// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetPlatform

/// The implementation of ``SecureStore/withExclusiveAccess(to:within:_:)``, for your own stores.
///
/// It uses a lock file for each item, in `signet/locks` of `$XDG_STATE_HOME`, or of `.local/state`
/// in the user's home. (``FileVault`` has its lock files beside the vault.) The lock file is empty,
/// named by a hash, made when first needed and never removed. The system frees the lock when its
/// holder ends, however that happens. Processes that find different folders do not exclude each
/// other, and removing a held file lets a second holder in. The folder must not be on a network
/// file system.
public enum ExclusiveAccess {
    /// Runs `body` while no other caller has exclusive access to the same item of the same store.
    ///
    /// - Parameters:
    ///   - store: identifies the store, for this user on this machine, such as its address or its
    ///     file's path. Stores with the same name exclude each other.
    ///   - key: the item.
    ///   - limit: how long to wait; a limit that is not positive makes one attempt.
    ///   - body: runs where the caller runs, once or not at all.
    /// - Throws: the errors of ``SecureStore/withExclusiveAccess(to:within:_:)``.
    public static func run<Value: Sendable>(
        store: String, key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await run(
            "store", store: [Array(store.utf8)], key: key, in: LockFolder(), within: limit, body)
    }

    /// Runs `body` with exclusive access to an item, for a store of a kind that Signet knows.
    ///
    /// - Parameter folder: where its lock files are.
    package static func run<Value: Sendable>(
        _ kind: String, store: [[UInt8]], key: ItemKey, in folder: LockFolder,
        within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try ItemLimits.check(key)
        let files = try LockName(kind, store: store, item: key).open(in: folder)
        defer { files.release() }
        try await wait(
            within: limit, for: { files.holder },
            until: { () throws(StoreError) in
                try StoreError.translatingLockErrors(in: folder, files.tryLocking)
            })
        return try await body()
    }

    /// Repeats `attempt` until it succeeds.
    ///
    /// - Parameters:
    ///   - limit: from now; the first attempt is always made.
    ///   - holder: the owner of the access, asked for when the limit has passed.
    ///   - attempt: whether it succeeded.
    /// - Throws: `timedOut`, `cancelled`.
    package static func wait(
        within limit: Duration, for holder: () -> LockHolder? = { nil },
        until attempt: () throws(StoreError) -> Bool
    ) async throws(StoreError) {
        guard try await !LockPauses.ask(within: limit, attempt) else { return }
        guard !Task.isCancelled else { throw .cancelledBeforeStart }
        let who: ErrorMessage = holder().map { " \($0.sentence)" } ?? ""
        throw StoreError(
            .timedOut,
            "Others had exclusive access to the item for the whole time allowed; nothing was done."
                + who)
    }
}
