// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SignetEmail

extension GoTrueService {
    /// What the program's support does for users of this service: look up, list, ban, end sessions,
    /// and reset. It finds mailboxes in any case, as the service does, gives back the service's
    /// limits too, and ends a browser's sign-in that is not yet exchanged and each change that waits.
    public var support: AccountSupport {
        AccountSupport(
            sessions, factors: users.factors, codes: codes,
            limits: [
                .init(.passwordTries, name: "passwords"),
                .init(.passwordTries, name: "current passwords"),
                .init(.passwordTries, name: "new passwords"),
                .init(.passwordTries, name: "confirmed passwords"),
                .init(.passwordTries, name: "sign-ups"),
            ],
            limitsOfSessions: [
                .init(options.limits.refreshes, name: "refreshes of a session"),
                .init(options.limits.verifications, name: "challenges"),
            ],
            spelling: Self.stored,
            ending: { (user, transaction) throws(AccountError) in
                // A change of an address goes with the session that asked for it.
                try await BrowserCodes.end(of: user, in: transaction)
                try await PendingSignUps.end(of: user, in: transaction)
            })
    }

    /// An identity as the service stores it: a mailbox in lower case.
    private static func stored(_ identity: UserIdentity) -> UserIdentity {
        guard identity.issuer.utf8.elementsEqual(UserIdentity.emailIssuer.utf8),
            let mailbox = try? Mailbox(octets: identity.subject.utf8.map(\.inLowerCase))
        else { return identity }
        return .email(mailbox)
    }
}
