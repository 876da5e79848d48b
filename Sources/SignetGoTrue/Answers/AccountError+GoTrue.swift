// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// What ends a transaction of this service's own.
extension AccountError.Code {
    /// New users are not taken.
    static var noSignUp: Self { Self(rawValue: "noSignUp") }
    /// Metadata that have grown too large.
    static var metadataTooLarge: Self { Self(rawValue: "metadataTooLarge") }
}

extension AccountError {
    static var noUser: AccountError { AccountError(.unknownUser, "There is no such user.") }
}
