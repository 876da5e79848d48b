// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetAccounts
internal import SignetHummingbird
internal import SignetIdentity
internal import SignetSignIn

/// Who sends a request: a user with a session of this server, or of the website.
struct Caller: Sendable {
    /// The user.
    let subject: String
    private var ownSession: VerifiedSession?

    init(_ session: VerifiedSession) {
        subject = session.subject
        ownSession = session
    }

    fileprivate init(visitor: UserAccount) { subject = visitor.id }

    /// The session of this server; 403 for a visitor. A visitor's session ends at the website, and
    /// nothing here knows whether the sign-in there was recent.
    func session() throws -> VerifiedSession {
        guard let ownSession else { throw HTTPError(.forbidden) }
        return ownSession
    }
}

/// What the website's callback `jwt` writes: the README shows it.
private struct WebsiteClaims: Decodable { let authServerUser: String }

extension Services {
    /// A bearer token or, beside it, the cookie of the place where browsers sign in.
    func authentication() throws -> Authentication<Guest> {
        let cutOff = try SessionCutOff(sessions)
        let origins = configuration.origins
        guard let website = configuration.website else {
            return Authentication(from: .authorization(or: cookie, fromPagesOf: origins)) {
                Caller(try await cutOff.verify($0.exposedText))
            }
        }
        return Authentication(
            orWebsite: website, fromPagesOf: origins,
            bearer: { Caller(try await cutOff.verify($0.exposedText)) },
            session: { Caller(visitor: try await user(of: $0)) })
    }

    /// The user whom this server named to the website when the person signed in there. Nobody else
    /// writes that claim: `sub` is random, and `email` is what a provider said, verified or not.
    private func user(of session: AuthJSSession) async throws -> UserAccount {
        let id = try session.claims(as: WebsiteClaims.self).authServerUser
        if let user = try await people.user(id) { return user }
        throw AccountError(.unknownUser, "Deleted since the sign-in at the website.")
    }
}
