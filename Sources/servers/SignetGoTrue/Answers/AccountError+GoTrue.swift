// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// Codes that end a transaction of this service.
extension AccountError.Code {
    /// New users are not accepted.
    static var noSignUp: Self { Self(rawValue: "noSignUp") }
    /// The metadata have grown too large.
    static var metadataTooLarge: Self { Self(rawValue: "metadataTooLarge") }
    /// A limit allows no code to a phone yet.
    static var tooManyMessages: Self { Self(rawValue: "tooManyMessages") }
    /// A limit allows no code to a mailbox yet.
    static var tooManyMails: Self { Self(rawValue: "tooManyMails") }
    /// The user has no such second factor.
    static var unknownFactor: Self { Self(rawValue: "unknownFactor") }
    /// The session has no such challenge of the factor.
    static var unknownChallenge: Self { Self(rawValue: "unknownChallenge") }
    /// The challenge has ended.
    static var challengeEnded: Self { Self(rawValue: "challengeEnded") }
    /// The session has shown no second factor, and the user has one.
    static var factorNeeded: Self { Self(rawValue: "factorNeeded") }
    /// The user has no such way to sign in.
    static var unknownIdentity: Self { Self(rawValue: "unknownIdentity") }
    /// The ways to sign in that would stay are newer than a day.
    static var unsettledIdentity: Self { Self(rawValue: "unsettledIdentity") }
}

extension AccountError {
    static var noUser: AccountError { AccountError(.unknownUser, "There is no such user.") }

    static var factorNeeded: AccountError {
        AccountError(.factorNeeded, "This needs a session that has shown a second factor.")
    }

    /// The error with `tooManyMessages` or `tooManyMails`, by the destination, if a limit on sent
    /// codes is its cause.
    func sending(to destination: CodeDestination) -> AccountError {
        guard code == .tooManyRequests else { return self }
        return switch destination {
        case .phone: AccountError(.tooManyMessages, details: details, "\(messageOf: self)")
        case .email: AccountError(.tooManyMails, details: details, "\(messageOf: self)")
        }
    }
}
