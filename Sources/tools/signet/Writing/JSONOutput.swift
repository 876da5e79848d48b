// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// Answers for scripts (`--json`): one object on one line, members in alphabetical order.
enum JSONOutput {
    /// - Parameters:
    ///   - members: a nil value leaves the member out.
    ///   - texts: members whose values are already JSON, and stay as they are written.
    static func line(_ members: [String: JSONValue?], texts: [String: [UInt8]] = [:]) throws
        -> String
    {
        // A JSONValue comes from the strict reader or from commands, and can always be encoded.
        let encoder = JSONTokenEncoder(allowsFragments: true)
        let all = try members.compactMapValues { try $0.map { try encoder.encode($0) } }
            .merging(texts) { $1 }
        let encoded = all.sorted { $0.key < $1.key }.map { name, value in
            "\"\(name)\":" + String(decoding: value, as: UTF8.self)
        }
        return "{" + encoded.joined(separator: ",") + "}"
    }

    static func header(_ header: TokenHeader) -> JSONValue {
        let members: [String: JSONValue?] = [
            "alg": .string(header.algorithm), "kid": header.keyID.map(JSONValue.string),
            "typ": header.type.map(JSONValue.string),
            "cty": header.contentType.map(JSONValue.string),
        ]
        return .object(members.compactMapValues(\.self))
    }

    static func header(_ header: EncryptedTokenHeader) -> JSONValue {
        let members: [String: JSONValue?] = [
            "alg": .string(header.algorithm.name), "enc": .string(header.contentEncryption.name),
            "kid": header.keyID.map(JSONValue.string), "typ": header.type.map(JSONValue.string),
            "cty": header.contentType.map(JSONValue.string),
        ]
        return .object(members.compactMapValues(\.self))
    }

    /// JSON that was read, on one line and without anything that a terminal obeys. Every value
    /// stays the same.
    ///
    /// Between values these characters are white space. In strings, the strict reader accepts only
    /// characters that can also be written as escapes.
    static func oneLine(_ json: some Sequence<UInt8>) -> [UInt8] {
        var text = ""
        for scalar in String(decoding: Array(json), as: UTF8.self).unicodeScalars {
            if scalar.value < 0x20 {
                text += " "
            } else if scalar.isObeyed {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return Array(text.utf8)
    }
}

extension JSONValue {
    /// A path, or a sentence about a path. JSON is UTF-8: a byte that is not UTF-8 is shown as `\`
    /// and three octal digits.
    static func path(_ text: String) -> JSONValue { .string(PathText.shown(text)) }
}
