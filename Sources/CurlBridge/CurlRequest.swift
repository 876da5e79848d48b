// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One request, with the limits that are kept. Addresses have been looked at before: https, or http
/// on this machine.
package struct CurlRequest: Sendable {
    package let url: String
    package let isEncrypted: Bool
    /// A token, such as GET.
    package let method: String
    /// What is sent, with its length; nil for neither.
    package let body: [UInt8]?
    /// Header fields, the name and the value.
    package let fields: [(name: String, value: String)]
    /// In octets.
    package let maximumBodyByteCount: Int
    package let timeout: Duration

    package init(
        url: String, isEncrypted: Bool, method: String = "GET", body: [UInt8]? = nil,
        fields: [(name: String, value: String)], maximumBodyByteCount: Int, timeout: Duration
    ) {
        self.url = url
        self.isEncrypted = isEncrypted
        self.method = method
        self.body = body
        self.fields = fields
        self.maximumBodyByteCount = max(0, maximumBodyByteCount)
        self.timeout = timeout
    }
}
