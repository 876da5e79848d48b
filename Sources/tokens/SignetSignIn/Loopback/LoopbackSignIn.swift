// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE
internal import SignetPlatform

/// Signs a person in through this machine's browser (RFC 8252). The response comes to a port of
/// 127.0.0.1 that the system chooses.
///
/// ```swift
/// let signIn = try LoopbackSignIn(
///     .openID(issuer: "https://idp.example", clientIDs: ["desktop"]), transport: .curl)
/// let done = try await signIn.run { try? SystemBrowser.open($0) }
/// return done.identity.identityKey
/// ```
///
/// 1. The browser is given an address of the port, `http://127.0.0.1:PORT/go/…`, unguessable and
///    good for one call, which sends it on to the provider.
/// 2. The person signs in there. The browser comes back to `/callback` with a code, and shows a
///    fixed page. The port is closed.
/// 3. ``SignIn`` exchanges the code for tokens and verifies the ID token. PKCE, state and nonce,
///    which bind code, callback and token to this sign-in, are new each time.
///
/// Register `http://127.0.0.1/callback` at the provider, for any port if the provider supports that
/// (RFC 8252, section 7.3).
///
/// Other users may read the address in the list of processes, and gain nothing: address and
/// callback answer only programs of this user and of root, by the owner of the caller's socket.
/// Another user's request gets 403 or 404 and ends nothing, however many requests there are and
/// however slowly they come; connections of another user do not close this user's. A web page's
/// request lacks this address and the `state`, and gets 404.
///
/// **Not** checked: which of this user's programs calls. Where the system does not say whose a
/// connection is (another network namespace, a sandbox without `/proc`), every caller counts as
/// this user: the first caller can sign in in this person's place. The person's own call is then
/// the second, which ends the sign-in unless it has ended before.
public struct LoopbackSignIn: Sendable {
    private let provider: IdentityProvider
    private let authentication: ClientAuthentication
    private let port: UInt16
    private let path: String
    private let timeout: Duration
    private let transport: any IdentityTransport
    private let options: TokenVerificationOptions

    /// Makes a way to sign in. Does not listen yet.
    ///
    /// - Parameters:
    ///   - provider: where people sign in.
    ///   - authentication: how the program authenticates. A native program cannot keep a secret,
    ///     but some providers require it to send a secret.
    ///   - port: 0 lets the system choose; a fixed port is for a provider that compares ports.
    ///   - path: the path of the redirect URI, as registered.
    ///   - timeout: the time for the person, 1 to 600 s.
    ///   - transport: sends the requests.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `outOfRange` for a timeout outside its range; the errors of ``SignIn``.
    public init(
        _ provider: IdentityProvider, authentication: ClientAuthentication = .none,
        port: UInt16 = 0, path: String = "/callback", timeout: Duration = .seconds(300),
        transport: some IdentityTransport,
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        let fault = ParameterRange(
            "timeout", value: timeout, in: .seconds(1) ... .seconds(600)
        ).fault
        if let fault { throw IdentityConfigurationError(.outOfRange, fault) }
        self.provider = provider
        self.authentication = authentication
        self.port = port
        self.path = path
        self.timeout = timeout
        self.transport = transport
        self.options = options
        // Reports errors in the settings now. Any port will do: nothing listens yet.
        _ = try signIn(port: 1)
    }

    /// Signs in: listens, shows the address, and waits for the response.
    ///
    /// - Parameters:
    ///   - additional: further parameters of the request, such as `prompt` or `login_hint`.
    ///   - show: receives the address for the browser, to open or print it:
    ///     `http://127.0.0.1:PORT/go/…`. The address works once, with a browser of this user on
    ///     this machine. `show` is awaited, so it must not wait for the person.
    /// - Throws: `expired` if no response came in time, `openedTwice` if the address was opened a
    ///   second time, `unavailable` if no port can be opened, `cancelled`; the errors of
    ///   ``SignIn/begin(applicationState:additional:)`` and ``SignIn/finish(query:ticket:)``.
    public func run(
        additional: [(name: String, value: String)] = [],
        showing show: @Sendable (_ address: String) async -> Void
    ) async throws(SignInError) -> SignIn.Finished {
        let listener: LoopbackListener
        do throws(SystemFailure) {
            listener = try LoopbackListener(port: port)
        } catch {
            throw .authorization(
                AuthorizationError(.unavailable, "Cannot open a port for the answer: \(error)."))
        }
        let signIn: SignIn
        do {
            signIn = try self.signIn(port: listener.port)
        } catch {
            throw .configuration(error)
        }
        let begun = try await signIn.begin(additional: additional)
        let answers: LoopbackAnswers
        do {
            answers = try LoopbackAnswers(begun, path: path)
        } catch {
            throw .authorization(error)
        }
        await show("http://127.0.0.1:\(listener.port)\(answers.start)")
        let query = try await waitForQuery(answers, at: listener)
        return try await signIn.finish(query: query, ticket: begun.ticket)
    }

    /// The flow of this one sign-in, whose response comes to `port`. It waits in memory, since the
    /// program itself gets the response.
    private func signIn(port: Int) throws(IdentityConfigurationError) -> SignIn {
        try SignIn(
            provider, authentication: authentication,
            redirectURI: "http://127.0.0.1:\(port)\(path)",
            keeping: .store(MemorySignInStore(maximumCount: 1, clock: options.clock)),
            transport: transport, options: options)
    }

    /// The query of the callback, once the browser has its page. Stops waiting after the timeout.
    private func waitForQuery(
        _ answers: LoopbackAnswers, at listener: LoopbackListener
    ) async throws(SignInError) -> String {
        let timer = Task { [clock = options.clock, timeout] in
            await clock.sleep(for: timeout)
            if !Task.isCancelled { listener.stop() }
        }
        // Nil if the listener was stopped: by the timer, or since this task is cancelled.
        let end = await listener.serve(answers.answer)
        timer.cancel()
        switch end {
        case .response(let query)?: return query
        case .openedTwice?:
            throw .authorization(
                AuthorizationError(
                    .openedTwice,
                    "The address for the browser works once, and was opened a second time: by a "
                        + "browser again, or by somebody else first. Begin again, and open the new "
                        + "address once."))
        case nil where Task.isCancelled:
            throw .authorization(AuthorizationError(.cancelled, "The sign-in was cancelled."))
        case nil: throw .authorization(expired(refusedUser: answers.refusedUser))
        }
    }

    /// - Parameter user: the user, other than this one, whose program opened the address.
    private func expired(refusedUser user: UInt32?) -> AuthorizationError {
        let refused: ErrorMessage? = user.map {
            " The user with the number \($0) opened the address and was refused: use a browser of "
                + "the user who begins the sign-in."
        }
        return AuthorizationError(
            .expired,
            "No answer came from the browser within \(timeout).\(refused ?? "")")
    }
}

extension LoopbackSignIn: Redacted {}
