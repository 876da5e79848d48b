// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetIdentity
public import SignetSession

/// An account at a server, whose person signs in once on this machine and stays signed in.
///
/// ```swift
/// let account = try LocalAccount(
///     application: "org.example.notes",
///     server: .openID(issuer: "https://idp.example", clientID: "notes"),
///     keyring: SecretServiceKeyring(), transport: .curl)
/// try await account.signIn(.device { print($0) })
/// let api = try EndpointURL("https://api.example")
/// let client = try await account.client(for: [api])
/// ```
///
/// Everything but a sign-in and a refresh reads this machine alone: a program starts, and knows who
/// is signed in, while the server is down. ``LocalAccounts`` says where sessions are kept. Tokens
/// are refreshed when they are asked for, by one process at a time, as `SessionManager` does it;
/// none is refreshed ahead of time. If the server's token endpoint is gone, its metadata are read
/// once more.
///
/// A session of a different server or client is an error, `otherServer`, except for
/// ``signOut(_:)`` and ``forget()``, which end it, and for ``signIn(_:allowing:)``, which ends it
/// once the server has let the person in.
///
/// **Not** checked: what an API does with the token.
public struct LocalAccount: Sendable, Redacted {
    /// The person who is signed in.
    public struct User: Sendable, Redacted {
        /// The server's identifier of the person.
        public let id: String
        /// The verified or claimed address, the name, or the identifier: for showing.
        public let name: String
        /// The server.
        public let issuer: String
    }

    /// The name that tells the accounts of a program apart.
    public let name: String
    private let server: LoginServer
    private let accounts: LocalAccounts

    init(_ name: String, at server: LoginServer, of accounts: LocalAccounts) {
        self.name = name
        self.server = server
        self.accounts = accounts
    }

    /// The account of a program that needs only one. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - application: the name of the program's folders, as for `StandardFolders`.
    ///   - server: where the person signs in.
    ///   - keyring: where the key of a new vault is kept; nil for a key in a file.
    ///   - transport: reaches the server.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `unavailable` if this user has no home; `invalidParameter` for the application.
    public init(
        application: String, server: LoginServer, keyring: (any VaultKeyring)?,
        transport: some IdentityTransport, clock: TimeSource = .system
    ) throws(LoginError) {
        let accounts = try LocalAccounts(
            application: application, keyring: keyring, transport: transport, clock: clock)
        self = accounts.account(at: server)
    }

    /// Signs a person in, and stores the session before it returns. Room for the session is made
    /// first, so that a full disk or a busy vault is found out before the server has given
    /// anything.
    ///
    /// - Parameters:
    ///   - way: how the person reaches the server.
    ///   - staff: whose verified addresses may sign in, at an OpenID Connect server; nil if
    ///     everyone's may. The tokens of anyone else are revoked.
    /// - Returns: the person.
    /// - Throws: `signedIn` if the account has a session of this server; `unsupported`, before
    ///   anything is made or sent, for a way that the server does not have, and for `staff` at a
    ///   Supabase project; `invalidName`; the errors of the vault and of the sign-in. A vault that
    ///   is damaged or has lost its key is never replaced.
    @discardableResult
    public func signIn(
        _ way: SignInWay, allowing staff: BusinessEmailPolicy? = nil
    ) async throws(LoginError) -> User {
        try checkName()
        let signIn = try await accounts.beginSignIn(to: name, onlyServer: server)
        try signIn.checkIsUsable(knowsServer: true, replacesBroken: false)
        try signIn.check(way, at: server, allowing: staff)
        let vault = try await signIn.chooseVault(settingAside: .these([]))
        let account = try await signIn.run(way, at: server, in: vault, allowing: staff)
        return try await user(of: account)
    }

