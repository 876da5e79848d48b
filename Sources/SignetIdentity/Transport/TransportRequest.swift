// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One HTTP request, with the limits that its transport keeps. Printing it shows neither its body nor `Authorization`.
public struct TransportRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// What is sent. Printing it shows no body.
    public enum Method: Sendable, Redacted {
        /// A GET without a body.
        case get
        /// A POST of these bytes with this media type.
        case post([UInt8], contentType: String)

        /// The method, and the media type of what is sent.
        public var description: String {
            switch self {
            case .get: "GET"
            case .post(_, let contentType): "POST(\(contentType), body redacted)"
            }
        }
    }

    /// Where it goes: https, or http on this machine.
    public let url: EndpointURL
    /// What is sent.
    public let method: Method
    /// The value of `Accept`.
    public let accept: String
    /// The value of `Authorization`, a secret, where there is one. A transport never logs it.
    public let authorization: String?
    /// The longest body that is taken, in bytes, counted after any content coding has been undone.
    public let maximumBodyByteCount: Int
    /// How long the whole exchange may take, from the look-up of the name to the last byte: nothing to one day, to which what was given
    /// is cut.
    public let timeout: Duration

    /// A request with its limits.
    public init(
        url: EndpointURL, method: Method = .get, accept: String = "application/json",
        authorization: String? = nil,
        maximumBodyByteCount: Int = 524_288, timeout: Duration = .seconds(5)
    ) {
        self.url = url
        self.method = method
        self.accept = accept
        self.authorization = authorization
        self.maximumBodyByteCount = maximumBodyByteCount
        // To sleep for longer than a 64-bit number of seconds from now ends the process.
        self.timeout = min(max(timeout, .zero), .seconds(86_400))
    }

    /// The method and the address.
    public var description: String {
        if case .post = method { return "TransportRequest(POST \(url), body redacted)" }
        return "TransportRequest(GET \(url))"
    }

    /// Shows the address and the limits only.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": url.text, "maximumBodyByteCount": maximumBodyByteCount, "timeout": timeout,
            ])
    }
}
