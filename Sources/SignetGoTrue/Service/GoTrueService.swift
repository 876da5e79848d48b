// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
public import SignetIdentity

/// A sign-in service that speaks as GoTrue does (Supabase Auth): requests in, answers out, behind
/// any HTTP server.
///
/// ```swift
/// let service = try await GoTrueService.open(
///     accounts, secret: secret, issuer: issuer, options: options)
/// ```
///
/// Users are `People` of SignetAccounts: one for each phone, mailbox or account at a provider, and
/// only the signed-in user can join them. Sessions are `RefreshTokens`, codes `OneTimeCodes`, which
/// an `Outbox` sends. Each decision is one transaction, so several servers may share the database.
///
/// **Not** here: administrators' calls and the service role, links in mails, the implicit flow,
/// factors, SAML, TLS, and CORS, which is for the HTTP server to allow.
public final class GoTrueService: Sendable {
    /// The audience of the access tokens.
    public static let audience = "authenticated"

    /// The sessions: to exchange the issuer's keys (`RefreshTokens.use(_:)`), to list and to end
    /// them.
    public let sessions: RefreshTokens
    let database: any AccountDatabase
    let options: GoTrueOptions
    let providers: GoTrueProviders
    let users: GoTrueUsers
    let codes: OneTimeCodes
    let limits: RateLimits
    let pending: PendingSignUps
    let cutOff: SessionCutOff

    /// Opens the service, and makes its tables where they are missing.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the same for all servers of the database.
    ///   - issuer: of the access tokens. Its audience is ``audience``; its name the place of the
    ///     service (`https://project.example/auth/v1`), where clients look for the keys.
    ///   - providers: by the names that clients give them: `google`, `apple`, `custom:acme`.
    ///   - options: what is allowed.
    /// - Throws: `invalidParameter` for an issuer with another audience, the name of a provider, or
    ///   an option; `corrupt` for a database of a newer version; as the database.
    public static func open(
        _ database: any AccountDatabase, secret: AccountSecret, issuer: SessionTokenIssuer,
        providers: [String: GoTrueProvider] = [:], options: GoTrueOptions? = nil
    ) async throws(AccountError) -> GoTrueService {
        let options = if let options { options } else { try GoTrueOptions() }
        try options.check()
        guard issuer.audience.utf8.elementsEqual(audience.utf8) else {
            throw AccountError(
                .invalidParameter, "The audience of the access tokens is \"\(audience)\".")
        }
        let service = try GoTrueService(database, secret, issuer, providers, options)
        try await AccountSchema.migrate(database, GoTrueSchema.steps)
        return service
    }

    private init(
        _ database: any AccountDatabase, _ secret: AccountSecret, _ issuer: SessionTokenIssuer,
        _ providers: [String: GoTrueProvider], _ options: GoTrueOptions
    ) throws(AccountError) {
        (self.database, self.options) = (database, options)
        self.providers = try GoTrueProviders(providers)
        let users = GoTrueUsers(people: People(database), providers: self.providers)
        self.users = users
        sessions = try RefreshTokens(database: database, issuer: issuer, options: options.sessions)
        {
            (session, transaction) async throws(AccountError) in
            try await users.claims(of: session, in: transaction)
        }
        cutOff = try SessionCutOff(sessions)
        codes = OneTimeCodes(database, secret: secret, policy: options.codes)
        limits = RateLimits(database, secret: secret)
        pending = PendingSignUps(secret)
    }

    /// Answers a request. Every request has an answer.
    public func answer(_ request: GoTrueRequest) async -> GoTrueResponse {
        let namesCodes = Self.namesCodes(request)
        let response: GoTrueResponse
        do throws(GoTrueRefusal) {
            response = try await answer(to: try GoTrueRoute(request), request)
        } catch {
            response = error.response(namesCodes: namesCodes)
        }
        return namesCodes ? response.adding(Self.versionField, Self.version) : response
    }

    /// Deletes sessions, codes and limits that have ended, and unfinished sign-ins. Call it every
    /// hour. Only the size of the database depends on it.
    public func sweep() async throws(AccountError) {
        let own = [PendingSignUps.ended, BrowserCodes.ended].map { EndedRows(database, $0) }
        try await EndedRows.delete(own + sessions.ended + codes.ended + limits.ended)
    }

    private static let versionField = "X-Supabase-Api-Version"
    /// Since then errors have a code of letters.
    private static let version = "2024-01-01"

    private static func namesCodes(_ request: GoTrueRequest) -> Bool {
        guard let date = request.value(of: versionField)?.utf8, date.count == version.utf8.count,
            date.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        return !date.lexicographicallyPrecedes(version.utf8)
    }

    private func answer(
        to route: GoTrueRoute, _ request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        if route.needsKey, !options.takes(request.value(of: "apikey")) { throw .apiKey }
        return switch route {
        case .authorize: try await authorize(request)
        case .callback(let name): try await callback(name, request)
        case .code: try await sendCode(request)
        case .deleteUser: try await deleteUser(request)
        case .health: try await health()
        case .keys: try keys()
        case .logout: try await logOut(request)
        case .reauthenticate: try await reauthenticate(request)
        case .recover: try await recover(request)
        case .resend: try await resend(request)
        case .settings: try settings()
        case .signUp: try await signUp(request)
        case .token: try await token(request)
        case .updateUser: try await updateUser(request)
        case .user: try await user(request)
        case .verify: try await verify(request)
        }
    }
}
