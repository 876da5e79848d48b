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
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await StoredPasswords.set(first, of: user, in: transaction)
                }
            }
            try await addUser(with: [first, second], in: scope)
            try await expectStored(second, in: scope)
            try await scope.other.transaction { (transaction) throws(AccountError) in
                try await AccountUsers.delete(user, in: transaction)
            }
            try await expectStored(nil, in: scope)
            try await addUser(with: [first, second], in: scope)
            try await expectStored(second, in: scope)
            try await scope.other.transaction { (transaction) throws(AccountError) in
                try await StoredPasswords.remove(of: user, in: transaction)
            }
            try await expectStored(nil, in: scope)
        },
        AccountCheck("a password that was changed since it was read is not confirmed") { scope in
            let user = scope.name
            let first = try hash(ending: "A")
            let second = try hash(ending: "Q")
            try await addUser(with: [first], in: scope)
            // Many calls upgrade the same hash: the first succeeds, and later calls find a new
            // hash.
            let confirmedCount = try await countAtOnce(16) { number in
                try await scope.database(number).transaction {
                    (transaction) throws(AccountError) in
                    try await StoredPasswords.confirm(
                        first, better: second, of: user, in: transaction)
                }
            }
            try scope.expect(
                confirmedCount, is: 1, named: "the count of calls that found the first hash")
            try await expectStored(second, in: scope)
        },
    ]

    /// A hash in the stored form, whose password nobody knows. Salt and hash are base64 of 16 bytes
    /// each: the last character stands for two bits, and so is A, Q, g or w.
    private static func hash(ending last: String) throws(AccountError) -> PasswordHash {
        try PasswordHash("$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAA" + last)
    }

    /// Adds the user of a check, and sets the passwords one after the other.
    private static func addUser(
        with hashes: [PasswordHash], in scope: AccountCheckScope
    ) async throws(AccountError) {
        let user = scope.name
        try await scope.database.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add(user, in: transaction)
            for hash in hashes { try await StoredPasswords.set(hash, of: user, in: transaction) }
        }
    }

    /// Expects this hash, or none, through both objects.
    private static func expectStored(
        _ hash: PasswordHash?, in scope: AccountCheckScope
    ) async throws {
        let user = scope.name
        for (database, name) in [(scope.database, "first"), (scope.other, "second")] {
            let found = try await database.read { (transaction) throws(AccountError) in
                try await StoredPasswords.hash(of: user, in: transaction)
            }
            try scope.expect(
                found == hash, "the \(name) object does not read the hash that was set")
        }
    }
}
