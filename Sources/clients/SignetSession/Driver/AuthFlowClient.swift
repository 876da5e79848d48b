// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The parts that an app provides to an ``AuthFlowDriver``: its server, its providers and its lock.
///
/// Implement only the methods that the app uses. The default of a method that may fail throws
/// ``AuthFlow/Failure/notOffered``. A call ends when its task is cancelled. Write
/// `throws(AuthFlow.Failure)`: a method with plain `throws` does not match, and the default is
/// called instead.
public protocol AuthFlowClient: Sendable {
    /// Sends a code to an address.
    func sendCode(to destination: AuthFlow.Destination) async throws(AuthFlow.Failure)

    /// Sends the code that a person typed to the server that issued it, and returns the session.
    func verify(
        _ code: AuthFlow.Code, sentTo destination: AuthFlow.Destination
    ) async throws(AuthFlow.Failure) -> SessionGrant

    /// Signs in at a provider, for example with a browser or a device code.
    func signIn(at provider: AuthFlow.Provider) async throws(AuthFlow.Failure) -> SessionGrant

    /// Deletes the account at the server. The driver then removes the local data.
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

    /// Unlocks the store, with a person's passphrase or an offer of `FileVault.unlockOffers(_:)`.
    func unlockStore() async throws(AuthFlow.Failure)

    /// Locks the store, and wipes the values that were read from it.
    ///
    /// The driver takes no other intent before this returns: do not wait for
    /// ``AuthFlowDriver/ask(_:)`` here.
    func lockStore() async
}

extension AuthFlow.Failure: Error {
    /// The app does not offer this.
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

    /// The user by the session's id, without an address. The profile does not count as complete, so
    /// the server is asked.
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
