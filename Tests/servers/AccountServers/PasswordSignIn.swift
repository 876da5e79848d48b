// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetAccounts
import SignetCrypto

/// A sign-in with a password on one of a pool's servers, all of which have PBKDF2 as their target.
package struct PasswordSignIn {
    private let database: any AccountDatabase
    private let hasher: PasswordHasher

    package init(_ database: any AccountDatabase) throws {
        self.database = database
        hasher = try PasswordHasher(.pbkdf2(iterations: 10_000))
    }

    /// Signs in as the documents say: with a better hash stored in place of an outdated one.
    ///
    /// - Returns: "right", "upgraded", "wrong", or the code of an error.
    package func signIn(_ user: String, _ text: String) async -> String {
        do throws(AccountError) {
            let password = try password(text)
            let known = try await database.read { (transaction) throws(AccountError) in
                try await StoredPasswords.hash(of: user, in: transaction)
            }
            guard
                case .correct(let needsUpgrade) = try await hasher.verify(password, against: known),
                let known
            else { return "wrong" }
            let better = needsUpgrade ? try await hasher.hash(password) : nil
            let isConfirmed = try await database.transaction {
                (transaction) throws(AccountError) in
                try await StoredPasswords.confirm(
                    known, better: better, of: user, in: transaction)
            }
            guard isConfirmed else { return "changed" }
            return needsUpgrade ? "upgraded" : "right"
        } catch { return "\(error.code)" }
    }

    /// Sets a password, as after a one-time code.
    package func set(_ text: String, of user: String) async -> String {
        do throws(AccountError) {
            let hash = try await hasher.hash(try password(text))
            try await database.transaction { (transaction) throws(AccountError) in
                try await StoredPasswords.set(hash, of: user, in: transaction)
            }
            return "set"
        } catch { return "\(error.code)" }
    }

    private func password(_ text: String) throws(AccountError) -> Password {
        do { return try Password(text) } catch {
            throw AccountError(.invalidParameter, "no password: \(messageOf: error)")
        }
    }
}
