// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetJOSE
public import SignetSignIn
internal import SignetSupabase

/// An administrator's changes of a user. Nil members stay. Printing shows nothing of them.
public struct SupabaseAdminChange: Sendable, Redacted {
    /// A new address, which takes effect at once. GoTrue sends no code to it, so nobody has shown
    /// that it is theirs; it may still count as confirmed, as the one before did.
    public var email: Mailbox?
    /// A new number, which takes effect at once.
    public var phone: PhoneNumber?
    /// Whether the address counts as confirmed from now on.
    public var confirmsEmail: Bool?
    /// Whether the number counts as confirmed from now on.
    public var confirmsPhone: Bool?
    /// A new password.
    public var password: String?
    /// Members of `user_metadata` to change, which the user may change too; null removes a member.
    public var userMetadata: [String: JSONValue]?
    /// Members of `app_metadata` to change, which only a server may; null removes a member.
    public var appMetadata: [String: JSONValue]?

    /// No changes yet.
    public init() {}

    var members: [String: JSONValue?] {
        [
            "email": email.map { .string($0.text) }, "phone": phone.map { .string($0.e164) },
            "email_confirm": confirmsEmail.map { .bool($0) },
            "phone_confirm": confirmsPhone.map { .bool($0) },
            "password": password.map { .string($0) },
            "user_metadata": userMetadata.map { .object($0) },
            "app_metadata": appMetadata.map { .object($0) },
        ]
    }
}
