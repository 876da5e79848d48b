// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AccessTokenRules {
    /// Claims that show a person: a token with one of them is no client's own.
    private static let personal = [
        "sid", "auth_time", "acr", "amr", "nonce", "preferred_username", "email", "name",
    ]

    /// `sub` in the profile's form; nil where the profile lets a client's token have none.
    func subject(
        _ registered: RegisteredClaims, _ claims: ClaimReader
    ) throws(IdentityError) -> ReceivedText? {
        let mayBeAbsent = profile.subject == .absentForClients
        if let subject = registered.subjectText, !(mayBeAbsent && subject.isEmpty) {
            guard profile.subject.accepts(subject) else {
                throw Self.invalid("The claim \"sub\" is not \(profile.subject.form).")
            }
            return subject
        }
        guard mayBeAbsent else { throw Self.invalid("The claim \"sub\" is missing.") }
        if let shown = Self.personal.first(where: { claims.member($0) != nil }) {
            throw Self.invalid(
                "The claim \"sub\" is missing, but \"\(shown)\" shows a person.")
        }
        return nil
    }

    /// Some issuers write the client's own identifier into `sub` if no person takes part (RFC 9068,
    /// section 2.2): that names a client, even where a user has the same identifier.
    static func principal(
        _ subject: ReceivedText?, _ clients: [ReceivedText]
    ) throws(IdentityError) -> VerifiedAccessToken.Principal {
        guard let subject else {
            guard let client = clients.first else {
                throw invalid("The token names neither a subject (\"sub\") nor a client.")
            }
            return .client(client.swiftString())
        }
        let text = subject.swiftString()
        return clients.contains { $0.isEqual(to: subject) } ? .client(text) : .user(text)
    }

    /// An introspection's answer that names no end.
    func oneMinuteAhead() -> NumericDate {
        NumericDate(secondsSince1970: policy.clock.now().secondsSince1970 + 60)
    }

    private static func invalid(_ message: String) -> IdentityError {
        IdentityError(.subject, claim: "sub", message)
    }
}
