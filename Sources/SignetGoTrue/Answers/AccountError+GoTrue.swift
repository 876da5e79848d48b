// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// Codes that end a transaction of this service.
extension AccountError.Code {
    /// New users are not accepted.
    static var noSignUp: Self { Self(rawValue: "noSignUp") }
    /// The metadata have grown too large.
    static var metadataTooLarge: Self { Self(rawValue: "metadataTooLarge") }
}

extension AccountError {
    static var noUser: AccountError { AccountError(.unknownUser, "There is no such user.") }
}
