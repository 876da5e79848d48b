// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
public import SignetIdentity

/// A sign-in service compatible with GoTrue (Supabase Auth): it turns requests into responses,
/// behind any HTTP server.
///
/// ```swift
/// let service = try await GoTrueService.open(
///     accounts, secret: secret, issuer: issuer, options: options)
/// // In the HTTP server: what follows /auth/v1, and the socket's peer.
/// let response = await service.answer(
///     GoTrueRequest(
///         method: "POST", path: "/otp", query: "",
///         fields: fields, body: Array(#"{"phone":"+14155551234"}"#.utf8),
///         client: proxies.client(peer: "198.51.100.3", forwarded: [])))
/// ```
///
/// Users are `People` of SignetAccounts: a user for each phone, mailbox or provider account, and
/// only the signed-in user can join them. Sessions are `RefreshTokens`, codes are `OneTimeCodes`,
/// and an `Outbox` sends the codes. Each decision is a single transaction, so several servers may
/// share the database.
///
/// **Not** included: administrators' calls and the service role, the implicit flow, factors other
/// than codes of an app, SAML, TLS, and CORS, which the HTTP server must allow.
public final class GoTrueService: Sendable {
    // The files GoTrueService+… in the order to read them:
    // 1. Helping: limits, the session of a request, and the response with a new one, for all calls.
    // 2. Codes, Verifying, Links, Tokens, SigningUp: a code, a link or a password for a session,
    //    and the next session tokens.
    // 3. IDTokens, Browser: the account of a provider, from an app or through a browser.
    // 4. Users, Addresses, Changed: the signed-in user, a new address, and its repeated response.
    // 5. Factors, Unlinking: second factors, and one way to sign in less.
    // 6. Ending: sign-out, and what is public.

    /// The audience of the access tokens.
    public static let audience = "authenticated"

    /// The sessions: to replace the issuer's keys (`RefreshTokens.use(_:)`), and to list and end
    /// sessions.
    public let sessions: RefreshTokens
    let database: any AccountDatabase
    let options: GoTrueOptions
    let health: DatabaseHealth
    let providers: GoTrueProviders
    let users: GoTrueUsers
    let codes: OneTimeCodes
    let limits: RateLimits
    let clients: KnownClients
    /// What a code grants once it is entered.
    let pending: PendingSignUps
    /// Responses to codes, for clients that lost them.
    let answers: RepeatedAnswers
    /// The texts by which clients name their codes.
    let challenges: ClientChallenges
    /// Refuses the access tokens of ended sessions.
    let cutOff: SessionCutOff
    /// Tells people of changes of their accounts.
    let notices: AccountNotices

    /// Opens the service, and creates missing tables, including SignetAccounts' tables.
    ///
    /// - Parameters:
    ///   - database: stores the rows.
    ///   - secret: the same for all servers of the database.
    ///   - issuer: issues the access tokens. Its audience is ``audience``; its name is the
    ///     service's address (`https://project.example/auth/v1`), where clients look for the keys.
    ///   - providers: by the names that clients use: `google`, `apple`, `custom:acme`.
    ///   - options: what is allowed.
    /// - Throws: `invalidParameter` for an issuer with a different audience, a provider's name, or
    ///   an option; `corrupt` for a database of a newer version; the database's errors.
    public static func open(
        _ database: any AccountDatabase, secret: AccountSecret, issuer: SessionTokenIssuer,
        providers: [String: GoTrueProvider] = [:], options: GoTrueOptions? = nil
    ) async throws(AccountError) -> GoTrueService {
        let options = if let options { options } else { try GoTrueOptions() }
        try options.check()
        guard issuer.audience.utf8.elementsEqual(audience.utf8) else {
            throw AccountError(
                .invalidParameter,
                "The audience of the access tokens is \"\(shown: issuer.audience)\" instead of "
                    + "\"\(shown: audience)\".")
        }
        let service = try GoTrueService(
            database, secret: secret, issuer: issuer, providers: providers, options: options)
        // SignetAccounts first: its password steps count as done once ours are, because earlier
        // versions made the table here.
        try await AccountSchema.migrate(database)
        try await AccountSchema.migrate(database, steps: GoTrueSchema.steps)
        return service
    }

