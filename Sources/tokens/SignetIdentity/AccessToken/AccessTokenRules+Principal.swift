// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AccessTokenRules {
    /// Claims that show a person, whatever `sub` is. Servers also write some personal claims for
    /// clients: Cognito `auth_time`, and `name` is the client's own.
    private static let surelyPersonal = ["sid", "amr", "nonce", "preferred_username", "email"]

    /// Claims that show a person where there is no `sub`, so that the token is no client's own.
    /// `username` is the person's in an introspection (RFC 7662, section 2.2).
    private static let personal = surelyPersonal + ["auth_time", "acr", "name", "username"]

    /// `sub` in the profile's form; nil where the profile lets a client's token have none.
    func checkedSubject(
        _ registered: RegisteredClaims, claims: ClaimReader
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
                "The claim \"sub\" is missing, but \"\(shown: shown)\" shows a person.")
        }
        return nil
    }

    /// Some issuers write the client's own identifier into `sub` if no person takes part (RFC 9068,
    /// section 2.2). Such a `sub` names the client, even where a user has the same identifier.
    /// Where the token also shows a person, `sub` could name either, and the token is rejected:
    /// people may choose a client's name.
    static func principal(
        _ subject: ReceivedText?, clients: [ReceivedText], claims: ClaimReader
    ) throws(IdentityError) -> VerifiedAccessToken.Principal {
        guard let subject else {
            guard let client = clients.first else {
                throw invalid("The token names neither a subject (\"sub\") nor a client.")
            }
            guard clients.allSatisfy({ $0.isEqual(to: client) }) else {
                throw invalid("The claim \"sub\" is missing, and the token names several clients.")
            }
            return .client(client.swiftString())
        }
        let text = subject.swiftString()
        guard clients.contains(where: { $0.isEqual(to: subject) }) else { return .user(text) }
        if let shown = surelyPersonal.first(where: { claims.member($0) != nil }) {
            throw invalid(
                "The claim \"sub\" names the client, but \"\(shown: shown)\" shows a person.")
        }
        return .client(text)
    }

    /// The end of the reuse of an introspection's answer that states no `exp`.
    func oneMinuteAhead() -> NumericDate {
        NumericDate(secondsSince1970: policy.clock.now().secondsSince1970 + 60)
    }

    private static func invalid(_ message: ErrorMessage) -> IdentityError {
        IdentityError(.subject, claim: "sub", message)
    }
}
