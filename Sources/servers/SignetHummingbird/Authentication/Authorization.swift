// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Hummingbird
    public import SignetIdentity
    internal import SignetJOSE

    /// Admits only callers that may use a route; a guest is asked to sign in (401), anyone else
    /// gets 403.
    public struct Authorization<Context: SignedInRequestContext>: RouterMiddleware {
        private let refusal: HTTPRefusal
        private let isAllowed: @Sendable (Context.SignedIn) -> Bool

        /// Uses your own rule. If it returns false, the answer is 403.
        public init(_ isAllowed: @escaping @Sendable (Context.SignedIn) -> Bool) {
            self.init(.forbidden, isAllowed)
        }

        private init(
            _ refusal: HTTPRefusal, _ isAllowed: @escaping @Sendable (Context.SignedIn) -> Bool
        ) {
            self.refusal = refusal
            self.isAllowed = isAllowed
        }

        /// Continues, or throws.
        public func handle(
            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            guard let signedIn = context.signedIn else { throw NotSignedIn() }
            guard isAllowed(signedIn) else { throw NotAllowed(httpRefusal: refusal) }
            return try await next(request, context)
        }
    }

    /// The token is valid and does not allow this.
    struct NotAllowed: RefusesRequest {
        let httpRefusal: HTTPRefusal
    }

    extension Authorization where Context.SignedIn == VerifiedAccessToken {
        /// The token has all of these scopes. The answer names them (RFC 6750, section 3.1).
        public init(scopes: [String]) {
            self.init(.insufficientScope(scopes)) { token in scopes.allSatisfy(token.hasScope) }
        }

        /// The token has one of these roles, groups or permissions.
        public init(anyRoleOf roles: [String]) {
            self.init(.forbidden) { token in roles.contains(where: token.hasRole) }
        }
    }
#endif
