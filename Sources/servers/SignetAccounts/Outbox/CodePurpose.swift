// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The purpose of a one-time code. A code is right for its own purpose only.
public struct CodePurpose: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, by which senders choose their text.
    public let name: String

    /// A custom purpose.
    public init(stringLiteral value: StaticString) { name = value.description }

    init(name: String) { self.name = name }

    /// Signing in, or up.
    public static let signIn: CodePurpose = "sign-in"
    /// Confirming the person's own new number or address.
    public static let newDestination: CodePurpose = "new-destination"
    /// Confirming, at the present number or address, that it will be replaced.
    public static let presentDestination: CodePurpose = "present-destination"
    /// A second factor, or a check before something that cannot be undone.
    public static let confirmation: CodePurpose = "confirmation"
    /// Choosing a new password.
    public static let recovery: CodePurpose = "recovery"

    var bytes: [UInt8] { Array(name.utf8) }
}
