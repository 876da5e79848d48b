// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import NIOCore
internal import SignetJOSE

/// Reads a small JSON body, with Signet's reader: Foundation's ends the process on 513 opening brackets (Swift 6.3.1, Linux), which the
/// fuzzer found here.
enum JSONBody {
    /// The longest body that is read, in bytes: an ID token of 16 KiB and what stands around it.
    static let maximumByteCount = 24 * 1024

    /// The body's bytes.
    ///
    /// - Throws: 415 for another media type than `application/json`, 413 over the limit.
    static func bytes(of request: Request) async throws -> ByteBuffer {
        guard isJSON(request.headers[.contentType]) else { throw Refusal.unsupportedMediaType }
        if let announced = request.headers[.contentLength].flatMap(Int.init),
            announced > maximumByteCount
        {
            throw Refusal.bodyTooLarge
        }
        return try await request.body.collect(upTo: maximumByteCount)
    }

    /// A value of the body, or nil when it is not JSON or has another form.
    static func value<Value: Decodable>(_ type: Value.Type, of request: Request) async throws
        -> Value?
    {
        let buffer = try await bytes(of: request)
        return try? StrictJSON.decode(
            type, from: buffer.readableBytesView, maximumByteCount: maximumByteCount)
    }

    /// `application/json`, in any case, with parameters or without (RFC 9110, section 8.3.1).
    private static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
        let text = String(decoding: type, as: UTF8.self).trimmingCharacters(
            in: CharacterSet(charactersIn: " \t"))
        return text.utf8.elementsEqual("application/json".utf8) { given, wanted in
            (0x41...0x5a).contains(given) ? given | 0x20 == wanted : given == wanted
        }
    }
}
