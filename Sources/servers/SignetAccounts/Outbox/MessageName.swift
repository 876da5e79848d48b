// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The name of a message (``CodeMessage/id``, ``NoticeMessage/id``), which senders put where other
/// characters would mean something: into a field of a mail, or into what a signature covers.
package enum MessageName {
    /// - Throws: `invalidParameter` for a name with a character that an outbox does not use.
    package static func check(_ id: String) throws(AccountError) {
        let isOutboxName = id.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0)
        }
        guard isOutboxName else {
            throw AccountError(
                .invalidParameter, "The message's name is not one that an outbox makes.")
        }
    }
}
