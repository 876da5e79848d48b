// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// A request as read by any HTTP server. Printing shows nothing of it.
public struct GoTrueRequest: Sendable, Redacted {
    /// A header field: its name in any case, and the octets of its value.
    public struct Field: Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: [UInt8]

        /// A field whose value is octets.
        public init(name: String, value: some Collection<UInt8>) {
            self.name = name
            self.value = Array(value)
        }

        /// A field whose value is text, in UTF-8.
        public init(name: String, value: String) { self.init(name: name, value: value.utf8) }
    }

    /// The longest body, in bytes. Let the HTTP server stop reading there, too.
    public static let maximumBodyByteCount = 65_536
    /// The longest path or query, in bytes.
    public static let maximumTargetByteCount = 16_384

    /// The method, in capitals.
    public let method: String
    /// The path below the service, as received: `/token` of `/auth/v1/token`.
    public let path: String
    /// The text after the question mark, as received.
    public let query: String
    /// All header fields.
    public let fields: [Field]
    /// The body. A body that is too long may be cut to `maximumBodyByteCount` + 1 bytes.
    public let body: [UInt8]
    /// The address that limits apply to: from `TrustedProxies`, never from a header field alone.
    /// Nil if requests have no address, as at a Unix socket: they then share 100 times a client's
    /// limit.
    public let client: ClientAddress?

    /// Makes a request. Nothing is checked here: ``GoTrueService/answer(_:)`` refuses what is too
    /// long or malformed.
    public init(
        method: String, path: String, query: String = "", fields: [Field] = [], body: [UInt8] = [],
        client: ClientAddress?
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.client = client
    }

    /// The values of a field; a value outside printable ASCII becomes empty, which is never
    /// accepted.
    func values(of name: String) -> [String] {
        fields.filter { field in
            field.name.utf8.count == name.utf8.count
                && zip(field.name.utf8, name.utf8).allSatisfy { $0.inLowerCase == $1.inLowerCase }
        }.map { field in
            let isPrintable = field.value.allSatisfy { (0x20...0x7e).contains($0) }
            return isPrintable ? String(decoding: field.value, as: UTF8.self) : ""
        }
    }

    /// The value of a field that occurs once.
    func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }
}
