// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// A class of items as an argument.
struct ClassArgument: ExpressibleByArgument {
    let itemClass: ItemClass

    init(_ itemClass: ItemClass) { self.itemClass = itemClass }

    init?(argument: String) {
        guard let known = ItemClass(rawValue: argument) else { return nil }
        itemClass = known
    }

    static var allValueStrings: [String] { ItemClass.allCases.map(\.rawValue) }
    var defaultValueDescription: String { itemClass.rawValue }
}

/// What names one item.
struct ItemOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The program or the service that the secret is for.", valueName: "name"))
    var service: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Whose secret it is; empty without it.", valueName: "name"))
    var account = ""

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("What kind of secret it is.", valueName: "name"))
    var itemClass = ClassArgument(.generic)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Access group, for several programs in one store.", valueName: "name"))
    var group = ""

    var key: ItemKey {
        ItemKey(
            service: service, account: account, itemClass: itemClass.itemClass, accessGroup: group)
    }

    /// The item in words, as every message names one.
    var inWords: String { "service '\(service)', account '\(account)'" }

    /// The failure that no such item is.
    var absent: CommandFailure {
        .refused(
            "absent", "There is no such item.",
            advice:
                "'signet vault list' shows what there is; class, service, account and group all count."
        )
    }
}

/// What an item says about itself.
struct DetailOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A name for people.", valueName: "text"))
    var label: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A remark.", valueName: "text"))
    var comment: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An attribute; may be given again.", valueName: "name=value"))
    var attribute: [String] = []

    /// The attributes by name.
    func attributes() throws -> [String: String] { try Self.attributes(attribute) }

    static func attributes(_ texts: [String]) throws -> [String: String] {
        var all: [String: String] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw CommandFailure.usage("--attribute takes name=value.")
            }
            let name = String(text[..<equals])
            guard all.updateValue(String(text[text.index(after: equals)...]), forKey: name) == nil
            else {
                throw CommandFailure.usage("An attribute is given twice.")
            }
        }
        return all
    }

    /// Whether an item's details stay as they are.
    var isEmpty: Bool { label == nil && comment == nil && attribute.isEmpty }

    /// The details of the item that is there, with those given in their place.
    func details(over old: ItemDetails?) throws -> ItemDetails {
        var details = old ?? ItemDetails()
        if let label { details.label = label }
        if let comment { details.comment = comment }
        details.attributes.merge(try attributes()) { _, new in new }
        return details
    }
}
