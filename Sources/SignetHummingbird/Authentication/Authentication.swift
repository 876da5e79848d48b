// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Hummingbird
    public import SignetIdentity
    internal import SignetJOSE

    /// Verifies the token that a request presents, and puts who it is into the context.
    ///
    /// A request without a token goes on as a guest's where `guests` are allowed; one with a token
    /// that is refused never does. Who a route is for says its context: ``MemberContext``.
    public struct Authentication<Context: SignedInRequestContext>: RouterMiddleware {
        private let source: TokenSource
        private let guestsAreAllowed: Bool
        private let verify: @Sendable (BearerToken) async throws -> Context.SignedIn

        /// Authentication by a verification of your own.
        ///
        /// - Parameters:
        ///   - source: where the token is.
        ///   - guestsAreAllowed: whether a request without a token goes on.
        ///   - verify: throws what `HTTPRefusal` knows, so that a store that is out of reach is
        ///     answered 503 and a refused token 401.
        public init(
            from source: TokenSource = .authorization, guestsAreAllowed: Bool = false,
            verify: @escaping @Sendable (BearerToken) async throws -> Context.SignedIn
        ) {
            self.source = source
            self.guestsAreAllowed = guestsAreAllowed
            self.verify = verify
        }

        /// Goes on with who it is in the context, or throws.
        public func handle(
            _ request: Request, context: Context,
            next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            var context = context
            if let token = try presented(by: request) {
                context.signedIn = try await verify(token)
            }
            return try await next(request, context)
        }

        private func presented(by request: Request) throws -> BearerToken? {
            do {
                return try source.token(of: request)
            } catch let error as BearerTokenError where error.code == .missing && guestsAreAllowed {
                return nil
            }
        }
    }

    extension Authentication where Context.SignedIn == VerifiedAccessToken {
        /// Authentication by the access tokens of another issuer.
        ///
        /// - Parameters:
        ///   - verifier: verifies the token.
        ///   - scopes: each request needs all of them; ``Authorization`` asks for more on single
        ///     routes.
        ///   - source: where the token is.
        ///   - guestsAreAllowed: whether a request without a token goes on.
        public init(
            _ verifier: AccessTokenVerifier, scopes: [String] = [],
            from source: TokenSource = .authorization, guestsAreAllowed: Bool = false
        ) {
            self.init(from: source, guestsAreAllowed: guestsAreAllowed) { token in
                try await verifier.verify(token.exposedText, scopes: scopes)
            }
        }
    }

    extension Authentication where Context.SignedIn == VerifiedSession {
        /// Authentication by session tokens of the application's own. Whether the session was ended
        /// is not looked at.
        public init(
            _ sessions: RotatingSessionIssuer, from source: TokenSource = .authorization,
            guestsAreAllowed: Bool = false
        ) {
            self.init(from: source, guestsAreAllowed: guestsAreAllowed) { try sessions.verify($0) }
        }
    }
#endif
