// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One HTTP request, with the limits that its transport keeps. Printing it shows neither its body
/// nor its header fields.
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

        /// Whether a request without a body says `Content-Length: 0` (RFC 9110, section 8.6).
        public var announcesEmptyBody: Bool { self != .get && self != .delete }
    }

    /// Where it goes: https, or http where ``EndpointURL`` allows that.
    public let url: EndpointURL
    /// What is asked.
    public let method: Method
    /// What is sent, where something is.
    public let body: Body?
    /// The value of `Accept`; when empty, the field is not sent.
    public let accept: String
    /// The value of `Authorization`, a secret, where there is one. A transport never logs it.
    public let authorization: String?
    /// Header fields of the caller's, in their order. A `User-Agent` takes the transport's place.
    public let fields: [Field]
    /// The longest body that is taken, in bytes, counted after any content coding has been undone.
    public let maximumBodyByteCount: Int
    /// How long the whole exchange may take, from the look-up of the name to the last byte: nothing
    /// to one day, to which what was given is cut.
    public let timeout: Duration

    /// A request with its limits. Transports do not send one that ``validate()`` refuses.
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
        // To sleep for longer than a 64-bit number of seconds from now ends the process.
        self.timeout = min(max(timeout, .zero), .seconds(86_400))
    }

    /// What a transport calls before it sends: whether this can be put into HTTP.
    ///
    /// - Throws: ``TransportFailure`` `invalidRequest` for a GET with a body, which servers and
    ///   what is in between may drop or refuse (RFC 9110, section 9.3.1), and for a control
    ///   character in `accept`, `authorization` or the body's media type.
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

    /// Every header field that a transport sends, but for what belongs to the connection and to
    /// the body's length (`Host`, `Connection`, `Content-Length`, `Accept-Encoding: identity`).
    public var sentFields: [Field] {
        var sent: [Field] = []
        if !fields.contains(where: { $0.isNamed("user-agent") }) {
            sent.append(Field(unchecked: "User-Agent", "signet"))
        }
        if !accept.isEmpty { sent.append(Field(unchecked: "Accept", accept)) }
        if let authorization { sent.append(Field(unchecked: "Authorization", authorization)) }
        if let type = body?.contentType, !type.isEmpty {
            sent.append(Field(unchecked: "Content-Type", type))
        }
        return sent + fields
    }

    /// The method and the address.
    public var description: String { "TransportRequest(\(method.rawValue) \(url), redacted)" }

    /// Shows the method, the address and the limits only.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url.text, "maximumBodyByteCount": maximumBodyByteCount,
                "timeout": timeout,
            ])
    }
}
