// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The settings as they were given: command line over environment. An empty one counts as not given.
package struct Settings: Sendable {
    private let values: [String: String]

    package init(environment: [String: String], overrides: [String: String?] = [:]) {
        var values = environment
        for (name, value) in overrides { if let value { values[name] = value } }
        self.values = values
    }

    package func text(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether it was given, and is empty: `NAME=$UNSET`.
    func isEmpty(_ name: String) -> Bool { values[name]?.isEmpty == true }

    func required(_ name: String, _ purpose: String) throws(ConfigurationProblem) -> String {
        guard let text = text(name) else {
            throw ConfigurationProblem(name, "is not set: give it \(purpose).")
        }
        return text
    }

    func number(
        _ name: String, default standard: Int, in range: ClosedRange<Int>
    ) throws(ConfigurationProblem) -> Int {
        guard let text = text(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw ConfigurationProblem(
                name,
                "is no whole number from \(range.lowerBound) to \(range.upperBound): change it, or leave it out for \(standard)."
            )
        }
        return number
    }

    /// The members of a list with commas, without the blanks around them.
    func list(_ name: String) throws(ConfigurationProblem) -> [String] {
        guard let text = text(name) else { return [] }
        var members = [String]()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let member = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !member.isEmpty else {
                throw ConfigurationProblem(
                    name, "has an empty member: take out the comma that is too many.")
            }
            members.append(member)
        }
        return members
    }
}
