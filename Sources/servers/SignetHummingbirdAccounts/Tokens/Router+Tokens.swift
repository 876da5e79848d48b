// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import NIOCore
    public import SignetAccounts
    internal import SignetHummingbird
    public import SignetIdentity
    internal import SignetJSON
    internal import SignetSignIn

    extension Router {
        /// Mounts the endpoints of sessions that the program has begun, for OAuth clients and apps:
        ///
        /// | | |
        /// |---|---|
        /// | `POST PATH/token` | the next tokens for a refresh token (RFC 6749, section 6) |
        /// | `POST PATH/revoke` | ends the session of either token (RFC 7009); 200 for an unknown one |
        /// | `POST PATH/sign-out?scope=` | ends `this` session of the access token, `all` of the user, or all `others`, whichever client they were begun for; 204; 400 for anything else in address or body |
        /// | `GET`, `POST PATH/userinfo` | the user of the access token (OpenID Connect Core 1.0, section 5.3) |
        /// | `GET /.well-known/jwks.json` | the keys that verify access tokens (RFC 7517) |
        /// | `GET /.well-known/oauth-authorization-server` | the server's metadata (RFC 8414); an issuer's path follows |
        ///
        /// The first tokens come from a route of the program's, which answers with `TokenAnswer`.
        /// Token and revocation endpoint take a form, or JSON with the same names, and nothing in
        /// the address. A session that was begun for a client is refreshed and revoked by a request
        /// with its `client_id` alone: another one gets `invalid_client`, none `invalid_request`, and
        /// the session goes on. Clients have no secret: one that sends a secret gets
        /// `invalid_client`. While the database is away the answer is 503, and never
        /// `invalid_grant`. So is that to the revocation of a new access token whose key this
        /// instance has not read yet.
        ///
        /// **Not** limited: how many requests a client may send.
        ///
        /// ```swift
        /// try router.addTokens(of: sessions, people: people, checking: cutOff)
        /// ```
        ///
        /// - Parameters:
        ///   - sessions: the sessions. Their issuer is the address by which clients reach this
        ///     server, whose origin has the paths.
        ///   - people: the users, for userinfo.
        ///   - cutOff: checks the access tokens of userinfo and sign-out.
        ///   - path: where the endpoints are.
        ///   - keySetIsMounted: whether the router has the key set already (`addKeySet(of:at:)`, at
        ///     its usual path, which the metadata name): then this adds none.
        /// - Throws: `invalidURL` if the issuer of the sessions is no address, or has a query;
        ///   `contradiction` if the router has one of these routes already. Hummingbird ends the
        ///   program if one of them is added later.
        @discardableResult
        public func addTokens(
            of sessions: RefreshTokens, people: People, checking cutOff: SessionCutOff,
            at path: RouterPath = "oauth", keySetIsMounted: Bool = false
        ) throws(IdentityConfigurationError) -> Self {
            let keySet: RouterPath = ".well-known/jwks.json"
            let metadata = try ServerMetadata(
                issuer: sessions.issuer.issuer, endpoints: path, keySet: keySet)
            let documents = [metadata.path] + (keySetIsMounted ? [] : [keySet])
            let posts: [RouterPath] = ["token", "revoke", "sign-out", "userinfo"]
            try checkFree(
                (documents + [path.appendingPath("userinfo")]).map { "GET \($0)" }
                    + posts.map { "POST \(path.appendingPath($0))" })
            if !keySetIsMounted {
                addDocument(at: keySet) { try sessions.issuer.keys.jwksJSON() }
            }
            addDocument(at: metadata.path) { metadata.document }
            let endpoints = TokenEndpoints(sessions: sessions, people: people, cutOff: cutOff)
            let group = group(path).add(middleware: ErrorAnswers(body: ErrorBody.oauth))
            group.post("token") { request, _ in try await endpoints.refresh(request) }
            group.post("revoke") { request, _ in try await endpoints.revoke(request) }
            group.post("sign-out") { request, _ in try await endpoints.signOut(request) }
            group.get("userinfo") { request, _ in try await endpoints.userInfo(request) }
            group.post("userinfo") { request, _ in try await endpoints.userInfo(request) }
            return self
        }

        /// Checks for a route that there is already, for which Hummingbird would end the program.
        package func checkFree(_ own: [String]) throws(IdentityConfigurationError) {
            guard let taken = routes.first(where: { own.contains($0.description) }) else { return }
            throw IdentityConfigurationError(
                .contradiction, "The router has \(shown: taken.description) already.")
        }
    }

    private struct TokenEndpoints: Sendable {
        let sessions: RefreshTokens
        let people: People
        let cutOff: SessionCutOff

        func refresh(_ request: Request) async throws -> Response {
            let parameters = try await TokenParameters.read(from: request)
            let grant = try parameters.grantType.required("grant_type")
            guard grant.utf8.elementsEqual("refresh_token".utf8) else {
                throw UnsupportedGrantType()
            }
            let token = try parameters.refreshToken.required("refresh_token")
            let tokens = try await sessions.rotate(token, clientID: parameters.clientID)
            return try Response(json: TokenAnswer(tokens))
        }

        func revoke(_ request: Request) async throws -> Response {
            let parameters = try await TokenParameters.read(from: request)
            let token = try parameters.token.required("token")
            try await sessions.revoke(token, clientID: parameters.clientID)
            return Response(status: .ok, headers: [.cacheControl: "no-store"])
        }

        func signOut(_ request: Request) async throws -> Response {
            let session = try await session(of: request)
            let scope = try await Self.scope(of: request)
            if scope.isEqual(to: "this") {
                try await sessions.end(session.sessionID, of: session.subject)
            } else if scope.isEqual(to: "all") {
                try await sessions.endAll(of: session.subject)
            } else if scope.isEqual(to: "others") {
                try await sessions.endAll(of: session.subject, except: session.sessionID)
            } else {
                throw HTTPError(.badRequest)
            }
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }

        func userInfo(_ request: Request) async throws -> Response {
            let session = try await session(of: request)
            guard let user = try await people.user(session.subject) else {
                throw AccountError(.unknownUser, "Deleted since the session was looked at.")
            }
            return try Response(json: UserInfoAnswer(user))
        }

        /// The sessions that a sign-out is to end. Whatever else a request says is refused: it may
        /// mean more sessions than this one.
        private static func scope(of request: Request) async throws -> ReceivedText {
            let body = try await request.collectBody(upTo: 24_576)
            guard body.readableBytes == 0, let query = FormEncoding.decode(request.uri.query ?? ""),
                query.count <= 1, query.allSatisfy({ $0.name.isEqual(to: "scope") })
            else { throw HTTPError(.badRequest) }
            return query.first?.value ?? ReceivedText("this")
        }

        private func session(of request: Request) async throws -> VerifiedSession {
            let token = try BearerToken(authorization: request.headers[values: .authorization])
            return try await cutOff.verify(token.exposedText)
        }
    }
#endif
