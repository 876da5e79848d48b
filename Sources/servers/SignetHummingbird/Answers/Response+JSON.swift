// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import Foundation
    internal import HTTPTypes
    public import Hummingbird
    internal import NIOCore

    extension Response {
        /// A JSON response about one person, which no cache keeps (`Cache-Control: no-store`).
        /// Equal values give equal bytes: members are in the order of their names.
        ///
        /// - Throws: the errors of the value's `encode(to:)`.
        public init(json body: some Encodable, status: HTTPResponse.Status = .ok) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            self.init(
                status: status,
                headers: [
                    .contentType: "application/json", .cacheControl: "no-store",
                    .xContentTypeOptions: "nosniff",
                ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(body))))
        }
    }
#endif
