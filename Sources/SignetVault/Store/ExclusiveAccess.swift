// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// What ``SecureStore/withExclusiveAccess(to:within:_:)`` is made of, for a store of your own.
///
/// A lock file for each item, in `signet/locks` of `$XDG_STATE_HOME`, else of `.local/state` in
/// the user's home: empty, named by a hash, made when it is first asked for and never removed. The
/// system frees the lock when its holder ends, however that ends. Processes that find different
/// folders do not exclude each other, and one that removes a file while it is held lets a second
/// one in. The folder must not be on a network file system.
public enum ExclusiveAccess {
    /// Runs `body` while no other caller runs one for the same item of the same store.
    ///
    /// - Parameters:
    ///   - store: what names the store, for this user on this machine: its address, its file's
    ///     path. Stores of the same name exclude each other.
    ///   - key: the item.
    ///   - limit: how long to wait; one that is not positive makes one attempt.
    ///   - body: runs where the caller runs, once or not at all.
    /// - Throws: as ``SecureStore/withExclusiveAccess(to:within:_:)`` says.
    public static func run<Answer: Sendable>(
        store: String, key: ItemKey, within limit: Duration, _ body: () async throws -> Answer
    ) async throws -> Answer {
        try await run("store", [Array(store.utf8)], key: key, within: limit, body)
    }

    /// The same for a store of a kind that Signet knows.
    package static func run<Answer: Sendable>(
        _ kind: String, _ store: [[UInt8]], key: ItemKey, within limit: Duration,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        try ItemLimits.check(key)
        let file = try LockName(kind, store, item: key).open()
        defer { file.release() }
        try await wait(within: limit) { () throws(StoreError) in
            try StoreError.lockFile { () throws(VaultPlaceFailure) in try file.tryLocking() }
        }
        return try await body()
    }

    /// Makes attempts until one succeeds.
    ///
    /// - Throws: `timedOut`, `cancelled`.
    package static func wait(
        within limit: Duration, until attempt: () throws(StoreError) -> Bool
    ) async throws(StoreError) {
        guard try await !LockPauses.ask(within: limit, attempt) else { return }
        guard !Task.isCancelled else { throw .cancelledBeforeStart }
        throw StoreError(
            .timedOut,
            "Others had exclusive access to the item for the whole time allowed; nothing was done.")
    }
}
