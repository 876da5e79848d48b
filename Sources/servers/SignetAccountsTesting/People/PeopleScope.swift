// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetEmail
internal import SignetSignIn

/// People over the database of a check, with identities that only this check has.
struct PeopleScope: Sendable {
    let scope: AccountCheckScope
    private let users = Locked(Set<String>())

    /// Runs a check and removes its people.
    static func run(
        _ scope: AccountCheckScope, _ body: (PeopleScope) async throws -> Void
    ) async throws {
        let own = PeopleScope(scope: scope)
        do { try await body(own) } catch {
            // The finding matters more than an error of the clean-up.
            try? await own.removeEverything()
            throw error
        }
        try await own.removeEverything()
    }

    private init(scope: AccountCheckScope) { self.scope = scope }

    /// Through the first object for even numbers, through the second for odd numbers.
    func people(_ number: Int = 0) -> People { People(scope.database(number)) }

    /// A mailbox that belongs to this check.
    func identity(_ number: Int = 0) throws -> UserIdentity {
        .email(try Mailbox("\(scope.name).\(number)@example.com"))
    }

    /// A username that belongs to this check: lower case for even numbers, upper case for odd
    /// numbers. It is a hash of the check's name, since a username has no hyphen; 5381 and 33 are
    /// the numbers of Bernstein's hash.
    func username(_ number: Int = 0) throws -> Username {
        let text = "n" + String(scope.name.utf8.reduce(5381) { ($0 &* 33) ^ UInt64($1) }, radix: 36)
        return try Username(number.isMultiple(of: 2) ? text : text.uppercased())
    }

    func signIn(_ identity: UserIdentity, on number: Int = 0) async throws -> People.Found {
        let found = try await people(number).findOrAdd(identity)
        note(found.user.id)
        return found
    }

    func addGuest() async throws -> String {
        let id = try await people().addGuest().id
        note(id)
        return id
    }

    /// Notes a user whom the end of the check removes.
    func note(_ id: String) { users.withLock { _ = $0.insert(id) } }

    @discardableResult
    func delete(_ id: String, on number: Int = 0) async throws(AccountError) -> Bool {
        try await scope.database(number).transaction { (transaction) throws(AccountError) in
            try await AccountUsers.delete(id, in: transaction)
        }
    }

    private func removeEverything() async throws(AccountError) {
        for id in users.withLock({ $0 }) {
            try await delete(id)
            try await scope.run(
                "DELETE FROM signet_migrated_users WHERE id = $1", values: [.text(id)])
        }
    }
}
