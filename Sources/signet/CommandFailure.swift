// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Why a command ends with another status than 0: a stable code, what was wrong, and what to do next.
struct CommandFailure: Error {
    /// The documented exit statuses.
    enum Status: Int32 {
        case refused = 1
        case usage = 2
        case unavailable = 3
    }

    let status: Status
    let code: String
    let message: String
    var advice: String?
    /// The claim of the token that it is about.
    var claim: String?

    init(status: Status, code: String, message: String, advice: String? = nil, claim: String? = nil)
    {
        self.status = status
        self.code = code
        self.message = message
        self.advice = advice
        self.claim = claim
    }

    static func refused(_ code: String, _ message: String, advice: String? = nil) -> CommandFailure
    {
        CommandFailure(status: .refused, code: code, message: message, advice: advice)
    }

    static func usage(_ message: String, advice: String? = nil) -> CommandFailure {
        CommandFailure(status: .usage, code: "usage", message: message, advice: advice)
    }

    static func unavailable(_ code: String, _ message: String, advice: String? = nil)
        -> CommandFailure
    {
        CommandFailure(status: .unavailable, code: code, message: message, advice: advice)
    }

    /// The failure as one line of JSON.
    ///
    /// - Parameter isVerdict: whether `valid` belongs to the answer.
    func json(isVerdict: Bool) throws -> String {
        var error: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
        if let advice { error["advice"] = .string(advice) }
        if let claim { error["claim"] = .string(claim) }
        var members: [String: JSONValue] = [
            "error": .object(error), "exitStatus": .integer(Int64(status.rawValue)),
        ]
        if isVerdict { members["valid"] = .bool(false) }
        return try JSONOutput.line(members)
    }
}
