// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetSession

/// The accounts of a program on this machine, each with the session of the person who signed in.
///
/// ```swift
/// let accounts = try LocalAccounts(
///     application: "org.example.notes", keyring: SecretServiceKeyring(), transport: .curl)
/// let server = LoginServer.openID(issuer: "https://idp.example", clientID: "notes")
/// for name in try await accounts.names() {
///     do {
///         print(name, try await accounts.account(name, at: server).user().name)
///     } catch {
///         print(name, error.code)
///     }
/// }
/// ```
///
/// Sessions are kept in a vault, `sessions.signet` in the program's data folder. How its key is
/// kept is decided when a sign-in makes the vault, and never changes by itself: in the desktop's
/// keyring or, only where there is none, in a file in the state folder. Where the key is in a
/// keyring that is not here (SSH, cron), a sign-in uses a second vault beside it, whose key is in a
/// file; every call looks in both. A keyring that is away is not an empty place: an account that
/// may be in a closed vault is `unavailable`, `locked` or `corrupt`, never `signedOut`.
///
/// **A key file is as safe as the other files of this user, and no safer.**
public final class LocalAccounts: Sendable {
    private let places: SessionsPlaces
    private let opener: VaultOpener
    private let kept: KeptAccounts
    let connection: ServerConnection

    /// The accounts of a program. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - application: the name of the program's folders, as for `StandardFolders`.
    ///   - keyring: where the key of a new vault is kept; nil for a key in a file.
    ///   - transport: reaches the servers.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `unavailable` if this user has no home; `invalidParameter` for the name.
    public convenience init(
        application: String, keyring: (any VaultKeyring)?, transport: some IdentityTransport,
        clock: TimeSource = .system
    ) throws(LoginError) {
        try self.init(
            application: application, keyring: keyring,
            connection: ServerConnection(transport: transport, clock: clock))
    }

    /// - Parameters:
    ///   - environment: replaces the process's own in tests.
    ///   - notice: tells the user what is no error.
    package init(
        application: String, keyring: (any VaultKeyring)?, connection: ServerConnection,
        environment: [String: String]? = nil,
        notice: @escaping @Sendable (LoginNotice) -> Void = { _ in }
    ) throws(LoginError) {
        do throws(StoreError) {
            places = try SessionsPlaces(application: application, environment: environment)
        } catch {
            throw error.code == .unavailable
                ? LoginError(
                    error, in: .folders, saying: "This user has no home to keep sessions in.")
                : LoginError(error, in: .folders)
        }
        opener = VaultOpener(keyring: keyring, notice: notice)
        kept = KeptAccounts(over: connection)
        self.connection = connection
    }

    /// An account of this program.
    ///
    /// - Parameters:
    ///   - name: tells several accounts of one program apart: 1 to 64 bytes, without control
    ///     characters. Every call of the account checks it.
    ///   - server: where its person signs in. What a sign-in has found out about it is kept, so a
    ///     session needs no answer of the server to be read.
    public func account(_ name: String = "default", at server: LoginServer) -> LocalAccount {
        LocalAccount(name, at: server, of: self)
    }

    /// The names of all accounts that have been signed in to, also of those that are signed out by
    /// now, or are of different servers.
    ///
    /// - Throws: the error of a vault that does not open.
    public func names() async throws(LoginError) -> [String] {
        let vaults = await look()
        if let closed = vaults.closedFirst { throw LoginError(closed) }
        var damage: LoginError?
        let names = try await vaults.names { damage = damage ?? $0 }
        if let damage { throw damage }
        return names
    }

    /// Sets aside every vault that is damaged or has lost its key, together with a key file that
    /// holds no key: a sign-in then makes a new vault. Ask the person first. The files stay in their
    /// folder under a new name, and the sessions live on at their servers.
    ///
    /// - Returns: the new paths; none if no vault is broken.
    /// - Throws: the error of a vault that cannot be renamed, or that opens by now.
    @discardableResult
    public func setAsideBroken() async throws(LoginError) -> [String] {
        let vaults = await look()
        var paths: [String] = []
        for closed in vaults.closed where closed.isBroken {
            if let path = try await vaults.setAside(closed) { paths.append(path) }
        }
        return paths
    }

    /// Waits until no exchange of tokens runs, and until what a sign-in was given is stored; keeps
    /// new ones from beginning. Await it before the program ends, as `SessionManager.drain()` says.
    public func drain() async { await kept.drain() }

    // MARK: For the command line

    /// Opens every vault that opens without asking the person.
    package func look(asksKeyring: Bool = true) async -> SessionVaults {
        await SessionVaults(places, opener: opener, accounts: kept, asksKeyring: asksKeyring)
    }

    /// Begins a sign-in.
    ///
    /// - Parameter onlyServer: the only server of the program; nil if it keeps sessions of any.
    package func beginSignIn(
        to name: String, usesKeyring: Bool = true, onlyServer: LoginServer? = nil
    ) async throws(LoginError) -> AccountSignIn {
        try await AccountSignIn(
            name, in: look(asksKeyring: usesKeyring), over: connection, usesKeyring: usesKeyring,
            onlyServer: onlyServer)
    }

    /// Closes the vaults.
    package func close() { opener.close() }
}
