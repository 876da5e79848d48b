// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault set`
struct VaultSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Store a value, replacing any existing one.",
        discussion: """
            The value is all of standard input, byte for byte; at a terminal the command asks \
            for it. It is never an argument. A label, comment or attribute that is not given is \
            not changed.

            EXAMPLES
              signet vault set api.example/me --prompt
              printf %s "$TOKEN" | signet vault set --service ci --class token
              signet vault set --service tls --class key --value-file key.pem
              signet vault set ci/bot --if-absent < value
            """)

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup(title: "The item") var kind: ItemKindOptions
    @OptionGroup(title: "The item") var details: DetailOptions
    @OptionGroup(title: "The value") var value: ValueOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Refuse if the item exists.")
    var ifAbsent = false

    @Flag(help: "Print a JSON object about the item, without its value.")
    var json = false

    func run() throws {
        let name = try named()
        let key = name.key(kind)
        try value.check()
        try store.check(or: keyring, reading: [value.source])
        _ = try details.attributes()
        var read: SecretValue?
        // A value that is not typed is read first, so that the user types no passphrase if its file
        // does not exist.
        let opened = try store.open(or: keyring) { if !value.asks { read = try value.value() } }
        if ifAbsent, read == nil, try waiting({ try await opened.item(key) }) != nil {
            throw StoreError(.alreadyExists, "There is such an item already.")
        }
        try write(read ?? value.value(), for: key, to: opened)
        guard json else { return try Output.line("kept \(name.inWords)".onOneLine) }
        guard let kept = try waiting({ try await opened.item(key) }) else {
            throw ItemOptions.absent
        }
        try Output.json(ItemReport.json(kept))
    }

    /// The item that was named. What is no name may be the value.
    private func named() throws -> ItemName {
        do { return try item.named() } catch var failure as CommandFailure {
            if item.name != nil {
                failure.advice =
                    "\(failure.advice ?? ""). A value is never an argument: give it on "
                    + "standard input, with --prompt or in --value-file FILE."
            }
            throw failure
        }
    }

    /// Writes the value with the given details, and keeps the item's other details. If another
    /// writer wrote in the meantime, it tries again, at most 20 times in all.
    private func write(_ value: SecretValue, for key: ItemKey, to store: any SecureStore) throws {
        if details.isEmpty, !ifAbsent {
            _ = try waiting { try await store.set(value, for: key, details: nil) }
            return
        }
        for attempt in 1... {
            let old = try ifAbsent ? nil : waiting { try await store.item(key) }
            let merged = try details.details(over: old?.details)
            do {
                _ = try waiting {
                    try await store.replace(
                        value, for: key, details: merged, ifRevision: old?.revision)
                }
                return
            } catch let error as StoreError {
                let isOthers = error.code == .conflict || error.code == .alreadyExists
                guard isOthers, !ifAbsent, attempt < 20 else { throw error }
            }
        }
    }
}
