// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The response to one HTTP request. Printing shows neither body nor fields: a token endpoint's
/// response holds tokens.
public struct TransportResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// Its name, in any case.
        public let name: String
        /// Its value.
        public let value: String

        /// A field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status, for example 200.
    public let status: Int
    /// The header fields, in the order received.
    public let fields: [Field]
    /// The body, no longer than the request's limit.
    public let body: [UInt8]

    /// Makes a response.
    public init(status: Int, fields: [Field] = [], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The values of a field, whose name ignores ASCII case.
    public func values(of name: String) -> [String] {
        let wanted = name.utf8.map(\.lowercased)
        return fields.filter { $0.name.utf8.map(\.lowercased) == wanted }.map(\.value)
    }

    /// The status and the body's size.
    public var description: String { "TransportResponse(\(status), \(body.count) bytes, redacted)" }

    /// Only the status and the body's size.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "byteCount": body.count])
    }
}
