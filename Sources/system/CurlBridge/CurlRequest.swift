// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A request with its limits. Addresses are already checked.
public struct CurlRequest: Sendable {
    /// The allowed connection targets; the numbers are the C shim's.
    package enum Reach: Int32, Sendable {
        /// https, to anywhere.
        case encrypted = 0
        /// http, only to this machine.
        case thisMachine = 1
        /// http, to private addresses.
        case privateNetwork = 2
    }

    package let url: String
    /// The host of the address, in lower case.
    package let host: String
    package let reach: Reach
    /// A token, for example GET.
    package let method: String
    /// The body, sent with its length; nil sends no body and no length.
    package let body: [UInt8]?
    /// Header fields, the name and the value.
    package let fields: [(name: String, value: String)]
    /// The longest body of a response, in octets.
    package let maximumBodyByteCount: Int
    package let timeout: Duration
    /// A message for a mail server; nil for HTTP.
    package let mail: MailRequest?

    package init(
        url: String, host: String, reach: Reach, method: String = "GET", body: [UInt8]? = nil,
        fields: [(name: String, value: String)], maximumBodyByteCount: Int, timeout: Duration
    ) {
        self.url = url
        self.host = host
        self.reach = reach
        self.method = method
        self.body = body
        self.fields = fields
        self.maximumBodyByteCount = max(0, maximumBodyByteCount)
        self.timeout = timeout
        mail = nil
    }

    /// A message for a mail server at an address of smtps or smtp.
    public init(mail: MailRequest, url: String, host: String, timeout: Duration) {
        self.url = url
        self.host = host
        reach = mail.protection == .none ? .thisMachine : .encrypted
        method = "GET"
        body = nil
        fields = []
        maximumBodyByteCount = 0
        self.timeout = timeout
        self.mail = mail
    }

    package var isEncrypted: Bool { reach == .encrypted }
}
