// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let passwords = [
        AccountCheck("a password is stored, replaced, and gone with its user") { scope in
            let user = scope.name
            let first = try hash(ending: "A")
            let second = try hash(ending: "Q")
            try await scope.expect(.conflict, by: "a password of nobody") {
                try await change(scope) { (transaction) throws(AccountError) in
                    try await StoredPasswords.set(first, of: user, in: transaction)
                }
            }
            for number in 0..<2 {
                try await change(scope) { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                    try await StoredPasswords.set(first, of: user, in: transaction)
                    try await StoredPasswords.set(second, of: user, in: transaction)
                }
                try await expect(second, in: scope)
                try await change(scope, on: 1) { (transaction) throws(AccountError) in
                    if number == 0 {
                        try await AccountUsers.delete(user, in: transaction)
                    } else {
                        try await StoredPasswords.remove(of: user, in: transaction)
                    }
                }
                try await expect(nil, in: scope)
            }
        },
        AccountCheck("a password that was changed since it was read is not confirmed") { scope in
            let user = scope.name
            let first = try hash(ending: "A")
            let second = try hash(ending: "Q")
            try await change(scope) { (transaction) throws(AccountError) in
                try await AccountUsers.add(user, in: transaction)
                try await StoredPasswords.set(first, of: user, in: transaction)
            }
            // Many calls upgrade the same hash: the first succeeds, and later calls find a new
            // hash.
            let done = try await runAtOnce(16) { number -> Bool? in
                let isConfirmed = try await scope.database(number).transaction {
                    (transaction) throws(AccountError) in
                    try await StoredPasswords.confirm(
                        first, better: second, of: user, in: transaction)
                }
                return isConfirmed ? true : nil
            }
            try scope.expect(
                done.count, is: 1, named: "the count of those that found the first hash")
            try await expect(second, in: scope)
        },
    ]

    /// A hash whose password is unknown.
    private static func hash(ending last: String) throws(AccountError) -> PasswordHash {
        try PasswordHash("$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAA" + last)
    }

    private static func change(
        _ scope: AccountCheckScope, on number: Int = 0,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await scope.database(number).transaction(work)
    }

    private static func expect(_ hash: PasswordHash?, in scope: AccountCheckScope) async throws {
        let user = scope.name
        for database in [scope.database, scope.other] {
            let found = try await database.read { (transaction) throws(AccountError) in
                try await StoredPasswords.hash(of: user, in: transaction)
            }
            try scope.expect(found == hash, "the stored hash is not the hash that was set")
        }
    }
}
