// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault slot list`
struct VaultSlotListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the key slots.",
        discussion: """
            Without a passphrase or a key the list is what the file claims. With one \
            (--passphrase, --key-file, …) the vault is unlocked first, which proves the list.

            EXAMPLES
              signet vault slot list
              signet vault slot list --passphrase --json
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print a JSON object: vault, proved, slots.")
    var json = false

    func run() throws {
        try store.check()
        let vault = try store.openLocked()
        let isProved = !store.current.isEmpty
        if isProved { try vault.unlock(with: store.method()) }
        let slots = try vault.slots()
        if json {
            return try Output.json([
                "vault": .string(vault.id.hexadecimal), "proved": .bool(isProved),
                "slots": .array(
                    slots.map { ["id": .string($0.id.hexadecimal), "kind": .string($0.kind.name)] }),
            ])
        }
        var table = Table(["SLOT", "KEY SOURCE"])
        for slot in slots { table.add([slot.id.hexadecimal, slot.kind.name]) }
        try Output.line(table.text)
    }
}

/// `signet vault slot add`
struct VaultSlotAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a way into the vault; print its slot.",
        discussion: """
            EXAMPLES
              signet vault slot add --passphrase --new-key-file backup.key
              signet vault slot add --key-file work.key --new-passphrase
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "New key slot") var new: WayOptions<NewWay>

    @Flag(help: "Print a JSON object: slot.")
    var json = false

    func run() throws {
        try store.check(reading: [new.source])
        try new.check()
        let slot = try store.open().addSlot(new.newMethod(store.waitingOptions)).hexadecimal
        try Output.printResult(json: json, members: ["slot": .string(slot)], text: slot)
    }
}

/// `signet vault slot remove`
struct VaultSlotRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a way into the vault.",
        discussion: """
            The last slot cannot be removed. An earlier copy of the file still has the slot: if \
            others know its secret, rotate root and data too.

            EXAMPLES
              signet vault slot remove 3f9a --passphrase
            """)

    @Argument(help: "The slot's id from 'slot list', or its first digits.")
    var slot: String

    @OptionGroup var store: StoreOptions

    func run() throws {
        try store.check()
        let wanted = slot.lowercased()
        try require(
            wanted.utf8.count >= 4 && wanted.utf8.allSatisfy(Self.digits.contains),
            otherwise: "Give at least four hexadecimal digits of the slot's id.")
        let vault = try store.openLocked()
        let matching = try vault.slots().filter { $0.id.hexadecimal.hasPrefix(wanted) }
        guard let found = matching.first, matching.count == 1 else {
            throw CommandFailure.refused(
                matching.isEmpty ? "absent" : "ambiguous",
                matching.isEmpty ? "There is no such slot." : "Several slots begin like this.",
                advice: "'signet vault slot list' shows them.")
        }
        try vault.unlock(with: store.method())
        try vault.removeSlot(id: found.id)
        try Output.line("removed slot \(found.id.hexadecimal)")
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension KeySlot.Kind {
    /// The kind's name for people and for scripts.
    fileprivate var name: String {
        switch self {
        case .scrypt: "passphrase-scrypt"
        case .argon2id: "passphrase-argon2id"
        case .pbkdf2: "passphrase-pbkdf2"
        case .rawKey: "key"
        case .secretService: "secret-service"
        case .external: "external"
        default: "kind-\(rawValue)"
        }
    }
}
