// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

extension MessageText {
    /// A short text in English for a notice: what changed, and what to do about it. It does not
    /// name the application, which the sender's address and name do.
    ///
    /// - Throws: nothing for the changes of `SignetAccounts` and for custom changes: their names
    ///   are not part of the text.
    public init(_ notice: NoticeMessage) throws(AccountError) {
        let others =
            notice.standsForOthers ? "\nThere were other changes at about this time.\n" : ""
        try self.init(
            subject: "Your account was changed",
            body: """
                \(Self.sentence(notice.change))
                \(others)
                If this was you, there is nothing to do. If it was not, somebody else can get into
                your account: sign in, end the other sessions, choose a new password, and remove
                what you did not add. If you cannot sign in, ask the support for help.

                """)
    }

    private static func sentence(_ change: AccountChange) -> String {
        switch change {
        case .email: "There is a new e-mail address on your account."
        case .phone: "There is a new phone number on your account."
        case .password: "There is a new password for your account."
        case .providerAdded: "Your account can now be signed in to through another provider."
        case .providerRemoved: "A provider was removed from the ways to sign in to your account."
        case .factorAdded: "A second factor was added to your account."
        case .factorRemoved: "The second factor of your account was removed."
        case .recoveryCodes: "There are new recovery codes for your account."
        case .recoveryCodeUsed: "A recovery code was used to sign in to your account."
        default: "The ways to sign in to your account were changed."
        }
    }
}
