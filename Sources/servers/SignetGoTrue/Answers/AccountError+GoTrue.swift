// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// Codes that end a transaction of this service.
extension AccountError.Code {
    /// New users are not accepted.
    static var noSignUp: Self { Self(rawValue: "noSignUp") }
    /// The metadata have grown too large.
    static var metadataTooLarge: Self { Self(rawValue: "metadataTooLarge") }
    /// A code is not sent yet, unlike other limits, to a phone.
    static var tooManyMessages: Self { Self(rawValue: "tooManyMessages") }
    /// A code is not sent yet, unlike other limits, to a mailbox.
    static var tooManyMails: Self { Self(rawValue: "tooManyMails") }
}

extension AccountError {
    static var noUser: AccountError { AccountError(.unknownUser, "There is no such user.") }

    /// Distinguishes a limit of codes sent from other limits.
    func sending(to destination: CodeDestination) -> AccountError {
        guard code == .tooManyRequests else { return self }
        return switch destination {
        case .phone: AccountError(.tooManyMessages, details: details, "\(messageOf: self)")
        case .email: AccountError(.tooManyMails, details: details, "\(messageOf: self)")
        }
    }
}
