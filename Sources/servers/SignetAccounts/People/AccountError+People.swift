// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// People.
extension AccountError.Code {
    /// The identity belongs to another user: 409. The application asks the person which user to be.
    public static var identityTaken: Self { Self(rawValue: "identityTaken") }
    /// The user could not sign in without this identity: 409.
    public static var lastIdentity: Self { Self(rawValue: "lastIdentity") }
    /// Another user has this username: 409.
    public static var nameTaken: Self { Self(rawValue: "nameTaken") }
    /// The old identifier belongs, or belonged, to another user: 409.
    public static var alreadyMigrated: Self { Self(rawValue: "alreadyMigrated") }
}
