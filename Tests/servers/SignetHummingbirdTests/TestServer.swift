// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import Logging
    import SignetHummingbird
    import SignetIdentity
    import SignetJOSE
    import TestSupport

    /// A server with one route for each rule, and tokens for it.
    struct TestServer {
        static let site = "https://app.example"

        let key: SigningKey
        let sessions: RotatingSessionIssuer
        private let verifier: AccessTokenVerifier
        /// Accepts a client's own token.
        private let machines: AccessTokenVerifier
        let log = MemoryLog()

        /// - Parameter keys: those of the issuer; by default its one key, in hand.
        init(keys: VerificationKeys? = nil) throws {
            key = try SigningKey.generate(.es256)
            sessions = RotatingSessionIssuer(
                try SessionTokenIssuer(
                    issuer: "https://api.example", audience: "session",
                    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600),
                    clock: .still))
            var profile = try AccessTokenProfile.rfc9068(
                issuer: "https://idp.example", resources: ["https://api.example"],
                algorithms: [.es256])
            let keys = keys ?? .inHand(KeySet([key.verificationKey]))
            verifier = try AccessTokenVerifier(profile, keys: keys, options: .still)
            profile.subject = .absentForClients
            machines = try AccessTokenVerifier(profile, keys: keys, options: .still)
        }

        /// An access token of the issuer's.
        func accessToken(
            of signer: SigningKey? = nil, scope: String = "read",
            for audience: String = "https://api.example"
        ) throws -> String {
            try token(
                ["aud": audience, "sub": "ada", "client_id": "c", "scope": scope], of: signer)
        }

        /// A client's own token: without `sub`, or with the client's identifier in it.
        func clientToken(_ client: String, inSubject: Bool = false) throws -> String {
            try token(
                ["aud": "https://api.example", "client_id": client, "scope": "read write"]
                    .merging(inSubject ? ["sub": client] : [:]) { $1 })
        }

        private func token(
            _ claims: [String: String], of signer: SigningKey? = nil
        ) throws -> String {
            try TokenSigner(key: signer ?? key, type: "at+jwt", clock: .still).sign(
                claims.merging(["iss": "https://idp.example", "jti": "1"]) { $1 },
                lifetime: .seconds(60))
        }

        private var logger: Logger {
            let log = log
            return Logger(label: "test") { _ in log }
        }

        /// Routes for access tokens.
        func accessRoutes() -> some ApplicationProtocol {
            typealias Context = GuestContext<VerifiedAccessToken>
            let router = Router(context: Context.self)
            router.add(middleware: ErrorAnswers())
            router.get("broken") { _, _ -> String in throw Unexpected(secret: "s3cret") }
            router.get("teapot") { _, _ -> String in
                throw HTTPError(.init(code: 418), message: "s3cret")
            }
            router.post("small") { request, _ -> String in
                String(buffer: try await request.body.collect(upTo: 4))
            }
            // A mistake in a program: nothing tells who is signed in.
            router.group("open", context: MemberContext<Context>.self)
                .get { _, context in "\(context.signedIn.principal)" }
            let guests = router.group("greeting")
                .add(middleware: Authentication(verifier, guestsAreAllowed: true))
            guests.get { _, context in
                "Hello, \(context.signedIn.map { "\($0.principal)" } ?? "guest")"
            }
            let members = router.group().add(middleware: Authentication(verifier))
            members.group("me", context: MemberContext<Context>.self)
                .get { _, context in "\(context.signedIn.principal)" }
            members.group("write").add(middleware: Authorization(scopes: ["read", "write"]))
                .get { _, _ in "written" }
            members.group("admin").add(middleware: Authorization(anyRoleOf: ["admin"]))
                .get { _, _ in "done" }
            members.group("own").add(middleware: Authorization { $0.principal == .user("grace") })
                .get { _, _ in "done" }
            addMachineRoutes(router)
            return Application(router: router, logger: logger)
        }

        /// Routes behind a verifier that accepts a client's own token: one for each way to say so.
        private func addMachineRoutes(_ router: Router<GuestContext<VerifiedAccessToken>>) {
            typealias Context = GuestContext<VerifiedAccessToken>
            let machines = machines
            let asked: @Sendable (BearerToken) async throws -> VerifiedAccessToken = {
                try await machines.verify($0.exposedText)
            }
            let groups: [(path: RouterPath, authentication: Authentication<Context>)] = [
                ("people", Authentication(machines)),
                ("people-asked", Authentication(verify: asked)),
                ("people-guests", Authentication(machines, guestsAreAllowed: true)),
                ("sync", Authentication(machines, clientsAreAllowed: true)),
                ("sync-asked", Authentication(clientsAreAllowed: true, verify: asked)),
            ]
            for (path, authentication) in groups {
                router.group(path).add(middleware: authentication)
                    .group(context: MemberContext<Context>.self)
                    .get { _, context in "\(context.signedIn.principal)" }
            }
        }

        /// Routes for sessions, with a cookie.
        func sessionRoutes() throws -> some ApplicationProtocol {
            let router = Router(context: GuestContext<VerifiedSession>.self)
            router.add(middleware: ErrorAnswers { "{\"status\":\($0.status)}" })
            router.addKeySet(of: sessions)
            router.addMetadata(
                of: try ProtectedResource(
                    EndpointURL("https://api.example"),
                    authorizationServers: ["https://idp.example"]))
            let source = TokenSource.authorization(
                or: try SessionCookie(), fromPagesOf: try SiteOrigins([Self.site]))
            let members = router.group("note").add(
                middleware: Authentication(sessions, from: source))
            members.get { _, context in context.signedIn?.subject ?? "" }
            members.post { _, _ in "kept" }
            return Application(router: router, logger: logger)
        }

        private struct Unexpected: Error { let secret: String }
    }

    extension TestClientProtocol {
        func answer(
            _ method: HTTPRequest.Method = .get, _ path: String, _ fields: HTTPFields = [:],
            body: String? = nil
        ) async throws -> TestResponse {
            try await executeRequest(
                uri: path, method: method, headers: fields, body: body.map(ByteBuffer.init(string:))
            )
        }
    }

    extension HTTPFields {
        static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }
    }
#endif
