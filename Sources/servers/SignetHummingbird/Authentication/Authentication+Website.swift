// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    internal import Hummingbird
    public import SignetIdentity

    extension Authentication {
        /// Authenticates with a token in `Authorization`, or with the session of your website's
        /// visitors: the encrypted cookie of Auth.js.
        ///
        /// The source decides, not what a token looks like: the cookie goes to `website` and the
        /// field to `bearer`. An encrypted token in the field is refused, and so is a signed one in
        /// the cookie. A request with both is refused too (400), because they may be of two people.
        /// With the cookie, a request that changes something, or opens a WebSocket, must come from
        /// a page of these origins.
        ///
        /// ```swift
        /// return Authentication(
        ///     orWebsite: website, fromPagesOf: origins,
        ///     bearer: { Caller(try await cutOff.verify($0.exposedText)) },
        ///     session: { Caller(visitor: try await user(of: $0)) })
        /// ```
        ///
        /// - Parameters:
        ///   - website: opens the cookie.
        ///   - origins: the website's origins.
        ///   - guestsAreAllowed: whether a request without a token continues.
        ///   - clientsAreAllowed: whether a client's own token continues, if `bearer` returns a
        ///     `VerifiedAccessToken`. If it returns another type, `bearer` decides itself.
        ///   - bearer: verifies the token of `Authorization`; must throw errors that `HTTPRefusal`
        ///     knows.
        ///   - session: finds the user of an opened session, by a claim that the website's callback
        ///     `jwt` writes. For an unknown user it must throw an error that is answered 401, such as
        ///     `AccountError(.unknownUser, …)` or Hummingbird's `HTTPError(.unauthorized)`; an error
        ///     that `HTTPRefusal` does not know is answered 500.
        public init(
            orWebsite website: AuthJSSessions, fromPagesOf origins: SiteOrigins,
            guestsAreAllowed: Bool = false, clientsAreAllowed: Bool = false,
            bearer: @escaping @Sendable (BearerToken) async throws -> Context.SignedIn,
            session: @escaping @Sendable (AuthJSSession) async throws -> Context.SignedIn
        ) {
            self.init(
                guestsAreAllowed: guestsAreAllowed, clientsAreAllowed: clientsAreAllowed,
                read: { request in
                    let authorization = request.headers[values: .authorization]
                    let cookie = try website.tokenIfPresent(of: request)
                    guard authorization.isEmpty else {
                        let token = try BearerToken(authorization: authorization)
                        guard cookie == nil else { throw BearerTokenError.bothPresent }
                        guard !token.isEncrypted else { throw BearerTokenError.encryptedInField }
                        return { try await bearer(token) }
                    }
                    guard let cookie else { throw BearerTokenError.nothingPresent }
                    guard origins.allow(request) else { throw CrossSiteRequest() }
                    return { try await session(website.verify(cookie)) }
                })
        }
    }

    extension AuthJSSessions {
        /// The token in a request's cookies; nil if there is none.
        fileprivate func tokenIfPresent(
            of request: Request
        ) throws(BearerTokenError) -> AuthJSToken? {
            do {
                return try token(cookies: request.headers[values: .cookie])
            } catch {
                guard error.code == .missing else { throw error }
                return nil
            }
        }
    }

    extension BearerToken {
        /// Whether the token has the five parts of a compact JWE.
        fileprivate var isEncrypted: Bool {
            exposedText.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4
        }
    }

    extension BearerTokenError {
        fileprivate static var bothPresent: Self {
            Self(.conflict, "\"Authorization\" and the website's cookie hold a token each.")
        }

        fileprivate static var encryptedInField: Self {
            Self(.malformed, "An encrypted token is accepted from the cookie only.")
        }

        fileprivate static var nothingPresent: Self {
            Self(
                .missing, "The request presents no token, in \"Authorization\" or as a cookie.")
        }
    }
#endif
