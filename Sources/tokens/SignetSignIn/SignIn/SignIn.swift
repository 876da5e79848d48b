// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetIdentity
internal import SignetJOSE

/// Signs people in at a provider with an authorization code (OpenID Connect Core 1.0, section 3.1).
/// A single object does the whole flow, for a server or a native program.
///
/// ```swift
/// let signIn = try SignIn(
///     .google(clientIDs: ["1093-web.apps.googleusercontent.com"]),
///     authentication: .clientSecretPost(clientSecret), redirectURI: "https://app.example/callback",
///     keeping: .cookie(sealedWith: key), transport: .curl)
/// // GET /sign-in: 303 to the address, with the cookie.
/// let begun = try await signIn.begin(applicationState: "/inbox")
/// // GET /callback: what follows the "?", and the request's Cookie field.
/// let done = try await signIn.finish(query: query, cookies: cookies)
/// print("signed in:", done.identity.identityKey, "on the way to", done.applicationState)
/// ```
///
/// Random texts bind the answers to this sign-in: the state the callback, the nonce the ID token,
/// and the PKCE verifier the code. They are new for each sign-in, sealed, and expire after 10
/// minutes. `finish` checks the callback (``AuthorizationCallback``), exchanges the code once, and
/// verifies the ID token (`IDTokenVerifier`), which must be for this client, before it returns any
/// token. **Not** checked: whether this person may use the application; `at_hash`, because ID token
/// and access token come in the same response.
public struct SignIn: Sendable {
    /// Verifies the ID tokens. Use it also for ID tokens that come by another way, such as from
    /// apps.
    public let verifier: IDTokenVerifier
    /// The target of the provider's response.
    public let redirectURI: String
    let schemes: [String]
    let flow: CodeFlow
    let clientID: String
    let authentication: ClientAuthentication
    let transport: any IdentityTransport
    let source: EndpointSource
    let timeout: Duration
    private let clock: TimeSource
    private let keeper: SignInKeeper
    private let cookie: SignInCookie

    /// Makes a way to sign in. Fetches nothing yet.
    ///
    /// - Parameters:
    ///   - provider: where people sign in. Its `codeFlow` has the endpoints, the scopes, and
    ///     whether PKCE and a nonce bind the code; the first of its `clientIDs` is the client that
    ///     people sign in with.
    ///   - authentication: how the client authenticates at the token endpoint.
    ///   - redirectURI: as registered at the provider.
    ///   - schemes: schemes without a dot that this URI, and the URI that a logout returns to, may
    ///     have, as for ``RedirectURIs``.
    ///   - keeping: where a sign-in waits for its callback.
    ///   - transport: sends the requests.
    ///   - decryption: whether ID tokens may or must be encrypted, and the keys that decrypt them.
    ///     The keys also decrypt userinfo answers where those are expected encrypted
    ///     (``userInfo(of:expecting:)``). Publish the current key
    ///     (`DecryptionKeySet.jwksJSON(beside:)`), or register it at the provider.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for a provider without a code flow (Firebase, Supabase), scopes
    ///   without `openid`, and no PKCE without a client secret; `invalidURL`; `invalidSecret` for
    ///   a sealing key that does not have 32 bytes, and an empty or overlong client secret; the
    ///   errors of `IDTokenVerifier`.
    public init(
        _ provider: IdentityProvider, authentication: ClientAuthentication, redirectURI: String,
        schemes: [String] = [], keeping: Keeping, transport: some IdentityTransport,
        decryption: IDTokenVerifier.Decryption = .notOffered,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        (flow, clientID) = try Self.checkedFlow(of: provider, authentication: authentication)
        try RedirectURIs.check(redirectURI, schemes: schemes)
        try keeping.check()
        try authentication.check()
        let hasSecret = provider.keySource.isSecret
        verifier = try IDTokenVerifier(
            provider, keys: hasSecret ? .ownSecret : .fetched(over: transport),
            decryption: decryption, options: options)
        // The metadata are fetched within these limits, even if no keys are fetched.
        if hasSecret { try options.keySet.validate() }
        self.authentication = authentication
        self.redirectURI = redirectURI
        self.schemes = schemes
        self.transport = transport
        // A longer timeout than for keys: once a code is spent, a timeout loses the sign-in.
        timeout = max(.seconds(10), options.keySet.timeout)
        clock = options.clock
        keeper = SignInKeeper(
            keeping, context: "\(provider.issuerName)\n\(clientID)\n\(redirectURI)")
        cookie = SignInCookie(flow.responseMode)
        source = EndpointSource(flow.endpoints, transport: transport, options: options.keySet)
    }

