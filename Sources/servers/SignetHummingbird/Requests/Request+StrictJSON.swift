// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    package import NIOCore
    internal import SignetJOSE

    extension Request {
        /// Reads a JSON body with Signet's strict reader: members twice, texts that are no UTF-8
        /// and 513 opening brackets, which end a process that reads them with Foundation's decoder
        /// (Swift 6.3.1, Linux), are refused.
        ///
        /// - Parameters:
        ///   - type: what is decoded.
        ///   - maximumByteCount: 24 KiB: an ID token of 16 KiB and what stands around it.
        /// - Throws: what ``ErrorAnswers`` answers 415 (another media type than
        ///   `application/json`), 413 (longer) or 400 (not JSON, or of the wrong form: a
        ///   `JSONError`, whose `path` names the member that is absent or wrong).
        public func strictJSON<Value: Decodable>(
            _ type: Value.Type = Value.self, maximumByteCount: Int = 24_576
        ) async throws -> Value {
            guard hasBody(of: "application/json") else { throw HTTPError(.unsupportedMediaType) }
            let buffer = try await collectBody(upTo: maximumByteCount)
            return try StrictJSON.decode(
                from: buffer.readableBytesView, maximumByteCount: maximumByteCount)
        }

        /// The body; 413 if it is longer, before anything is read if its length is announced.
        package func collectBody(upTo maximumByteCount: Int) async throws -> ByteBuffer {
            let announced = headers[.contentLength].flatMap { Int($0) } ?? 0
            guard announced <= maximumByteCount else { throw HTTPError(.contentTooLarge) }
            return try await body.collect(upTo: maximumByteCount)
        }

        /// Whether the body is of a media type, named in lower case: in any case, with parameters
        /// or without (RFC 9110, section 8.3.1).
        package func hasBody(of mediaType: String) -> Bool {
            let field = headers[.contentType] ?? ""
            var type = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })
            while type.last == 0x20 || type.last == 0x09 { type.removeLast() }
            return type.elementsEqual(mediaType.utf8) { given, wanted in
                (0x41...0x5a).contains(given) ? given | 0x20 == wanted : given == wanted
            }
        }
    }
#endif
