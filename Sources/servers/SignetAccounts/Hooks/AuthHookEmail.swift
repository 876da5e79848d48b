// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetJSON
public import SignetSignIn

/// An e-mail that GoTrue wants sent to one address. Printing shows nothing of it.
///
/// For a change of address GoTrue may want two, in one hook: they are told apart here, each with
/// its address, its code and its hash.
public struct AuthHookEmail: Sendable, Redacted {
    /// The user's identifier.
    public let userID: String
    /// Where the e-mail goes.
    public let address: Mailbox
    /// `signup`, `recovery`, `invite`, `magiclink`, `email_change`, `reauthentication`, or a notice
    /// such as `password_changed_notification`.
    public let kind: String
    /// The code; nil in a notice.
    public let code: OneTimeCode?
    /// The value of a link's `token`, which signs in like the code; nil in a notice.
    public let tokenHash: String?
    /// The user as GoTrue has them.
    public let user: JSONNode
    /// The payload's `email_data`, with `site_url`, `redirect_to` and what a notice is about. Take
    /// code and hash from ``code`` and ``tokenHash``: here they may be those of another address.
    public let data: JSONNode

    /// The e-mails of a payload, one or two; nil for another payload.
    static func all(in root: JSONNode) -> [AuthHookEmail]? {
        guard let user = root.member("user"), let userID = user.nonEmptyText("id"),
            let data = root.member("email_data"), let kind = data.nonEmptyText("email_action_type")
        else { return nil }
        func email(_ address: String?, token: String, hash: String) -> AuthHookEmail? {
            guard let address, let mailbox = try? Mailbox(address, options: options) else {
                return nil
            }
            let code = data.code(token)
            // A code in a form that is unknown here must not become a notice.
            guard code != nil || data.nonEmptyText(token) == nil else { return nil }
            return AuthHookEmail(
                userID: userID, address: mailbox, kind: kind, code: code,
                tokenHash: data.nonEmptyText(hash), user: user, data: data)
        }
        let present = user.nonEmptyText("email")
        let isChange = data.member("email_action_type")?.text?.isEqual(to: "email_change") == true
        let emails: [AuthHookEmail?]
        if isChange, data.nonEmptyText("token_hash_new") != nil {
            // GoTrue crosses them: `token` is for the present address, `token_hash` for the new.
            emails = [
                email(present, token: "token", hash: "token_hash_new"),
                email(user.nonEmptyText("new_email"), token: "token_new", hash: "token_hash"),
            ]
        } else {
            // The owner of an address that was replaced is told there.
            let address =
                isChange
                ? user.nonEmptyText("new_email") : data.nonEmptyText("old_email") ?? present
            emails = [email(address, token: "token", hash: "token_hash")]
        }
        let known = emails.compactMap(\.self)
        return known.count == emails.count ? known : nil
    }

    /// What makes it one message. A notice has nothing of its own, so its whole payload counts.
    func identity(body: [UInt8]) -> [[UInt8]] {
        let code = code?.exposedText ?? ""
        let names = ["email", userID, kind, address.text, code, tokenHash ?? ""]
        return names.map { Array($0.utf8) } + (code.isEmpty && tokenHash == nil ? [body] : [])
    }

    /// GoTrue has addresses that are rarer than the strict default.
    private static let options = Mailbox.Options(
        allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true)
}
