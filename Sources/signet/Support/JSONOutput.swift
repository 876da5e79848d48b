// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Answers for scripts (`--json`): one object on one line, members in alphabetical order.
enum JSONOutput {
    static func line(_ members: [String: JSONValue]) -> String {
        let bytes = (try? JSONTokenEncoder().encode(JSONValue.object(members))) ?? Array("{}".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func header(_ header: TokenHeader) -> JSONValue {
        var members: [String: JSONValue] = ["alg": .string(header.algorithm)]
        if let keyID = header.keyID { members["kid"] = .string(keyID) }
        if let type = header.type { members["typ"] = .string(type) }
        if let contentType = header.contentType { members["cty"] = .string(contentType) }
        return .object(members)
    }

    static func refusal(_ failure: CommandFailure, claim: String? = nil) -> String {
        var error: [String: JSONValue] = ["code": .string(failure.code), "message": .string(failure.message)]
        if let claim { error["claim"] = .string(claim) }
        if let advice = failure.advice { error["advice"] = .string(advice) }
        return line(["valid": .bool(false), "error": .object(error)])
    }
}
