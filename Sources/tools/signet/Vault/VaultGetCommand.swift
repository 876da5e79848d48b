// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE
internal import SignetVault

/// `signet vault get`
struct VaultGetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write an item's value, and nothing else.",
        discussion: """
            Writes the value byte for byte and adds no line end, except at a terminal, where the \
            prompt would stand behind it. An absent item is status 1 with the code "absent"; \
            every other failure has another code.

            EXAMPLES
              TOKEN=$(signet vault get api.example/me)
              signet vault get --service tls --class key > key.pem
              signet vault get api.example/me --json
            """)

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup(title: "The item") var kind: ItemKindOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Write a line end after the value.")
    var newline = false

    @Flag(help: "Write the value to a terminal even if it is not text.")
    var force = false

    @Flag(help: "Print a JSON object about the item, without its value.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        let key = try item.named().key(kind)
        try require(
            !json || !newline, otherwise: "--newline is for the value, and --json prints none.")
        let opened = try store.open(or: keyring)
        if json {
            guard let found = try waiting({ try await opened.item(key) }) else {
                throw ItemOptions.absent
            }
            return try Output.json(ItemReport.json(found))
        }
        guard let found = try waiting({ try await opened.entry(key) }) else {
            throw ItemOptions.absent
        }
        try write(found.value)
    }

    private func write(_ value: SecretValue) throws {
        let isTerminal = Output.isTerminal
        if !force, isTerminal, !value.withExposedBytes({ Self.isText($0) }) {
            throw CommandFailure.refused(
                "binary", "The value is not text that a terminal shows safely.",
                advice: "Send it to a file or a program, or say --force.")
        }
        let endsLine = value.withExposedBytes { $0.isEmpty || $0[$0.count - 1] == 0x0a }
        try value.withExposedBytes { span throws in try Output.bytes(span) }
        if newline || isTerminal && !endsLine { try Output.bytes([0x0a]) }
    }

    /// Whether it is text in which a terminal would obey nothing.
    private static func isText(_ bytes: Span<UInt8>) -> Bool {
        var text = [UInt8]()
        defer { for index in text.indices { text[index] = 0 } }
        text.reserveCapacity(bytes.count)
        for index in bytes.indices { text.append(bytes[index]) }
        guard let decoded = String(validating: text, as: UTF8.self) else { return false }
        return decoded.unicodeScalars.allSatisfy {
            !$0.isObeyed || $0 == "\n" || $0 == "\t" || $0 == "\r"
        }
    }
}
