// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJSON
public import SignetSignIn

/// A code that GoTrue wants sent to a phone. Printing shows nothing of it.
public struct AuthHookSMS: Sendable, Redacted {
    /// The user's identifier.
    public let userID: String
    /// Where the code goes: with a change of number, the new one.
    public let phone: PhoneNumber
    /// The code.
    public let code: OneTimeCode
    /// `mfa` for a second factor, else empty.
    public let kind: String
    /// The user as GoTrue has them, for example with the language in `user_metadata`, which the
    /// user can change.
    public let user: JSONNode

    /// Reads a payload; nil for another.
    init?(_ root: JSONNode) {
        let kind = root.member("sms")?.nonEmptyText("sms_type") ?? ""
        guard let user = root.member("user"), let userID = user.nonEmptyText("id"),
            let sms = root.member("sms"), let code = sms.code("otp"),
            // GoTrue before 2.180 has the number in the user alone, which is not a factor's.
            let number = sms.nonEmptyText("phone")
                ?? (kind.isEmpty ? user.nonEmptyText("phone") : nil),
            // GoTrue leaves out the plus.
            let phone = (try? PhoneNumber(number)) ?? (try? PhoneNumber(withoutPlus: number))
        else { return nil }
        self.userID = userID
        self.phone = phone
        self.code = code
        self.kind = kind
        self.user = user
    }

    /// What makes it one message: it may come again under another `webhook-id`.
    var identity: [[UInt8]] {
        ["sms", userID, kind, phone.e164, code.exposedText].map { Array($0.utf8) }
    }
}

extension JSONNode {
    /// The text of a member; nil for an empty text, another type or none.
    func nonEmptyText(_ name: String) -> String? {
        guard let text = member(name)?.text, !text.isEmpty else { return nil }
        return text.swiftString()
    }

    /// A code of 6 to 10 digits.
    func code(_ name: String) -> OneTimeCode? {
        nonEmptyText(name).flatMap { try? OneTimeCode($0, digitCount: $0.utf8.count) }
    }
}
