// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetBase
internal import SignetJOSE
internal import SignetVault

/// Shows items, but never their values.
enum ItemReport {
    /// An item as JSON.
    static func json(_ item: StoredItem) -> [String: JSONValue] {
        [
            "class": .string(item.key.itemClass.rawValue), "group": .string(item.key.accessGroup),
            "service": .string(item.key.service), "account": .string(item.key.account),
            "label": .string(item.details.label), "comment": .string(item.details.comment),
            "attributes": .object(item.details.attributes.mapValues(JSONValue.string)),
            "created": .string(text(item.created)), "modified": .string(text(item.modified)),
            "type": .string(item.valueType.rawValue),
        ]
    }

    /// Prints items for a person, named as `signet vault get` takes them, or, as an object on one
    /// line, for a program. They are sorted by the octets of their names.
    ///
    /// - Parameter nothing: what to tell a person if there are none.
    static func print(_ items: [StoredItem], json isJSON: Bool, nothing: String) throws {
        if items.isEmpty, !isJSON { Output.errorLine("signet: \(nothing)") }
        let sorted = items.sorted {
            order($0.key).lexicographicallyPrecedes(order($1.key)) {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
        }
        if isJSON {
            return try Output.json(["items": .array(sorted.map { .object(json($0)) })])
        }
        var table = Table(["ITEM", "MODIFIED", "LABEL"])
        for item in sorted {
            table.add([item.key.arguments, text(item.modified), item.details.label])
        }
        try Output.line(table.text)
    }

    /// A time in UTC, to the second; the bare number if it is after the year 9999.
    static func text(_ time: ItemTime) -> String {
        let seconds = time.milliseconds / 1000
        guard seconds <= CivilTime.latest else { return time.description }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    private static func order(_ key: ItemKey) -> [String] {
        [key.service, key.account, key.itemClass.rawValue, key.accessGroup]
    }
}

extension VaultReport.Finding {
    /// Where the damage is, and what it is, for a person.
    var inWords: String {
        var name = place
        if let item {
            name += " (\(item.inWords))"
        } else if !identifier.isEmpty {
            name += " \(identifier)"
        }
        return "\(name): \(problem)"
    }

    /// The damage and its place, for a program.
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