    /// The person who is signed in, read from this machine alone.
    ///
    /// - Throws: `signedOut` only if there certainly is no session; `locked`, `unavailable` or
    ///   `corrupt` if there may be one; `otherServer`; `invalidName`.
    public func user() async throws(LoginError) -> User {
        try await user(of: kept())
    }

    /// An access token that is valid by this machine's clock.
    ///
    /// - Throws: the errors of ``user()`` and of `SessionManager.accessToken()`: `expired`,
    ///   `refused`, and why a refresh failed.
    public func token() async throws(LoginError) -> AccessToken {
        try await kept().accessToken()
    }

    /// A client that calls an API for the person, with fresh tokens. It goes on after the same
    /// person has signed in again.
    ///
    /// - Parameter origins: where the tokens may go, by scheme, host and port.
    /// - Throws: the errors of ``user()``; `invalidOption` without an origin.
    public func client(for origins: [EndpointURL]) async throws(LoginError) -> BearerClient {
        let account = try await kept()
        await account.keepMovedEndpoint()
        _ = try account.user(in: account.manager.state)
        do throws(APIError) {
            return try BearerClient(
                manager: account.manager, transport: accounts.connection.transport,
                origins: origins)
        } catch {
            throw LoginError(error, in: .signIn)
        }
    }

    /// Signs out: here first, in both vaults, and then at the server. It goes on if the task is
    /// cancelled.
    ///
    /// - Parameter scope: which sessions end.
    /// - Returns: why the server may not know of it; nil if it does.
    /// - Throws: the errors of ``user()`` but `otherServer`, before anything has ended; the store's
    ///   error if a session is still there; the error of a closed vault, which may have another
    ///   session. For `SignOutScope.all` and `SignOutScope.others` also why the server did not end
    ///   the other sessions, such as `unsupported` at every OpenID Connect server. With
    ///   `SignOutScope.all`, the session here has ended by then.
    @discardableResult
    public func signOut(
        _ scope: SignOutScope = .this
    ) async throws(LoginError) -> SessionError? {
        try checkName()
        let vaults = await accounts.look()
        let found = try await vaults.find(name)
        _ = try vaults.account(in: found).user(in: found.state)
        return try await vaults.signOut(found, scope: scope)
    }

    /// Removes the account from this machine: signs out, and forgets its settings. It also removes
    /// an account that is damaged, whose server is not told then. Ask the person first. An account
    /// that another process has signed in to meanwhile stays.
    ///
    /// - Returns: why the server may not know of it; nil if it does, or if there was nothing.
    /// - Throws: `invalidName`; the store's error if something is still there; the error of a
    ///   closed vault, which may have the account too.
    @discardableResult
    public func forget() async throws(LoginError) -> SessionError? {
        try checkName()
        let vaults = await accounts.look()
        for vault in vaults.open {
            guard try await vaults.isDamaged(name, in: vault) else { continue }
            try await vaults.removeDamaged(name, from: vault)
        }
        // A vault may have been replaced.
        let rest = await accounts.look()
        return try await rest.signOut(rest.find(name), scope: .this, forgets: true)
    }

    /// Waits until no exchange of tokens runs, and until what a sign-in was given is stored; keeps
    /// new ones from beginning. Await it before the program ends, as `SessionManager.drain()` says.
    public func drain() async { await accounts.drain() }

    private func kept() async throws(LoginError) -> KeptAccount {
        try checkName()
        return try await accounts.look().account(name, at: server)
    }

    private func checkName() throws(LoginError) {
        let count = name.utf8.count
        guard (1...64).contains(count), !name.unicodeScalars.contains(where: \.isObeyed) else {
            throw LoginError(
                .invalidName, in: .signIn,
                "The account's name has \(count) bytes. It needs 1 to 64, without control "
                    + "characters.")
        }
    }

    private func user(of account: KeptAccount) async throws(LoginError) -> User {
        let user = try account.user(in: await account.manager.start())
        return User(id: user.id, name: account.settings.user, issuer: account.settings.issuer)
    }
}
