// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let passwords = [
        AccountCheck("a password is stored, replaced, and gone with its user") { desk in
            let user = desk.name
            let (first, second) = (try hash(ending: "A"), try hash(ending: "Q"))
            try await desk.expect(.conflict, by: "a password of nobody") {
                try await change(desk) { (transaction) throws(AccountError) in
                    try await StoredPasswords.set(first, of: user, in: transaction)
                }
            }
            for number in 0..<2 {
                try await change(desk) { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                    try await StoredPasswords.set(first, of: user, in: transaction)
                    try await StoredPasswords.set(second, of: user, in: transaction)
                }
                try await expect(second, in: desk)
                try await change(desk, on: 1) { (transaction) throws(AccountError) in
                    if number == 0 {
                        try await AccountUsers.delete(user, in: transaction)
                    } else {
                        try await StoredPasswords.remove(of: user, in: transaction)
                    }
                }
                try await expect(nil, in: desk)
            }
        },
        AccountCheck("a password that was changed since it was read is not confirmed") { desk in
            let user = desk.name
            let (first, second) = (try hash(ending: "A"), try hash(ending: "Q"))
            try await change(desk) { (transaction) throws(AccountError) in
                try await AccountUsers.add(user, in: transaction)
                try await StoredPasswords.set(first, of: user, in: transaction)
            }
            // Many calls upgrade the same hash: the first succeeds, and later calls find a new
            // hash.
            let done = try await answers(16) { number -> Bool? in
                let isConfirmed = try await desk.database(number).transaction {
                    (transaction) throws(AccountError) in
                    try await StoredPasswords.confirm(
                        first, better: second, of: user, in: transaction)
                }
                return isConfirmed ? true : nil
            }
            try desk.expect(
                done.count, is: 1, named: "the count of those that found the first hash")
            try await expect(second, in: desk)
        },
    ]

    /// A hash whose password is unknown.
    private static func hash(ending last: String) throws(AccountError) -> PasswordHash {
        try PasswordHash("$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAA" + last)
    }

    private static func change(
        _ desk: CheckDesk, on number: Int = 0,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await desk.database(number).transaction(work)
    }

    private static func expect(_ hash: PasswordHash?, in desk: CheckDesk) async throws {
        let user = desk.name
        for database in [desk.database, desk.other] {
            let found = try await database.read { (transaction) throws(AccountError) in
                try await StoredPasswords.hash(of: user, in: transaction)
            }
            try desk.expect(found == hash, "the stored hash is another one")
        }
    }
}
