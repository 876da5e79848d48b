// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetPlatform
internal import SignetVault

/// Allows a single writer at a time for a store in the keyring, among all processes of this user on
/// this machine. The service has no transactions, and a write first reads and finally removes older
/// copies.
struct WriteLock: Sendable {
    static let kind = "secret-service"
    /// The user's sessions on this machine share the folder, as they share the keyring.
    static var folder: LockFolder { .ofRuntime() }

    private let name: LockName
    private let limit: Duration

    /// - Parameter deadlineSeconds: the call's deadline. The wait ends a little earlier, so the
    ///   call can report why.
    init(of identity: StoreIdentity, deadlineSeconds: Int) throws(StoreError) {
        name = try LockName("\(Self.kind) writes", parts: identity.lockParts)
        limit = .milliseconds(deadlineSeconds * 900)
    }

    /// Runs `body` while no other process writes. Until then it blocks the service's thread.
    ///
    /// - Throws: `busy` if other processes wrote for the whole time; `unavailable` or
    ///   `insecureFile` for the folder of lock files. Nothing was written then.
    func run<R>(
        _ connection: KeyringConnection, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let files = try name.open(in: Self.folder)
        defer { files.release() }
        let isLocked = try StoreError.translatingLockErrors(in: Self.folder) {
            () throws(PrivatePlaceFailure) in
            try files.lockBlocking(within: limit, unless: { connection.isCancelled })
        }
        guard isLocked else {
            let who: ErrorMessage = files.holder.map { " \($0.sentence)" } ?? ""
            throw StoreError(
                .busy,
                "Another process was writing to this store in the keyring for the whole time "
                    + "allowed; nothing was written." + who)
        }
        return try body()
    }
}
