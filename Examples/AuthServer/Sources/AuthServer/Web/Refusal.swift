// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import SignetJOSE

/// An answer other than success: what the caller sees, and what only the log says.
struct Refusal: Error {
    let status: HTTPResponse.Status
    /// The text of the body's member `error`. It depends on the status, never on the token or the person.
    let text: String
    var headers: HTTPFields = [:]
    /// A typed reason, for the log alone.
    var reason: String?
    /// For the log as well: a claim's name, a keyed tag. Never a value from a token.
    var details: [String: String] = [:]

    static func badRequest(_ text: String, reason: String? = nil) -> Refusal {
        Refusal(status: .badRequest, text: text, reason: reason)
    }

    /// Status, challenge and when to try again as Signet says, for one of its errors or by name.
    static func answer(_ answer: HTTPRefusal, text: String, reason: String) -> Refusal {
        var headers: HTTPFields = [:]
        headers[.wwwAuthenticate] = answer.challenge
        headers[.retryAfter] = answer.retryAfterSeconds.map(String.init)
        return Refusal(
            status: HTTPResponse.Status(code: answer.status), text: text, headers: headers,
            reason: reason)
    }

    static func internalError(_ text: String = "Internal server error", reason: String) -> Refusal {
        Refusal(status: .internalServerError, text: text, reason: reason)
    }

    static let unsupportedMediaType = Refusal(
        status: .unsupportedMediaType, text: "Content-Type must be application/json",
        headers: [.accept: "application/json"])

    static let bodyTooLarge = Refusal(status: .contentTooLarge, text: "Request body too large")
}
