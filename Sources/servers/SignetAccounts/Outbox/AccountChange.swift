// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A change that decides who can get into an account, or get it back.
public struct AccountChange: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, by which senders choose their text.
    public let name: String

    /// A custom change.
    public init(stringLiteral value: StaticString) { name = value.description }

    init(name: String) { self.name = name }

    /// The e-mail address was replaced, or a first address was added.
    public static let email: AccountChange = "email"
    /// The phone number was replaced, or a first number was added.
    public static let phone: AccountChange = "phone"
    /// The e-mail address was removed.
    public static let emailRemoved: AccountChange = "email-removed"
    /// The phone number was removed.
    public static let phoneRemoved: AccountChange = "phone-removed"
    /// There is a new password.
    public static let password: AccountChange = "password"
    /// The password was removed.
    public static let passwordRemoved: AccountChange = "password-removed"
    /// An account at a provider was added.
    public static let providerAdded: AccountChange = "provider-added"
    /// An account at a provider was removed.
    public static let providerRemoved: AccountChange = "provider-removed"
    /// A second factor was added.
    public static let factorAdded: AccountChange = "factor-added"
    /// A second factor was removed.
    public static let factorRemoved: AccountChange = "factor-removed"
    /// There are new recovery codes; earlier recovery codes are void.
    public static let recoveryCodes: AccountChange = "recovery-codes"
    /// A recovery code was used in place of the second factor.
    public static let recoveryCodeUsed: AccountChange = "recovery-code-used"

    /// What happened, for the texts that senders have of their own.
    package var englishSentence: String {
        switch self {
        case .email: "There is a new e-mail address on your account."
        case .phone: "There is a new phone number on your account."
        case .emailRemoved: "The e-mail address of your account was removed."
        case .phoneRemoved: "The phone number of your account was removed."
        case .password: "There is a new password for your account."
        case .passwordRemoved: "The password of your account was removed."
        case .providerAdded: "Your account can now be signed in to through another provider."
        case .providerRemoved: "A provider was removed from the ways to sign in to your account."
        case .factorAdded: "A second factor was added to your account."
        case .factorRemoved: "A second factor of your account was removed."
        case .recoveryCodes: "There are new recovery codes for your account."
        case .recoveryCodeUsed: "A recovery code was used to sign in to your account."
        default: "The ways to sign in to your account were changed."
        }
    }
}
