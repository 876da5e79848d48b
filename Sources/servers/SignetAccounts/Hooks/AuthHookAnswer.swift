// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// What to answer to GoTrue, for an HTTP server to write. Printing shows nothing of it.
///
/// GoTrue reads an error from an answer with status 200 alone: there it takes `http_code` and
/// `message`, which its client then gets. Of each other status it takes nothing but the number.
public struct AuthHookAnswer: Sendable, Redacted {
    /// The longest body that GoTrue reads, in bytes.
    static let maximumBodyByteCount = 204_800
    /// The statuses that GoTrue can pass on to its client.
    private static let errorStatuses = 400...599

    /// The status.
    public let status: Int
    /// The header fields. The server adds `Content-Length` and `Date`.
    public let fields: [(name: String, value: String)]
    /// The body: JSON.
    public let body: [UInt8]

    init(_ body: [UInt8], status: Int = 200) {
        self.init(body, status: status, retryAfter: nil)
    }

    private init(_ body: [UInt8], status: Int, retryAfter: Int?) {
        self.status = status
        self.body = body
        fields =
            [(name: "Content-Type", value: "application/json")]
            + [(name: "Cache-Control", value: "no-store")]
            + (retryAfter.map { [(name: "Retry-After", value: "\(max(1, $0))")] } ?? [])
    }

    /// The answer for an error of the work, or of what it needs.
    init(_ error: any Error) {
        let refusal = HTTPRefusal(error)
        let accountError = error as? AccountError
        if let error = error as? AuthHookError {
            self = .error(error.status, because: error.message.description)
        } else if accountError?.code == .messageRefused {
            self = .error(422, because: "This message cannot be sent.")
        } else if refusal.status == 503 || error is CancellationError {
            self.init(
                Self.body(503, because: "Please try again in a moment."), status: 503,
                retryAfter: refusal.retryAfterSeconds ?? 1)
        } else if refusal.status == 429 {
            self = .error(429, because: "Too many requests. Please try again later.")
        } else {
            self = .error(500, because: Self.failed)
        }
    }

    /// A request that GoTrue did not make. The server's log of statuses shows it, and GoTrue's.
    static func refused(_ status: Int, because message: StaticString) -> AuthHookAnswer {
        AuthHookAnswer(body(status, because: message.description), status: status)
    }

    private static let failed = "The hook failed."

    /// GoTrue passes over an error without a message, and cannot write every number as a status.
    private static func error(_ status: Int, because message: String) -> AuthHookAnswer {
        AuthHookAnswer(
            body(
                errorStatuses.contains(status) ? status : 500,
                because: message.isEmpty ? failed : message))
    }

    private static func body(_ status: Int, because message: String) -> [UInt8] {
        let error: JSONValue = ["http_code": .integer(Int64(status)), "message": .string(message)]
        // A number and a text always encode. An empty array is an answer that GoTrue cannot read.
        return (try? StrictJSON.encode(JSONValue.object(["error": error]))) ?? Array("[]".utf8)
    }
}
