// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Hummingbird
    public import SignetIdentity
    internal import SignetJOSE

    /// Verifies the token of a request, and puts the user into the context.
    ///
    /// With `guestsAreAllowed`, a request without a token continues as a guest's; a request with a
    /// rejected token never does. The context says who may use a route: ``MemberContext``.
    ///
    /// A token whose principal is a client (`VerifiedAccessToken.Principal`), not a user, is refused
    /// with 403 unless `clientsAreAllowed`: give routes for clients a group of their own.
    public struct Authentication<Context: SignedInRequestContext>: RouterMiddleware {
        /// Verifies the token that a request was found to have.
        typealias Verification = @Sendable () async throws -> Context.SignedIn

        private let guestsAreAllowed: Bool
        private let clientsAreAllowed: Bool
        private let read: @Sendable (Request) throws -> Verification

        /// Authenticates with your own verification.
        ///
        /// - Parameters:
        ///   - source: where the token is.
        ///   - guestsAreAllowed: whether a request without a token continues.
        ///   - clientsAreAllowed: whether a client's own token continues, if `verify` returns a
        ///     `VerifiedAccessToken`. If it returns another type, `verify` decides itself.
        ///   - verify: must throw errors that `HTTPRefusal` knows, so an unavailable store gives
        ///     503 and a rejected token 401.
        public init(
            from source: TokenSource = .authorization, guestsAreAllowed: Bool = false,
            clientsAreAllowed: Bool = false,
            verify: @escaping @Sendable (BearerToken) async throws -> Context.SignedIn
        ) {
            self.init(
                guestsAreAllowed: guestsAreAllowed, clientsAreAllowed: clientsAreAllowed,
                read: { request in
                    let token = try source.token(of: request)
                    return { try await verify(token) }
                })
        }

        /// Authenticates with the token that `read` finds in a request. It throws `missing` for a
        /// request without one.
        init(
            guestsAreAllowed: Bool, clientsAreAllowed: Bool,
            read: @escaping @Sendable (Request) throws -> Verification
        ) {
            self.guestsAreAllowed = guestsAreAllowed
            self.clientsAreAllowed = clientsAreAllowed
            self.read = read
        }

        /// Continues with the user in the context, or throws.
        public func handle(
            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            var context = context
            if let verify = try readUnlessGuest(request) {
                let signedIn = try await verify()
                if !clientsAreAllowed, let accessToken = signedIn as? VerifiedAccessToken,
                    case .client = accessToken.principal
                {
                    throw ClientNotAllowed()
                }
                context.signedIn = signedIn
            }
            return try await next(request, context)
        }

        /// How to verify the request's token; nil for a guest's request, which has none.
        private func readUnlessGuest(_ request: Request) throws -> Verification? {
            do {
                return try read(request)
            } catch let error as BearerTokenError where error.code == .missing && guestsAreAllowed {
                return nil
            }
        }
    }

    extension Authentication where Context.SignedIn == VerifiedAccessToken {
        /// Authenticates with another issuer's access tokens.
        ///
        /// - Parameters:
        ///   - verifier: verifies the token.
        ///   - scopes: each request needs all of them; ``Authorization`` requires more on single
        ///     routes.
        ///   - source: where the token is.
        ///   - guestsAreAllowed: whether a request without a token continues.
        ///   - clientsAreAllowed: whether a client's own token continues.
        public init(
            _ verifier: AccessTokenVerifier, scopes: [String] = [],
            from source: TokenSource = .authorization, guestsAreAllowed: Bool = false,
            clientsAreAllowed: Bool = false
        ) {
            self.init(
                from: source, guestsAreAllowed: guestsAreAllowed,
                clientsAreAllowed: clientsAreAllowed
            ) { token in
                try await verifier.verify(token.exposedText, scopes: scopes)
            }
        }
    }

    extension Authentication where Context.SignedIn == VerifiedSession {
        /// Authenticates with the application's own session tokens. **Not** checked: whether the
        /// session was ended.
        public init(
            _ sessions: RotatingSessionIssuer, from source: TokenSource = .authorization,
            guestsAreAllowed: Bool = false
        ) {
            self.init(from: source, guestsAreAllowed: guestsAreAllowed) { try sessions.verify($0) }
        }
    }
#endif
