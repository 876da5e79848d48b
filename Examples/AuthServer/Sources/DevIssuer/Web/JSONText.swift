// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Answers in JSON.
enum JSONText {
    static func response(
        _ body: some Encodable, status: HTTPResponse.Status = .ok, cacheControl: String = "no-store"
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return response(
            bytes: Array(try encoder.encode(body)), status: status, cacheControl: cacheControl)
    }

    static func response(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, cacheControl: String = "no-store"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
