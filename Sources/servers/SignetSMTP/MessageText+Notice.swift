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
                \(notice.change.englishSentence)
                \(others)
                If this was you, there is nothing to do. If it was not, somebody else can get into
                your account: sign in, end the other sessions, choose a new password, and remove
                what you did not add. If you cannot sign in, ask the support for help.

                """)
    }
}
