// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging
internal import SignetCrypto
internal import SignetEmail
internal import SignetHummingbirdAccounts

typealias Guest = GuestContext<Caller>
/// The context of routes that are for people who are signed in.
typealias Member = MemberContext<Guest>

/// What the routes share, and the one way to sign a user in.
struct Services: Sendable {
    let configuration: ServerConfiguration
    let proxies: TrustedProxies
    let database: any AccountDatabase
    let people: People
    let limits: RateLimits
    let notices: AccountNotices
    let codes: OneTimeCodes
    let keys: SigningKeys
    let sessions: RefreshTokens
    /// Issues tokens of 30 days for the same sessions, for clients that do not refresh.
    let longTokens: RotatingSessionIssuer
    let cookie: SessionCookie
    let verifiers: [IDTokenVerifier]
    /// The providers with which browsers sign in.
    let browsers: [SignIn]

    init(
        _ configuration: ServerConfiguration, _ database: any AccountDatabase, _ key: SecretKey,
        _ transport: some IdentityTransport, _ logger: Logger
    ) async throws {
        var verification = configuration.verification
        // Asks an issuer for development for new keys after a short time: no provider has to be
        // protected from this server.
        if configuration.developmentIssuer != nil { verification.keySet.cooldown = .seconds(1) }
        verification.keySet.onEvent = { logger.log($0) }
        self.configuration = configuration
        self.database = database
        proxies = configuration.proxies.reportingIgnoredField {
            logger.warning("X-Forwarded-For of a peer that AUTH_PROXIES does not name is ignored")
        }
        let secret = try AccountSecret(key)
        people = People(database, requiring: [.fullName])
        limits = RateLimits(database, secret: secret) { logger.warning("\($0)") }
        notices = AccountNotices(database, secret: secret)
        codes = OneTimeCodes(database, secret: secret)
        let keys = try await SigningKeys.open(
            in: .database(database, secret: secret), clock: verification.clock)
        func issuer(_ seconds: Int) throws -> SessionTokenIssuer {
            try SessionTokenIssuer(
                issuer: configuration.issuer, audience: "\(configuration.issuer)/session",
                keys: keys.ring, lifetime: .seconds(seconds), clock: verification.clock)
        }
        self.keys = keys
        var options = RefreshTokenOptions()
        options.idleLifetime = .seconds(30 * 86_400)
        options.onEvent = { _ in logger.warning("a refresh token was used again") }
        sessions = try RefreshTokens(database: database, issuer: issuer(3_600), options: options)
        cookie = try SessionCookie()
        longTokens = RotatingSessionIssuer(try issuer(2_592_000))
        verifiers = try configuration.providers.map {
            try IDTokenVerifier($0.provider, keys: .fetched(over: transport), options: verification)
        }
        let cookieKey = try KeyDerivation.hkdf(key, info: Array("sign-in".utf8), byteCount: 32)
        browsers = try configuration.providers.compactMap { provider, authentication in
            guard let authentication else { return nil }
            return try SignIn(
                provider, authentication: authentication,
                redirectURI: "\(configuration.issuer)/signin/\(provider.name)/callback",
                keeping: .cookie(sealedWith: cookieKey), transport: transport,
                options: verification)
        }
    }

    /// Signs in a person for whom a provider vouches, unless the e-mail policy refuses their
    /// organisation.
    func signIn(
        _ identity: VerifiedIdentity, _ request: Request, _ logger: Logger
    ) async throws -> SignedIn {
        try check(identity, logger)
        let signedIn = try await database.transaction { (transaction) throws(AccountError) in
            try await begin(
                UserIdentity(identity.identityKey), ProfileValues(identity), request, transaction)
        }
        log("signed in", signedIn.user.id, logger)
        return signedIn
    }

    typealias SignedIn = (user: UserAccount, tokens: IssuedTokens)

    /// Makes the user, the profile and the session, together or not at all. An ID token can be
    /// presented again until it expires. The limit of 30 sign-ins of a user at once, then one every
    /// two minutes, keeps that from filling the database and from ending other sessions.
    func begin(
        _ identity: UserIdentity, _ told: ProfileValues, _ request: Request,
        _ transaction: any AccountTransaction
    ) async throws(AccountError) -> SignedIn {
        let user = try await people.findOrAdd(identity, profile: told, in: transaction).user
        try await limits.take(
            .codesFromAddress, name: "entry", for: .account(user.id), in: transaction)
        let device = request.headers[.userAgent]
        return (user, try await sessions.begin(for: user.id, device: device, in: transaction))
    }

    func longToken(_ signedIn: SignedIn) throws -> IssuedSessionToken {
        try longTokens.issue(subject: signedIn.user.id, sessionID: signedIn.tokens.session.id)
    }

    /// Refuses with 403, not 401: the person has proved who they are, and trying again does not
    /// help. Only the log says which rule refused, and whether the domain is known here.
    func check(_ identity: VerifiedIdentity, _ logger: Logger) throws {
        let verdict = configuration.emailPolicy?.verdict(for: identity.email)
        guard let verdict, !verdict.isAllowed else { return }
        logger.info("not allowed", metadata: ["reason": "email.\(verdict.name)"])
        throw HTTPError(.forbidden)
    }

    /// Logs a short tag for the user: enough to find the lines that belong together.
    func log(_ message: String, _ userID: String, _ logger: Logger) {
        logger.notice("\(message)", metadata: ["user": "\(userID.prefix(8))"])
    }
}
