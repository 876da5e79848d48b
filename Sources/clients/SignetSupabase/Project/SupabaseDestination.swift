// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetJOSE
public import SignetSignIn

/// The destination of a user's codes: a phone number or an e-mail address. Printing shows neither.
public enum SupabaseDestination: Sendable, Hashable, Redacted {
    /// A phone.
    case phone(PhoneNumber)
    /// A mailbox.
    case email(Mailbox)

    /// The member of a request that names the destination.
    var member: (name: String, value: JSONValue) {
        switch self {
        case .phone(let number): ("phone", .string(number.e164))
        case .email(let mailbox): ("email", .string(mailbox.text))
        }
    }

    /// How a message reaches a phone.
    public enum Channel: String, Sendable {
        /// By text message.
        case sms
        /// By WhatsApp, if the project's provider supports it.
        case whatsapp
    }

    /// The purpose of a code.
    public enum Purpose: Sendable, Hashable {
        /// To sign in.
        case signIn
        /// To confirm the address after a sign-up with a password.
        case signUp
        /// To confirm a new address of an account. For e-mail the project may require the old
        /// address to be confirmed too (`confirmationPending`).
        case change
        /// To sign in after a forgotten password. By e-mail only.
        case recovery
        /// To accept an invitation. By e-mail only.
        case invitation
    }

    /// GoTrue's name of a purpose; nil if no code is sent for it.
    func type(for purpose: Purpose) -> String? {
        switch (self, purpose) {
        case (.phone, .signIn), (.phone, .signUp): "sms"
        case (.phone, .change): "phone_change"
        case (.phone, .recovery), (.phone, .invitation): nil
        case (.email, _): Self.emailType(for: purpose)
        }
    }

    /// GoTrue's name of a purpose, for messages by e-mail.
    static func emailType(for purpose: Purpose) -> String {
        switch purpose {
        case .signIn: "email"
        case .signUp: "signup"
        case .change: "email_change"
        case .recovery: "recovery"
        case .invitation: "invite"
        }
    }
}