    /// Begins a sign-in: gives the browser's target, and the ticket that it must bring back.
    ///
    /// Anyone can begin sign-ins: if `keeping` is a store, limit the calls per address.
    ///
    /// - Parameters:
    ///   - applicationState: a text of the program, up to 256 bytes, that comes back as
    ///     ``Finished/applicationState``, such as where the person wanted to go. The text is
    ///     sealed, but it came from a request: check it against an allow-list.
    ///   - additional: further parameters, such as `prompt`, `login_hint` or `hd`. The result of
    ///     `max_age` is not checked: see `VerifiedIdentity.authenticationTime`.
    public func begin(
        applicationState: String = "",
        additional: [(name: String, value: String)] = []
    ) async throws(SignInError) -> Begun {
        // First, because a text that is too long needs no provider. The types of the closures are
        // written out, because Swift does not infer the type of their errors.
        let pending = try await SignInError.translatingErrors {
            () async throws(AuthorizationError) in
            try PendingSignIn(flow, applicationState: applicationState)
        }
        let endpoints = try await endpoints()
        let request = try makeRequest(pending, endpoints: endpoints, additional: additional)
        let ticket = try await SignInError.translatingErrors {
            () async throws(AuthorizationError) in
            try await keeper.keep(pending, now: now)
        }
        return Begun(
            url: request.url, ticket: ticket, setCookie: cookie.set(ticket, for: pending.state),
            state: pending.state)
    }

    /// Finishes a browser's sign-in.
    ///
    /// - Parameters:
    ///   - query: the text after the question mark of the requested address, or the body of a POST
    ///     if the provider responds that way (Apple).
    ///   - cookies: the value of the request's `Cookie` field; join several with `; `.
    /// - Throws: ``SignInError``, whose `shouldBeginAgain` says when to send the person back to the
    ///   beginning. The cookie need not be cleared then: it expires by itself.
    public func finish(query: String, cookies: String) async throws(SignInError) -> Finished {
        try await finish(query: query, ticket: try await ticket(for: query, in: cookies))
    }

    /// Finishes a native program's sign-in, with the whole requested address.
    ///
    /// - Throws: the errors of ``finish(query:cookies:)``; `redirectMismatch` or `fragment` for an
    ///   address that is not the redirect URI's.
    public func finish(url: String, ticket: String) async throws(SignInError) -> Finished {
        let query = try await SignInError.translatingErrors { () async throws(AuthorizationError) in
            try AuthorizationCallback.query(of: url, redirectURI: redirectURI)
        }
        return try await finish(query: query, ticket: ticket)
    }

    /// Finishes a sign-in whose ticket the program has kept itself.
    ///
    /// - Parameters:
    ///   - query: the text after the `?` of the requested address.
    ///   - ticket: ``Begun/ticket``, from a place that only this browser has access to.
    /// - Throws: the errors of ``finish(query:cookies:)``.
    public func finish(query: String, ticket: String) async throws(SignInError) -> Finished {
        let (pending, endpoints) = try await takePending(query, ticket: ticket)
        return try await finishPending(query, for: pending, endpoints: endpoints)
    }

    /// Like ``finish(query:cookies:)``, but also gives the application's state if the provider or
    /// its response ended the sign-in, so that the person can be sent back to where the sign-in
    /// began; nil if no sign-in was pending. The text is always the text that this program gave
    /// ``begin(applicationState:additional:)``, never a browser's own.
    public func attempt(
        query: String, cookies: String
    ) async -> (applicationState: String?, result: Result<Finished, SignInError>) {
        do {
            let ticket = try await ticket(for: query, in: cookies)
            let (pending, endpoints) = try await takePending(query, ticket: ticket)
            let result = await Result(of: { () async throws(SignInError) in
                try await finishPending(query, for: pending, endpoints: endpoints)
            })
            return (pending.applicationState, result)
        } catch { return (nil, .failure(error)) }
    }

    /// The ticket in the cookie of the callback's state. Without that cookie the ticket is empty,
    /// which no sign-in has (`notPending`).
    private func ticket(for query: String, in cookies: String) async throws(SignInError) -> String {
        try await SignInError.translatingErrors { () async throws(AuthorizationError) in
            SignInCookie.ticket(in: cookies, for: try AuthorizationCallback.state(of: query)) ?? ""
        }
    }

    /// Takes the pending sign-in, once everything is at hand that finishing it needs.
    private func takePending(
        _ query: String, ticket: String
    ) async throws(SignInError) -> (PendingSignIn, SignInEndpoints) {
        // Endpoints and keys are fetched before the sign-in is taken, so that an outage loses none.
        let endpoints = try await endpoints()
        try await requireKeys()
        let pending = try await SignInError.translatingErrors {
            () async throws(AuthorizationError) in
            try await keeper.take(
                ticket, state: try AuthorizationCallback.state(of: query), now: now)
        }
        return (pending, endpoints)
    }

    /// Checks the response, spends its code and verifies the ID token.
    private func finishPending(
        _ query: String, for pending: PendingSignIn, endpoints: SignInEndpoints
    ) async throws(SignInError) -> Finished {
        let callback = try await SignInError.translatingErrors {
            () async throws(AuthorizationError) in
            try readCallback(query, for: pending, endpoints: endpoints)
        }
        let tokens = try await exchangeCode(callback.code, for: pending, endpoints: endpoints)
        let identity = try await verifyIdentity(tokens, for: pending)
        return Finished(
            identity: identity, tokens: tokens, callback: callback,
            applicationState: pending.applicationState,
            clearedCookie: cookie.clear(for: pending.state))
    }

    /// Seconds since 1970.
    private var now: Int64 { ExpiringSeal.secondsSince1970(by: clock) }
}
