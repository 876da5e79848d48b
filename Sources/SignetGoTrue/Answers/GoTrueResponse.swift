// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// An answer, for an HTTP server to write. Printing it shows nothing of it: tokens are in it.
public struct GoTrueResponse: Sendable, Redacted {
    /// A header field.
    public struct Field: Sendable {
        /// The name.
        public let name: String
        /// The value: printable ASCII.
        public let value: String
    }

    /// The status.
    public let status: Int
    /// The header fields; the server adds `Content-Length` and `Date`.
    public let fields: [Field]
    /// The body: JSON, or empty.
    public let body: [UInt8]

    /// Nothing of it may be kept by a cache, not even an error: what it says is of one person and
    /// of this moment.
    private static let unkept = "no-store"

    private init(
        _ status: Int, _ fields: [Field], _ body: [UInt8], cacheControl: String = unkept
    ) {
        let always = [
            Field(name: "Cache-Control", value: cacheControl),
            Field(name: "X-Content-Type-Options", value: "nosniff"),
        ]
        (self.status, self.fields, self.body) = (status, always + fields, body)
    }

    /// No body.
    static func empty(_ status: Int = 204) -> GoTrueResponse { GoTrueResponse(status, [], []) }

    /// JSON that was written already.
    static func json(_ text: [UInt8], _ status: Int = 200, _ fields: [Field] = []) -> GoTrueResponse
    {
        let type = Field(name: "Content-Type", value: "application/json")
        return GoTrueResponse(status, [type] + fields, text)
    }

    /// A document for everybody, good for ten minutes: keys are published an hour before they sign.
    static func document(_ text: [UInt8]) -> GoTrueResponse {
        let type = Field(name: "Content-Type", value: "application/json")
        return GoTrueResponse(200, [type], text, cacheControl: "public, max-age=600")
    }

    /// A value as JSON. What is answered is built of values that encode.
    static func json(
        _ value: JSONValue, _ status: Int = 200, _ fields: [Field] = []
    ) throws(GoTrueRefusal) -> GoTrueResponse {
        guard let text = try? JSONTokenEncoder(maximumDepth: 64).encode(value) else {
            throw .unexpected
        }
        return json(text, status, fields)
    }

    /// Sends a browser on. What it comes from is in the address, and goes no further.
    static func redirect(to address: String, cookie: String?) -> GoTrueResponse {
        var fields = [
            Field(name: "Location", value: address),
            Field(name: "Referrer-Policy", value: "no-referrer"),
        ]
        if let cookie { fields.append(Field(name: "Set-Cookie", value: cookie)) }
        return GoTrueResponse(302, fields, [])
    }

    /// The same with one field more.
    func adding(_ name: String, _ value: String) -> GoTrueResponse {
        GoTrueResponse(self, fields + [Field(name: name, value: value)])
    }

    private init(_ other: GoTrueResponse, _ fields: [Field]) {
        (status, self.fields, body) = (other.status, fields, other.body)
    }
}
