// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetVault

extension VaultReport.Finding {
    /// Where the damage is and what it is, for a person.
    var inWords: String {
        var name = place
        if let item {
            name += " (\(item.inWords))"
        } else if !identifier.isEmpty {
            name += " \(identifier)"
        }
        return "\(name): \(problem)"
    }

    /// The same for a program.
    var json: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "place": .string(place), "identifier": .string(identifier), "problem": .string(problem),
        ]
        if let item {
            members["service"] = .string(item.service)
            members["account"] = .string(item.account)
        }
        return members
    }
}
