// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import SignetAccounts
internal import SignetHummingbird
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

extension Services {
    /// The ways to tokens: a provider's ID token, a code, being a guest, a refresh token.
    func addTokenRoutes(to router: Router<Guest>) {
        let group = router.group("v1/auth")
        group.post("id-token") { request, context -> Response in
            let signedIn = try await signIn(verified(.of(request)), request, context.logger)
            return try Response(json: TokenAnswer(signedIn.tokens, user: signedIn.user))
        }
        // The same answer whatever is wrong with a refresh token, and another for a damaged body
        // (RFC 6749, section 5.2).
        let refusals = ErrorAnswers<Guest>(body: ErrorBody.oauth)
        group.group("refresh").add(middleware: refusals).post { request, _ -> Response in
            let body = try await request.strictJSON(RefreshRequest.self)
            return try Response(json: TokenAnswer(await sessions.rotate(body.refreshToken)))
        }
        // If only certain domains may sign in, there are no guests and no codes: a guest and a
        // phone number have no domain.
        guard configuration.emailPolicy == nil else { return }
        group.post("guest") { request, context -> Response in
            try await limits.take(.codesFromAddress, name: "guests", from: client(request, context))
            let user = try await people.addGuest()
            let tokens = try await sessions.begin(for: user.id, device: request.headers[.userAgent])
            return try Response(json: TokenAnswer(tokens, user: user))
        }
        guard let sender = configuration.sender else { return }
        group.post("codes") { request, context -> Response in
            let body = try await request.strictJSON(CodeBody.self)
            let to = try sender.destination(phone: body.phone, email: body.email)
            let sent = try await codes.send(
                to: to, for: .signIn, from: client(request, context), challenge: body.challenge)
            return try Response(json: sent, status: .accepted)
        }
        group.post("codes/verify") { request, context -> Response in
            let body = try await request.strictJSON(CodeTry.self)
            let to = try sender.destination(phone: body.phone, email: body.email)
            let code = try OneTimeCode(body.code)
            // Wrong codes count for the client. With its challenge a right one is never refused.
            let signedIn = try await limits.attempt(
                .codesTriedFromAddress, name: "code", from: client(request, context),
                isBounded: true
            ) { () throws(AccountError) in
                try await codes.verify(code, sentTo: to, for: .signIn, challenge: body.challenge) {
                    (transaction, _) throws(AccountError) in
                    try await begin(UserIdentity(to), ProfileValues(), request, transaction)
                }
            }
            log("signed in", signedIn.user.id, context.logger)
            return try Response(json: TokenAnswer(signedIn.tokens, user: signedIn.user))
        }
    }

    /// `POST /api/auth/mobile/google`: exchanges an ID token for a session token of 30 days, with
    /// the member names that released apps expect. A refused token gets the same answer for every
    /// reason, so that no one learns which of two guesses was better. The reason is in the log.
    func addMobileSignIn(to router: Router<Guest>) {
        let refusals = ErrorAnswers<Guest> {
            "{\"error\":\"\(Self.mobileTexts[$0.status] ?? ErrorBody.text(status: $0.status))\"}"
        }
        router.group("api/auth/mobile/google").add(middleware: refusals).post { request, context in
            let identity = try await verifiers[0].verify(IDTokenBody.of(request).idToken)
            let signedIn = try await signIn(identity, request, context.logger)
            let user = signedIn.user
            let token = try longToken(signedIn)
            // The provider's identifier of the person: a text, even if it is all digits.
            let told = [
                "id": identity.subject, "email": user.email, "name": user.fullName,
                "image": user.avatar,
            ]
            return try Response(
                json: MobileAnswer(
                    user: told, sessionToken: token.token, expiresIn: token.expiresIn))
        }
    }

    private static let mobileTexts = [
        400: "Missing idToken", 401: "Invalid ID token", 403: "Account not allowed",
        500: "Failed to create user session",
    ]

    /// Verifies an ID token of any of the providers.
    func verified(_ body: IDTokenBody) async throws -> VerifiedIdentity {
        try await IDTokenVerifiers(verifiers).verifier(for: body.idToken)
            .verify(body.idToken, nonce: body.nonce.map { .raw($0) } ?? .none)
    }

    private func client(_ request: Request, _ context: Guest) -> ClientAddress? {
        let forwarded = HTTPField.Name("X-Forwarded-For").map { request.headers[values: $0] }
        return proxies.client(peer: context.peer ?? "", forwarded: forwarded ?? [])
    }
}

/// An ID token, and the nonce that the provider was asked to put into it, if the client sends one.
struct IDTokenBody: Decodable {
    let idToken: String
    let nonce: String?

    static func of(_ request: Request) async throws -> IDTokenBody {
        let body = try await request.strictJSON(IDTokenBody.self)
        guard !body.idToken.isEmpty else { throw JSONError(code: .missingMember, path: "idToken") }
        return body
    }
}

/// A phone number or a mailbox, and the challenge of an earlier code, where the client has one.
private struct CodeBody: Decodable {
    let phone, email: String?
    let challenge: CodeChallenge?
}

/// The code that arrived there. The page always has its challenge, so nobody has to share the tries
/// of strangers.
private struct CodeTry: Decodable {
    let phone, email: String?
    let code: String
    let challenge: CodeChallenge
}

private struct MobileAnswer: Encodable {
    let success = true
    /// All members are always present; an unknown value is null.
    let user: [String: String?]
    let sessionToken: String
    /// In seconds.
    let expiresIn: Int
}
