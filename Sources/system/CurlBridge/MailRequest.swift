// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// A message for a mail server (RFC 5321). Printing shows nothing of it.
public struct MailRequest: Sendable, Redacted {
    /// When TLS begins; the numbers are the C shim's.
    public enum Protection: Int32, Sendable {
        /// With the connection.
        case implicit = 0
        /// By STARTTLS, without which nothing is sent.
        case startTLS = 1
        /// Never: to this machine alone.
        case none = 2
    }

    package let protection: Protection
    /// The address of the sender, bare.
    package let sender: String
    /// The address of the only recipient, bare.
    package let recipient: String
    package let credentials: (user: String, password: String)?
    /// Header and body, in lines of CRLF.
    package let message: [UInt8]

    /// A message of a sender for a single recipient. Nothing is checked here: a text that does not
    /// fit into lines of SMTP makes the exchange fail as `unsendable`.
    public init(
        protection: Protection, sender: String, recipient: String,
        credentials: (user: String, password: String)?, message: [UInt8]
    ) {
        self.protection = protection
        self.sender = sender
        self.recipient = recipient
        self.credentials = credentials
        self.message = message
    }

    /// Whether the texts can be put into lines of SMTP: no control characters, and no space or
    /// angle bracket in an address.
    var isSendable: Bool {
        let addresses = [sender, recipient].allSatisfy { address in
            !address.isEmpty
                && address.utf8.allSatisfy {
                    (0x21...0x7e).contains($0) && $0 != 0x3c && $0 != 0x3e
                }
        }
        let names = [credentials?.user, credentials?.password].compactMap(\.self)
        return addresses && names.allSatisfy(FieldText.isValue)
    }
}
