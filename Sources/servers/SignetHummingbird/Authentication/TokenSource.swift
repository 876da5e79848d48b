// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    internal import Hummingbird
    public import SignetIdentity

    /// Where a request may present its token.
    public struct TokenSource: Sendable {
        private let cookie: (SessionCookie, SiteOrigins)?

        /// `Authorization: Bearer`, for programs, and pages that hold their token themselves.
        public static let authorization = TokenSource(cookie: nil)

        /// `Authorization: Bearer` or a cookie. A token in the cookie alone is accepted for a
        /// request that changes something, or opens a WebSocket, only if a page of these origins
        /// has sent it.
        public static func authorization(
            or cookie: SessionCookie, fromPagesOf origins: SiteOrigins
        ) -> TokenSource {
            TokenSource(cookie: (cookie, origins))
        }

        /// - Throws: `BearerTokenError`; ``CrossSiteRequest``.
        func token(of request: Request) throws -> BearerToken {
            let authorization = request.headers[values: .authorization]
            guard let (cookie, origins) = cookie else {
                return try BearerToken(authorization: authorization)
            }
            let presented = try cookie.token(
                authorization: authorization, cookies: request.headers[values: .cookie])
            guard presented.source == .authorization || origins.allow(request) else {
                throw CrossSiteRequest()
            }
            return presented.token
        }
    }

    extension SiteOrigins {
        /// Whether a request that a cookie authenticates may change something.
        func allow(_ request: Request) -> Bool {
            allow(
                method: request.method.rawValue, origin: request.headers[values: .origin],
                upgrade: request.headers[values: .upgrade])
        }
    }
#endif
