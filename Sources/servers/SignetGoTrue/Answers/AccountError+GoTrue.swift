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
}

extension AccountError {
    static var noUser: AccountError { AccountError(.unknownUser, "There is no such user.") }

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