    private init(
        _ database: any AccountDatabase, secret: AccountSecret, issuer: SessionTokenIssuer,
        providers: [String: GoTrueProvider], options: GoTrueOptions
    ) throws(AccountError) {
        let hooks = options.hooks
        let database: any AccountDatabase =
            hooks.areAsked ? HookedDatabase(inner: database, hooks: hooks) : database
        self.database = database
        self.options = options
        health = DatabaseHealth(
            RateLimits(database, secret: secret), clock: options.healthClock)
        self.providers = try GoTrueProviders(providers)
        let users = GoTrueUsers(
            people: People(database), factors: SecondFactors(database, secret: secret),
            providers: self.providers, hooks: hooks)
        self.users = users
        // For the sessions that the program itself begins or exchanges: `sessions` is public.
        sessions = try RefreshTokens(database: database, issuer: issuer, options: options.sessions)
        {
            (session, transaction) async throws(AccountError) in
            // A session of the program that begins has not been refreshed yet.
            let isRefresh = session.refreshedAt.secondsSince1970 > session.begunAt.secondsSince1970
            return try await users.contents(
                of: session, isRefresh: isRefresh, in: transaction
            ).claims
        }
        cutOff = try SessionCutOff(sessions)
        codes = OneTimeCodes(database, secret: secret, policy: options.codes)
        limits = RateLimits(database, secret: secret, report: options.report)
        clients = KnownClients(secret: secret)
        pending = PendingSignUps(secret)
        answers = RepeatedAnswers(secret, grace: options.sessions.grace)
        challenges = ClientChallenges(secret)
        notices = AccountNotices(database, secret: secret)
    }

    /// Answers a request. It always returns a response.
    public func answer(_ request: GoTrueRequest) async -> GoTrueResponse {
        let namesCodes = Self.asksForNamedCodes(request)
        let response: GoTrueResponse
        do {
            response = try await answer(to: try GoTrueRoute(request), for: request)
        } catch {
            response = error.response(namesCodes: namesCodes)
        }
        return namesCodes ? response.adding(name: Self.versionField, value: Self.version) : response
    }

    /// Deletes expired sessions, codes and limits, unfinished sign-ins, and the guests that
    /// ``GoTrueOptions/guestRetention`` names. Call it every hour. Without it the service works,
    /// but the database grows and guests stay.
    public func sweep() async throws(AccountError) { try await upkeep.sweep() }

    /// What ``sweep()`` does, for a task that does it every hour.
    package var upkeep: AccountSweep {
        let own = [
            PendingSignUps.ended, BrowserCodes.ended, RepeatedAnswers.ended, AddressChanges.ended,
            FactorChallenges.ended,
        ].map { EndedRows(database, statement: $0) }
        return AccountSweep(
            sessions, rows: own + sessions.ended + codes.ended + limits.ended,
            guests: options.guestRetention)
    }

    private static let versionField = "X-Supabase-Api-Version"
    /// The version since which errors have a textual code.
    private static let version = "2024-01-01"

    /// Whether a client asks for the errors of this version or a later one: a date like 2024-01-01,
    /// whose digits sort as its days.
    private static func asksForNamedCodes(_ request: GoTrueRequest) -> Bool {
        guard let date = request.value(of: versionField)?.utf8, date.count == version.utf8.count,
            date.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        return !date.lexicographicallyPrecedes(version.utf8)
    }

    private func answer(
        to route: GoTrueRoute, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        if route.needsKey, !options.accepts(request.value(of: "apikey")) { throw .apiKey }
        return switch route {
        case .authorize: try await authorize(request)
        case .callback(let name): try await callback(name, for: request)
        case .challengeFactor(let id): try await challengeFactor(id, for: request)
        case .code: try await sendCode(request)
        case .deleteUser: try await deleteUser(request)
        case .enrollFactor: try await enrollFactor(request)
        case .health: try await checkHealth()
        case .keys: try keys()
        case .logout: try await logOut(request)
        case .reauthenticate: try await reauthenticate(request)
        case .recover: try await recover(request)
        case .resend: try await resend(request)
        case .settings: try settings()
        case .signUp: try await signUp(request)
        case .token: try await token(request)
        case .unenrollFactor(let id): try await unenrollFactor(id, for: request)
        case .unlink(let id): try await unlink(id, for: request)
        case .updateUser: try await updateUser(request)
        case .user: try await user(request)
        case .verify: try await verify(request)
        case .verifyFactor(let id): try await verifyFactor(id, for: request)
        }
    }
}
