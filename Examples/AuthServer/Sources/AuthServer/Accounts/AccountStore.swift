// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keeps people, their sessions and their visits. The server knows this protocol only: a test puts a failing one in its place, and
/// several machines would share an engine of their own.
package protocol AccountStore: Sendable {
    /// Finds the person by (issuer, subject), or adds him, and begins a session: all of it, or nothing. The oldest of too many sessions
    /// of one person end.
    func signIn(_ person: SignedInPerson, session: SessionRecord) async throws(AccountStoreError)
        -> Account

    /// Whose session it is; nil when it has ended, was revoked, or the account is gone.
    func account(id: String, session: String, now: Int64) async throws(AccountStoreError)
        -> Account?

    /// The profile; nil when there is none, which is not an error.
    func profile(of account: String) async throws(AccountStoreError) -> Profile?

    /// Removes the person with profile, visits and all sessions. Nothing happens when he is gone already.
    func delete(account: String) async throws(AccountStoreError)

    /// The latest visits, newest first.
    func visits(of account: String, limit: Int) async throws(AccountStoreError) -> [Visit]

    /// Adds a visit; nil when the account is gone.
    ///
    /// - Throws: `visitsFull` too when it has as many as there may be.
    func add(_ visit: NewVisit, to account: String) async throws(AccountStoreError) -> Visit?

    /// Does the store answer?
    func check() async throws(AccountStoreError)
}

/// The store did not do it. Nothing was changed. It holds no value and no statement, so that it may be logged.
package struct AccountStoreError: Error, Sendable, Equatable {
    /// For the log: `sqlite.13`, for example.
    package let code: String

    package init(code: String) { self.code = code }

    /// The account has as many visits as there may be.
    static let visitsFull = AccountStoreError(code: "visitsFull")
}
