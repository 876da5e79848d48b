// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TransportRequest {
    /// A request's bytes with their media type. Printing shows neither.
    public struct Body: Sendable, Redacted {
        /// The bytes.
        public let bytes: [UInt8]
        /// The value of `Content-Type`; when empty, the field is not sent.
        public let contentType: String

        /// A body.
        public init(_ bytes: [UInt8], contentType: String) {
            self.bytes = bytes
            self.contentType = contentType
        }
    }
}
