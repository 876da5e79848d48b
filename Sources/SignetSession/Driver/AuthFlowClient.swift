// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What an app brings to an ``AuthFlowDriver``: its server, its providers and its lock.
///
/// Only what the app uses is to be written; the rest fails as ``AuthFlow/Failure/notOffered``. A
/// call ends when its task is cancelled. Write `throws(AuthFlow.Failure)`: a method that only
/// `throws` is another one, and the default is called in its place.
public protocol AuthFlowClient: Sendable {
    /// Has a code sent.
    func sendCode(to destination: AuthFlow.Destination) async throws(AuthFlow.Failure)

    /// Hands a code to the server that sent it.
    func verify(
        _ code: AuthFlow.Code, sentTo destination: AuthFlow.Destination
    ) async throws(AuthFlow.Failure) -> SessionGrant

    /// Signs in at a provider: a browser, a device code.
    func signIn(at provider: AuthFlow.Provider) async throws(AuthFlow.Failure) -> SessionGrant

    /// Deletes the account at the server. What is here goes afterwards, by the driver.
    func deleteAccount(with token: AccessToken) async throws(AuthFlow.Failure)

    /// The user of a session, and whether a complete profile came with it.
    func user(of session: SessionUser) -> (user: AuthFlow.User, hasProfile: Bool)?

    /// Asks the server whether the user has a profile.
    func hasProfile(
        _ user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure) -> Bool

    /// Saves a profile.
    func save(
        _ profile: AuthFlow.ProfileDraft, of user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure)

    /// Unlocks the store, with the passphrase that a person gave or what
    /// `FileVault.unlockOffers(_:)` offers.
    func unlockStore() async throws(AuthFlow.Failure)

    /// Locks the store, and wipes what was read from it.
    func lockStore() async
}

extension AuthFlow.Failure: Error {
    /// The app has no such way.
    public static let notOffered = AuthFlow.Failure(rawValue: "not_offered")
}

extension AuthFlowClient {
    /// Fails.
    public func sendCode(to destination: AuthFlow.Destination) async throws(AuthFlow.Failure) {
        throw .notOffered
    }

    /// Fails.
    public func verify(
        _ code: AuthFlow.Code, sentTo destination: AuthFlow.Destination
    ) async throws(AuthFlow.Failure) -> SessionGrant { throw .notOffered }

    /// Fails.
    public func signIn(
        at provider: AuthFlow.Provider
    ) async throws(AuthFlow.Failure) -> SessionGrant { throw .notOffered }

    /// Fails.
    public func deleteAccount(with token: AccessToken) async throws(AuthFlow.Failure) {
        throw .notOffered
    }

    /// The user by the session's id, without an address, and without a profile that counts as
    /// complete: the server is asked.
    public func user(of session: SessionUser) -> (user: AuthFlow.User, hasProfile: Bool)? {
        AuthFlow.UserID(session.id).map { (AuthFlow.User(id: $0), false) }
    }

    /// Fails.
    public func hasProfile(
        _ user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure) -> Bool { throw .notOffered }

    /// Fails.
    public func save(
        _ profile: AuthFlow.ProfileDraft, of user: AuthFlow.User, with token: AccessToken
    ) async throws(AuthFlow.Failure) { throw .notOffered }

    /// Fails.
    public func unlockStore() async throws(AuthFlow.Failure) { throw .notOffered }

    /// Does nothing: for a store without a lock.
    public func lockStore() async {}
}
