// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE

/// A response, for an HTTP server to write. Printing shows nothing of it, since it may hold tokens.
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
    /// The header fields. The server adds `Content-Length` and `Date`.
    public let fields: [Field]
    /// The body: JSON, or empty.
    public let body: [UInt8]

    /// No cache may keep a response, not even an error: it concerns a single person and moment.
    private static let neverStored = "no-store"

    private init(_ status: Int, fields: [Field], body: [UInt8], cacheControl: String = neverStored)
    {
        let commonFields = [
            Field(name: "Cache-Control", value: cacheControl),
            Field(name: "X-Content-Type-Options", value: "nosniff"),
        ]
        self.status = status
        self.fields = commonFields + fields
        self.body = body
    }

    /// No body.
    static func empty(_ status: Int = 204) -> GoTrueResponse {
        GoTrueResponse(status, fields: [], body: [])
    }

    /// JSON that is already written.
    static func json(_ text: [UInt8], status: Int = 200, fields: [Field] = []) -> GoTrueResponse {
        let type = Field(name: "Content-Type", value: "application/json")
        return GoTrueResponse(status, fields: [type] + fields, body: text)
    }

    /// A public document, fresh for ten minutes: keys are published an hour before they sign.
    static func document(_ text: [UInt8]) -> GoTrueResponse {
        let type = Field(name: "Content-Type", value: "application/json")
        return GoTrueResponse(200, fields: [type], body: text, cacheControl: "public, max-age=600")
    }

    /// An object as JSON.
    ///
    /// - Throws: `corrupt` for members that do not encode, which only the database can have given.
    static func json(_ members: [String: JSONValue]) throws(AccountError) -> GoTrueResponse {
        do {
            return json(try StrictJSON.encode(JSONValue.object(members), maximumDepth: 64))
        } catch {
            throw AccountError(.corrupt, underlying: error, "A response does not encode.")
        }
    }

    /// Redirects a browser. No referrer is passed on, because its address holds a code.
    static func redirect(to address: String, cookie: String?) -> GoTrueResponse {
        var fields = [
            Field(name: "Location", value: address),
            Field(name: "Referrer-Policy", value: "no-referrer"),
        ]
        if let cookie { fields.append(Field(name: "Set-Cookie", value: cookie)) }
        return GoTrueResponse(302, fields: fields, body: [])
    }

    /// The same response with an additional field.
    func adding(name: String, value: String) -> GoTrueResponse {
        GoTrueResponse(self, fields: fields + [Field(name: name, value: value)])
    }

    private init(_ other: GoTrueResponse, fields: [Field]) {
        status = other.status
        self.fields = fields
        body = other.body
    }
}
