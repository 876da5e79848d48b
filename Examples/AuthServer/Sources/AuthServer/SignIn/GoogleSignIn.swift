// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE

/// `POST /api/auth/mobile/google`: an ID token for a session token.
///
/// - 400 `Missing idToken`: the body is no JSON object with a text `idToken` in it.
/// - 401 `Invalid ID token`: one answer for every reason, so that nobody learns which of his guesses was better. The reason is in the log.
/// - 403 `Account not allowed`: the token is good, and the person's organisation may not sign in here. It is told apart from 401 because
///   the holder of the account has proved who he is and must be able to see that trying again does not help; which rule it was, and whether
///   the domain is known here, is in the log alone.
/// - 503: the provider's keys are out of reach. Worth trying again.
struct GoogleSignIn {
    let verifier: IDTokenVerifier
    let emailPolicy: BusinessEmailPolicy?
    let store: any AccountStore
    let tokens: SessionTokens
    let tag: SubjectTag

    func add(to router: Router<AppRequestContext>) {
        router.post("api/auth/mobile/google") { request, context -> Response in
            let idToken = try await Self.idToken(of: request)
            let identity = try await verified(idToken)
            let tag = tag.text(
                issuer: identity.identityKey.issuer, subject: identity.identityKey.subject)
            try checkOrganization(of: identity, tag: tag)
            let answer = try await beginSession(for: identity)
            context.logger.info("signed in", metadata: ["subject": .string(tag)])
            return JSONAnswer.response(answer)
        }
    }

    private struct Body: Decodable {
        let idToken: String
    }

    private static func idToken(of request: Request) async throws -> String {
        guard let body = try await JSONBody.value(Body.self, of: request), !body.idToken.isEmpty
        else {
            throw Refusal.badRequest("Missing idToken", reason: "idToken.missing")
        }
        return body.idToken
    }

    private func verified(_ idToken: String) async throws(Refusal) -> VerifiedIdentity {
        do throws(IdentityError) {
            return try await verifier.verify(idToken)
        } catch {
            let reason = "idToken.\(error.code.rawValue)"
            let answer = HTTPRefusal(error)
            var refusal =
                switch answer {
                case .unavailable:
                    Refusal.answer(
                        answer, text: "Sign-in is not available at the moment", reason: reason)
                case .internalError: Refusal.internalError(reason: reason)
                // The token was no Bearer token: what is asked for is one.
                default: Refusal.answer(.authenticate, text: "Invalid ID token", reason: reason)
                }
            if let claim = error.claim { refusal.details["claim"] = claim }
            throw refusal
        }
    }

    private func checkOrganization(of identity: VerifiedIdentity, tag: String) throws(Refusal) {
        guard let verdict = emailPolicy?.verdict(for: identity.email), !verdict.isAllowed else {
            return
        }
        throw Refusal(
            status: .forbidden, text: "Account not allowed", reason: "email.\(verdict.name)",
            details: ["subject": tag])
    }

    private struct GivenName: Decodable {
        let text: String?

        private enum CodingKeys: String, CodingKey { case text = "given_name" }
    }

    private func beginSession(for identity: VerifiedIdentity) async throws(Refusal) -> SignInAnswer
    {
        // A name that is no text is no reason to refuse somebody: it is left out.
        let given = try? identity.claims(as: GivenName.self).text
        let person = SignedInPerson(
            issuer: identity.identityKey.issuer, subject: identity.identityKey.subject,
            email: identity.email.address, name: identity.name, picture: identity.picture,
            givenName: given)
        let now = tokens.now()
        let session = SessionRecord(
            id: RandomText.identifier(), created: now,
            expires: now + Int64(tokens.issuer.lifetime.seconds))
        let account: Account
        do throws(AccountStoreError) {
            account = try await store.signIn(person, session: session)
        } catch {
            throw Self.failed("store.\(error.code)")
        }
        return SignInAnswer(account, try token(for: account, session))
    }

    private func token(for account: Account, _ session: SessionRecord) throws(Refusal)
        -> IssuedSessionToken
    {
        do throws(TokenError) {
            return try tokens.issue(subject: account.id, sessionID: session.id)
        } catch {
            throw Self.failed("token.\(error.code.rawValue)")
        }
    }

    private static func failed(_ reason: String) -> Refusal {
        .internalError("Failed to create user session", reason: reason)
    }
}
