// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One HTTP request, with the limits that its transport enforces. A transport, which the program
/// chooses, sends it: `try await transport.exchange(TransportRequest(url: url))` gets a document
/// within 5 s. Printing shows neither its body nor its header fields.
public struct TransportRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// A method that Signet sends (RFC 9110, section 9.3; RFC 5789).
    public enum Method: String, Sendable {
        /// GET, which has no body.
        case get = "GET"
        /// POST
        case post = "POST"
        /// PUT
        case put = "PUT"
        /// PATCH
        case patch = "PATCH"
        /// DELETE
        case delete = "DELETE"

        /// Whether a request without a body sends `Content-Length: 0` (RFC 9110, section 8.6).
        public var announcesEmptyBody: Bool { self != .get && self != .delete }
    }

    /// The address: https, or http if ``EndpointURL`` allows it.
    public let url: EndpointURL
    /// The method.
    public let method: Method
    /// The body, if any.
    public let body: Body?
    /// The value of `Accept`; when empty, the field is not sent.
    public let accept: String
    /// The value of `Authorization`, if any: a secret. A transport never logs it.
    public let authorization: String?
    /// The caller's header fields, in order. A `User-Agent` replaces the transport's.
    public let fields: [Field]
    /// The longest response body, in bytes, after decoding any content coding.
    public let maximumBodyByteCount: Int
    /// The limit for the whole exchange, from name resolution to the last byte. Values are limited
    /// to 0 to one day.
    public let timeout: Duration

    /// Makes a request with its limits. Transports do not send a request that ``validate()``
    /// rejects.
    public init(
        url: EndpointURL, method: Method = .get, body: Body? = nil,
        accept: String = "application/json", authorization: String? = nil, fields: [Field] = [],
        maximumBodyByteCount: Int = 524_288, timeout: Duration = .seconds(5)
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.accept = accept
        self.authorization = authorization
        self.fields = fields
        self.maximumBodyByteCount = maximumBodyByteCount
        // Sleeping for longer than a 64-bit number of seconds ends the process.
        self.timeout = min(max(timeout, .zero), .seconds(86_400))
    }

    /// Checks that this is valid HTTP. Transports call it before they send.
    ///
    /// - Throws: ``TransportFailure`` `invalidRequest` for a GET with a body, which servers and
    ///   intermediaries may drop or reject (RFC 9110, section 9.3.1), and for a control character
    ///   in `accept`, `authorization` or the body's media type.
    public func validate() throws(TransportFailure) {
        guard method != .get || body == nil else {
            throw TransportFailure(
                .invalidRequest, "A GET has no body: the request was not sent.")
        }
        let values = [accept, authorization, body?.contentType].compactMap(\.self)
        guard values.allSatisfy(FieldText.isValue) else {
            throw TransportFailure(
                .invalidRequest,
                "The request holds a field with a control character, and was not sent.")
        }
    }

    /// The longest limit for an exchange that a program may set.
    package static let maximumTimeout = Duration.seconds(60)

    /// - Throws: `outOfRange`.
    package static func checkTimeout(_ timeout: Duration) throws(IdentityConfigurationError) {
        guard timeout > .zero, timeout <= maximumTimeout else {
            throw IdentityConfigurationError(
                .outOfRange, "timeout is over 0 s and at most \(maximumTimeout), not \(timeout).")
        }
    }

    /// Every header field that a transport sends, except those of the connection and of the body's
    /// length (`Host`, `Connection`, `Content-Length`, `Accept-Encoding: identity`).
    public var sentFields: [Field] {
        var sent: [Field] = []
        // Unchecked, because ``validate()`` checks these values.
        if !fields.contains(where: { $0.isNamed("user-agent") }) {
            sent.append(Field(unchecked: "User-Agent", value: "signet"))
        }
        if !accept.isEmpty { sent.append(Field(unchecked: "Accept", value: accept)) }
        if let authorization {
            sent.append(Field(unchecked: "Authorization", value: authorization))
        }
        if let type = body?.contentType, !type.isEmpty {
            sent.append(Field(unchecked: "Content-Type", value: type))
        }
        return sent + fields
    }

    /// The method and the address.
    public var description: String { "TransportRequest(\(method.rawValue) \(url), redacted)" }

    /// Only the method, the address and the limits.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url.text, "maximumBodyByteCount": maximumBodyByteCount,
                "timeout": timeout,
            ])
    }
}
