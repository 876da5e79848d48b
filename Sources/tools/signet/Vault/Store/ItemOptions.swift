// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import SignetVault

extension ItemClass: ExpressibleByArgument {}

/// The arguments that name an item: `SERVICE/ACCOUNT`, or options for a name of any text.
struct ItemOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The item; the last / divides.", valueName: "service/account"))
    var name: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The program or the service that the secret is for.", valueName: "name"))
    var service: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Whose secret it is. (default: empty)", valueName: "name"))
    var account: String?

    /// The item that was named. Refuses a wrong name before anything is read and before the user is
    /// asked for anything.
    func named() throws -> ItemName {
        guard let name else {
            guard let service else {
                throw CommandFailure.usage(
                    "Name the item.", advice: "SERVICE/ACCOUNT, or --service and --account")
            }
            return ItemName(service: service, account: account ?? "")
        }
        try require(
            service == nil && account == nil, otherwise: "Name the item once.",
            advice: "SERVICE/ACCOUNT, or --service and --account")
        return try ItemName.checked(name)
    }

    /// The failure that there is no such item.
    static var absent: CommandFailure {
        .refused(
            "absent", "There is no such item.",
            advice:
                "'signet vault list' shows what there is; class, service, account and group all count."
        )
    }
}

/// What distinguishes items of the same name.
struct ItemKindOptions: ParsableArguments {
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("What kind of secret it is.", valueName: "name"),
        completion: .default)
    var itemClass = ItemClass.generic

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Access group, for several programs in one store.", valueName: "name"))
    var group = ""
}

/// The options that describe an item.
struct DetailOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("A name for people.", valueName: "text"))
    var label: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A remark.", valueName: "text"))
    var comment: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An attribute; may be repeated.", valueName: "name=value"))
    var attribute: [String] = []

    /// The attributes by name.
    func attributes() throws -> [String: String] { try Self.attributes(attribute) }

    static func attributes(_ texts: [String]) throws -> [String: String] {
        var all: [String: String] = [:]
        for text in texts {
            // By bytes, because "=" and a combining mark after it are another Character.
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            guard !name.isEmpty, name.count < text.utf8.count else {
                throw CommandFailure.usage("--attribute takes name=value.")
            }
            let value = String(decoding: text.utf8.dropFirst(name.count + 1), as: UTF8.self)
            try require(
                all.updateValue(value, forKey: String(decoding: name, as: UTF8.self)) == nil,
                otherwise: "An attribute is given twice.")
        }
        return all
    }

    /// Whether none was given, so an item's details stay as they are.
    var isEmpty: Bool { label == nil && comment == nil && attribute.isEmpty }

    /// The item's present details, with the given details replaced.
    func details(over old: ItemDetails?) throws -> ItemDetails {
        var details = old ?? ItemDetails()
        if let label { details.label = label }
        if let comment { details.comment = comment }
        details.attributes.merge(try attributes()) { _, new in new }
        return details
    }
}
