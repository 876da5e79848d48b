// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault import`
struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy items into the vault: of another vault, a .env file or a browser.",
        discussion: """
            Of a vault, the whole file is verified before the first item is written. Of a text, \
            every line is right or nothing is written. If interrupted, run the same command again \
            to continue. Without --on-conflict or --force nothing is written if an existing item \
            differs.

            --format env takes lines of NAME=value, each for the item SERVICE/NAME. Nothing is \
            expanded: a bare $ or ` is refused. --format csv takes the passwords that Chrome, \
            Edge, Firefox and Safari export, each for the item HOST/USER. Remove the file \
            afterwards: its passwords can be read.

            EXAMPLES
              signet vault import --input backup.signet
              signet vault import --input ci.signet --from-key-file ci.key \\
                  --backend secret-service
              signet vault import --format env --into api --input .env --dry-run
              signet vault import --format csv --input passwords.csv
            """)

    @OptionGroup(title: "The input") var input: ImportOptions
    @OptionGroup(title: "Unlocking the input") var from: WayOptions<FromWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        try input.check()
        let isVault = input.format == .vault
        try store.check(or: keyring, reading: [isVault ? from.source : input.input])
        try filter.check()
        try from.check()
        guard isVault else {
            try require(
                from.isEmpty && filter.isEmpty,
                otherwise: "A text is taken whole, and nothing unlocks it.",
                advice: "Leave out the options for items of a vault.")
            return try importText()
        }
        try importVault()
    }

    // MARK: Another vault

    private func importVault() throws {
        let path = try VaultPath(input.input, option: "--input ").path
        let options = store.waitingOptions.vaultOptions
        let opened = try store.open(or: keyring) { try checkIsVault(path, with: options) }
        let method = try from.method(store.waitingOptions)
        let isIncluded = filter.matching
        let policy = input.policy
        try moving.run("importing") { line in
            var work = VaultImport(
                from: path, with: method, to: opened, conflictPolicy: policy, options: options)
            work.includes = isIncluded
            return try await work.run { line.show($0, of: $1) }
        }
    }

    /// Refuses a file that is no vault before a passphrase is asked for.
    private func checkIsVault(_ path: String, with options: VaultOptions) throws {
        do { try FileVault.open(at: path, options: options).close() } catch {
            var failure = CommandFailure(error)
            if error.code == .notAVault {
                failure.advice = "Of a text, say what it is: --format env or --format csv"
            }
            throw failure
        }
    }

    // MARK: A text

    private func importText() throws {
        let items = try input.items()
        guard !input.dryRun else { return try show(items) }
        let work = TextImport(items: items, replaces: input.force)
        let opened = try store.open(or: keyring)
        try moving.report("importing") { line in
            try await work.run(into: opened) { line.show($0, of: $1) }
        }
    }

    /// Prints the names of items, as `signet vault get` takes them.
    private func show(_ items: [ImportedItem]) throws {
        guard moving.json else {
            for item in items { try Output.line(item.key.arguments) }
            return
        }
        let names = items.map { item -> JSONValue in
            .object(["service": .string(item.key.service), "account": .string(item.key.account)])
        }
        try Output.json(["items": .array(names)])
    }
}
