// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer

/// A store that fails, or that takes its time, where a test wants it.
struct FaultyStore: AccountStore {
    enum Call: Sendable { case signIn, account, profile, delete, visits, check }

    let base: SQLiteAccountStore
    var failing: Set<Call> = []
    /// Awaited before a sign-in is begun.
    var beforeSignIn: @Sendable () async -> Void = {}

    /// Deletes the account when one of its visits is about to be added, as another request may.
    var deletesBeforeVisit = false

    private func pass(_ call: Call) throws(AccountStoreError) {
        if failing.contains(call) { throw AccountStoreError(code: "test") }
    }

    func signIn(_ person: SignedInPerson, session: SessionRecord) async throws(AccountStoreError)
        -> Account
    {
        await beforeSignIn()
        try pass(.signIn)
        return try await base.signIn(person, session: session)
    }

    func account(id: String, session: String, now: Int64) async throws(AccountStoreError)
        -> Account?
    {
        try pass(.account)
        return try await base.account(id: id, session: session, now: now)
    }

    func profile(of account: String) async throws(AccountStoreError) -> Profile? {
        try pass(.profile)
        return try await base.profile(of: account)
    }

    func delete(account: String) async throws(AccountStoreError) {
        try pass(.delete)
        try await base.delete(account: account)
    }

    func visits(of account: String, limit: Int) async throws(AccountStoreError) -> [Visit] {
        try pass(.visits)
        return try await base.visits(of: account, limit: limit)
    }

    func add(_ visit: NewVisit, to account: String) async throws(AccountStoreError) -> Visit? {
        try pass(.visits)
        if deletesBeforeVisit { try await base.delete(account: account) }
        return try await base.add(visit, to: account)
    }

    func check() async throws(AccountStoreError) {
        try pass(.check)
        try await base.check()
    }
}
