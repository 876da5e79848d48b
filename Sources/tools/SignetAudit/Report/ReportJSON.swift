// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// JSON to write. (Reports have few types and a fixed order of members, so this is less code than
/// `Encodable` types.)
enum ReportJSON: CustomStringConvertible {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case null
    case array([ReportJSON])
    case object([(String, ReportJSON)])

    var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        case .array(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.0) + ":" + $0.1.description }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
