// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// People.
extension AccountError.Code {
    /// The identity belongs to another user: 409. The application asks which of the two it is to
    /// be.
    public static var identityTaken: Self { Self(rawValue: "identityTaken") }
    /// Without this identity the user could not sign in any more: 409.
    public static var lastIdentity: Self { Self(rawValue: "lastIdentity") }
    /// Another user has this username: 409.
    public static var nameTaken: Self { Self(rawValue: "nameTaken") }
    /// The old identifier belongs to another user, or did: 409.
    public static var alreadyMigrated: Self { Self(rawValue: "alreadyMigrated") }
}
