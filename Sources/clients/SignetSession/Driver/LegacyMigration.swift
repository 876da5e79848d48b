// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Moves the data of an old local user id, from before there were accounts, to an account.
///
/// The migration first records the account's claim, then moves the records, then removes the old
/// id, and last the claim. If the process is killed in between, the next sign-in of the same
/// account continues; any other account finds the old id claimed, and is signed in without it.
public struct LegacyMigration: Sendable {
    private struct Claim: Codable {
        let from: String
        let to: String
    }

    private let store: any SecureStore
    private let item: ItemKey
    private let find: @Sendable () async throws -> String?
    private let move: @Sendable (AuthFlow.Migration) async throws -> Void
    private let forget: @Sendable () async throws -> Void

    /// Makes a migration. `find`, `move` and `forget` may each be called again, and must then have
    /// the same outcome as a single call.
    ///
    /// - Parameters:
    ///   - store: holds the claim, beside the session.
    ///   - service: the item's service in the store.
    ///   - find: finds the old id in the app's data; nil if there is none.
    ///   - move: moves the records.
    ///   - forget: removes the old id.
    public init(
        store: any SecureStore, service: String,
        find: @escaping @Sendable () async throws -> String?,
        move: @escaping @Sendable (AuthFlow.Migration) async throws -> Void,
        forget: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        item = .token(service: service, account: "legacy-user")
        self.find = find
        self.move = move
        self.forget = forget
    }

    /// The old id, and the account that has claimed it; nil if nothing is to be moved. An invalid
    /// id counts as none.
    func pending() async throws -> AuthFlow.Legacy? {
        guard let id = try await find().flatMap(AuthFlow.UserID.init) else { return nil }
        guard let claim = try await storedClaim(), AuthFlow.UserID(claim.from) == id else {
            return AuthFlow.Legacy(id: id)
        }
        return AuthFlow.Legacy(id: id, claimedBy: AuthFlow.UserID(claim.to))
    }

    /// Records the claim, moves the records, and removes the old id and the claim.
    func run(_ migration: AuthFlow.Migration) async throws {
        guard try await recordClaim(for: migration) else { return }
        // Another account's migration may have ended since the old id was found.
        if try await find().flatMap(AuthFlow.UserID.init) == migration.from {
            try await move(migration)
            try await forget()
        }
        try await store.remove(item)
    }

    /// Records the claim, unless another account was faster.
    ///
    /// - Returns: whether the old id now belongs to this account.
    /// - Throws: `conflict` or `alreadyExists` if another process wrote at the same time: the next
    ///   call finds out whose the old id is.
    private func recordClaim(for migration: AuthFlow.Migration) async throws -> Bool {
        let entry = try await store.entry(item)
        if let earlier = try entry?.value.decoded(as: Claim.self),
            AuthFlow.UserID(earlier.from) == migration.from
        {
            return AuthFlow.UserID(earlier.to) == migration.to
        }
        let claim = Claim(from: migration.from.text, to: migration.to.text)
        try await store.replace(
            SecretValue(encoding: claim), for: item, details: nil,
            ifRevision: entry?.item.revision)
        return true
    }

    private func storedClaim() async throws -> Claim? {
        try await store.get(item)?.decoded(as: Claim.self)
    }
}
