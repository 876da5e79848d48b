// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Answers in JSON, the same bytes for the same value.
enum JSONAnswer {
    static func response(
        _ body: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them always encode. Should one not, the caller learns that it is our fault.
        guard let bytes = try? encoder.encode(body) else {
            return response(
                bytes: Array(#"{"error":"Internal server error"}"#.utf8),
                status: .internalServerError,
                headers: [:])
        }
        return response(bytes: bytes, status: status, headers: headers)
    }

    /// JSON that is text already.
    static func response(
        bytes: some Collection<UInt8>, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        // Answers are about one person: nobody between may keep them, unless the route says otherwise.
        var fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        for field in headers { fields[field.name] = field.value }
        return Response(
            status: status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
