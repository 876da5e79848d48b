// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TransportRequest {
    /// A caller's header field. Printing shows nothing: its value may be a secret.
    public struct Field: Sendable, Redacted {
        /// The longest name, in bytes.
        public static var maximumNameByteCount: Int { 256 }
        /// The longest value, in bytes.
        public static var maximumValueByteCount: Int { 8_192 }

        /// Its name, in any case.
        public let name: String
        /// Its value.
        public let value: String

        /// Makes a field.
        ///
        /// A caller may not set the fields of the request and its transport: `Accept`,
        /// `Accept-Encoding`, `Authorization`, `Connection`, `Content-Length`, `Content-Type`,
        /// `Cookie`, `Expect`, `Host`, `HTTP2-Settings`, `Keep-Alive`, `TE`, `Trailer`,
        /// `Transfer-Encoding`, `Upgrade` and all that begin with `Proxy-`.
        ///
        /// - Throws: `invalidField` for such a field, for a name that is not a token (RFC 9110,
        ///   section 5.6.2) of 1 to 256 bytes, and for a value that is not 1 to 8,192 bytes of
        ///   printable ASCII and spaces (section 5.5), or begins or ends with a space. The error
        ///   quotes neither name nor value.
        public init(name: String, value: String) throws(IdentityConfigurationError) {
            guard name.utf8.count <= Self.maximumNameByteCount, FieldText.isName(name) else {
                throw Self.invalid("a name that is not a token of 1 to 256 bytes")
            }
            guard !Self.isReserved(name) else {
                throw Self.invalid("a name that the request or its transport sets")
            }
            guard (1...Self.maximumValueByteCount).contains(value.utf8.count),
                FieldText.isValue(value), value.utf8.allSatisfy({ $0 < 0x80 }),
                value.utf8.first != 0x20, value.utf8.last != 0x20
            else {
                throw Self.invalid(
                    "a value that is not 1 to 8,192 bytes of printable ASCII without outer blanks")
            }
            self.init(unchecked: name, value: value)
        }

        /// A field that the request itself made.
        init(unchecked name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the field has this name, given in lower case.
        package func isNamed(_ lowercased: String) -> Bool {
            name.utf8.lazy.map(\.lowercased).elementsEqual(lowercased.utf8)
        }

        private static let reserved = [
            "accept", "accept-encoding", "authorization", "connection", "content-length",
            "content-type", "cookie", "cookie2", "expect", "host", "http2-settings", "keep-alive",
            "te", "trailer", "transfer-encoding", "upgrade",
        ]

        private static func isReserved(_ name: String) -> Bool {
            let lower = name.utf8.lazy.map(\.lowercased)
            return lower.starts(with: "proxy-".utf8)
                || reserved.contains { lower.elementsEqual($0.utf8) }
        }

        private static func invalid(_ what: ErrorMessage) -> IdentityConfigurationError {
            IdentityConfigurationError(.invalidField, "The header field has \(what).")
        }
    }
}
