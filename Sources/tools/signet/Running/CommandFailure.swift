// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// Why a command ends with a status other than 0: a stable code, what was wrong, and what to do
/// next.
struct CommandFailure: Error {
    /// The documented exit statuses.
    enum Status: Int32 {
        case refused = 1
        case usage = 2
        case unavailable = 3
        /// There is no session (any more): sign in.
        case signedOut = 4
        /// The session is behind a lock.
        case locked = 5
        /// The program that should be run cannot be executed, or is not there: as shells have it.
        case notExecutable = 126
        case notFound = 127
    }

    let status: Status
    let code: String
    let message: ErrorMessage
    /// The advice, where the command knows it.
    var advice: String?
    /// The key into the table of advice, where the command does not know the advice.
    var cause: Advice.Cause?
    /// Options of the command that contradict the options that it was given.
    var lacking: Set<String> = []
    /// Whether nothing is said about it: its reader has gone, as in `signet … | head`.
    var isQuiet = false
    /// The claim of the token that caused the failure; nil if none did.
    var claim: String?

    static func refused(_ code: String, _ message: ErrorMessage, advice: String? = nil)
        -> CommandFailure
    {
        CommandFailure(status: .refused, code: code, message: message, advice: advice)
    }

    static func usage(_ message: ErrorMessage, advice: String? = nil) -> CommandFailure {
        CommandFailure(status: .usage, code: "usage", message: message, advice: advice)
    }

    static func unavailable(_ code: String, _ message: ErrorMessage, advice: String? = nil)
        -> CommandFailure
    {
        CommandFailure(status: .unavailable, code: code, message: message, advice: advice)
    }

    /// The failure with the advice for the situation of a command line.
    func advised(for line: [String]) -> CommandFailure {
        guard advice == nil, let cause else { return self }
        var advised = self
        advised.advice = Advice.text(for: cause, line: line, lacking: lacking)
        return advised
    }

    /// The failure for a script. A command that gives a verdict adds `valid`.
    var members: [String: JSONValue?] {
        let error: [String: JSONValue?] = [
            "code": .string(code), "message": .path(message.description),
            "advice": advice.map(JSONValue.path),
            "claim": claim.map(JSONValue.string),
        ]
        return [
            "error": .object(error.compactMapValues(\.self)),
            "exitStatus": .integer(Int64(status.rawValue)),
        ]
    }
}

/// Refuses the command line as wrong unless a condition holds.
func require(_ condition: Bool, otherwise message: ErrorMessage, advice: String? = nil) throws {
    guard condition else { throw CommandFailure.usage(message, advice: advice) }
}
