// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging
internal import SignetIdentity
internal import SignetJOSE

/// Lets a request through that presents a good session token, and gives it its ``Principal``.
///
/// The token is verified first, which costs no look at the store; then session and account must be there, so that a deleted account's
/// tokens end with it.
struct SessionAuthentication: RouterMiddleware {
    typealias Context = AppRequestContext

    let tokens: SessionTokens
    let store: any AccountStore
    let tag: SubjectTag

    func handle(
        _ request: Request, context: AppRequestContext,
        next: (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let principal = try await principal(of: session(of: request))
        context.principal = principal
        context.logger[metadataKey: "subject"] = .string(principal.tag)
        return try await next(request, context)
    }

    /// The verified token of the request.
    func session(of request: Request) throws(Refusal) -> VerifiedSession {
        let token: BearerToken
        do throws(BearerTokenError) {
            token = try BearerToken(authorization: request.headers[values: .authorization])
        } catch {
            throw Self.refused(HTTPRefusal(error), "bearer.\(error.code.rawValue)")
        }
        return try verified(token)
    }

    private func verified(_ token: BearerToken) throws(Refusal) -> VerifiedSession {
        do throws(TokenError) {
            return try tokens.verify(token)
        } catch {
            throw Self.refused(
                HTTPRefusal(error), "token.\(error.code.rawValue)", claim: error.claim)
        }
    }

    private func principal(of session: VerifiedSession) async throws(Refusal) -> Principal {
        let found: Account?
        do throws(AccountStoreError) {
            found = try await store.account(
                id: session.subject, session: session.sessionID, now: tokens.now())
        } catch {
            throw .internalError(reason: "store.\(error.code)")
        }
        guard let account = found else { throw Self.refused(.invalidToken, "session.revoked") }
        return Principal(
            account: account, sessionID: session.sessionID,
            tag: tag.text(issuer: account.issuer, subject: account.subject))
    }

    /// One answer for every token that is not accepted.
    static func refused(_ answer: HTTPRefusal, _ reason: String, claim: String? = nil) -> Refusal {
        let text =
            switch answer.status {
            case 400: "Malformed Authorization header"
            case 401: "Not authenticated"
            default: "Internal server error"
            }
        var refusal = Refusal.answer(answer, text: text, reason: reason)
        if let claim { refusal.details["claim"] = claim }
        return refusal
    }
}
