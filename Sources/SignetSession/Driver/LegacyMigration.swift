// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Moves what belongs to an old local user id, from before there were accounts, to an account.
///
/// First the claim of the account is written down, then the records move, then the old id goes, and
/// last the claim. A process that is killed in between goes on at the next sign-in of the same
/// account; another account finds the old id claimed, and is signed in without it.
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

    /// A migration. Each of the three may be called again, and twice has the outcome of once.
    ///
    /// - Parameters:
    ///   - store: where the claim is kept, beside the session.
    ///   - service: the item's service in the store.
    ///   - find: the old id where the app keeps it; nil when there is none, or no longer.
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

    /// The old id, and the account that has claimed it; nil where nothing is to be moved. An id
    /// that cannot be one is none.
    func pending() async throws -> AuthFlow.Legacy? {
        guard let id = try await find().flatMap(AuthFlow.UserID.init) else { return nil }
        guard let claim = try await claim(), AuthFlow.UserID(claim.from) == id else {
            return AuthFlow.Legacy(id: id)
        }
        return AuthFlow.Legacy(id: id, claimedBy: AuthFlow.UserID(claim.to))
    }

    func run(_ migration: AuthFlow.Migration) async throws {
        guard try await claims(migration) else { return }
        // Another account's migration may have ended since the old id was found.
        if try await find().flatMap(AuthFlow.UserID.init) == migration.from {
            try await move(migration)
            try await forget()
        }
        try await store.remove(item)
    }

    /// Writes the claim down, unless another account was faster.
    ///
    /// - Returns: whether the old id is this account's now.
    /// - Throws: `conflict`, `alreadyExists`, when another process wrote at the same time: once
    ///   more says whose it is.
    private func claims(_ migration: AuthFlow.Migration) async throws -> Bool {
        let entry = try await store.entry(item)
        if let claim = try entry?.value.decoded(as: Claim.self),
            AuthFlow.UserID(claim.from) == migration.from
        {
            return AuthFlow.UserID(claim.to) == migration.to
        }
        let claim = Claim(from: migration.from.text, to: migration.to.text)
        try await store.replace(
            SecretValue(encoding: claim), for: item, details: nil,
            ifRevision: entry?.item.revision)
        return true
    }

    private func claim() async throws -> Claim? {
        try await store.get(item)?.decoded(as: Claim.self)
    }
}
