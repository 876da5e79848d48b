// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// The content of a verified token, for people and for scripts.
struct TokenReport {
    /// A statement of the token: a member of the JSON, and a row of the table. Without a value it
    /// is left out of the JSON, without a text out of the table.
    struct Field {
        let name: String
        let value: JSONValue?
        var label = ""
        var text: String?
        /// A time, whose text says how far it is from now.
        var time: NumericDate?

        static func text(_ name: String, label: String, value text: String?) -> Field {
            Field(name: name, value: text.map(JSONValue.string), label: label, text: text)
        }

        static func list(_ name: String, values texts: [String]) -> Field {
            Field(
                name: name, value: .array(texts.map(JSONValue.string)), label: name,
                text: texts.isEmpty ? nil : texts.joined(separator: " "))
        }

        static func time(_ name: String, label: String, value time: NumericDate?) -> Field {
            Field(name: name, value: time?.number, label: label, time: time)
        }

        /// What people read; nil where there is nothing.
        fileprivate func text(at now: NumericDate) -> String? {
            guard let time else { return text }
            let moment = MomentText(time, now: now)
            let distance = name == "expiration" ? moment.expiry : moment.distance
            return "\(moment.seconds) (\(moment.utc), \(distance))"
        }
    }

    /// The name of the members in the JSON.
    let name: String
    /// The claims as they were signed: a number with many digits keeps them all.
    let claims: [UInt8]
    /// In the order of the table.
    let fields: [Field]

    /// - Parameter now: by the clock that the token was verified by.
    func print(json: Bool, now: NumericDate) throws {
        guard !json else {
            let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
            let members = JSONOutput.oneLine(Array(try JSONOutput.line(values).utf8))
            return try Output.json(
                ["valid": true], texts: ["claims": JSONOutput.oneLine(claims), name: members])
        }
        var table = Table()
        for field in fields {
            if let text = field.text(at: now) { table.add([field.label, text]) }
        }
        try Output.line(table.text)
    }
}

extension NumericDate {
    /// Seconds since 1970, as JSON.
    var number: JSONValue {
        Int64(exactly: secondsSince1970).map { .integer($0) } ?? .number(secondsSince1970)
    }
}
