// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault import`
struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy the items of an exported file, or of any vault, into this one.",
        discussion: """
            The whole file is verified before the first item is written. If interrupted, run the \
            same command again to continue. Without --on-conflict nothing is written if an \
            existing item differs.

            EXAMPLES
              signet vault import --input backup.signet
              signet vault import --input ci.signet --from-key-file ci.key \\
                  --backend secret-service
            """)

    @Option(file: "The file to read.")
    var input: String

    @Option(
        help: ArgumentHelp("What to do if an existing item differs.", valueName: "policy"),
        completion: .default)
    var onConflict = StoreMigration.ConflictPolicy.refuse

    @OptionGroup(title: "Unlocking the input") var from: WayOptions<FromWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        try store.check(or: keyring, reading: [from.source])
        try filter.check()
        try from.check()
        let path = try VaultPath(input, option: "--input ").path
        let opened = try store.open(or: keyring)
        let method = try from.method(store.waitingOptions)
        let isIncluded = filter.matching
        let policy = onConflict
        let options = store.waitingOptions.vaultOptions
        try moving.run("importing") { line in
            var work = VaultImport(
                from: path, with: method, to: opened, conflictPolicy: policy, options: options)
            work.includes = isIncluded
            return try await work.run { line.show($0, of: $1) }
        }
    }
}
