// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault import`
struct VaultImportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take the items of an exported file, or of any vault, into this one.",
        discussion: """
            The whole file is verified before the first item is written. Interrupted, the same call again goes on. \
            Without --on-conflict nothing is written when an item is there already and differs.

            EXAMPLES
              signet vault import --input backup.signet
              signet vault import --input ci.signet --from-key-file ci.key \\
                  --backend secret-service
            """)

    @Option(
        name: .long, help: ArgumentHelp("The file to read.", valueName: "file"), completion: .file()
    )
    var input: String

    @Option(
        name: .long,
        help: ArgumentHelp("An item that is there already and differs.", valueName: "policy"))
    var onConflict = ConflictArgument(.refuse)

    @OptionGroup(title: "Unlocking the input") var from: WayOptions<FromWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        try failing {
            try store.check(reading: from.source)
            try filter.check()
            let (way, path) = (try from.way(), try VaultPath(input).path)
            let opened = try store.open()
            let (method, filter) = (try way.method(from.wording, place.patience), filter.matching)
            let policy = onConflict.policy
            try moving.run(progress.line("importing")) { line async throws(StoreError) in
                var work = VaultImport(from: path, with: method, to: opened, conflictPolicy: policy)
                work.includes = filter
                return try await work.run { line.show($0, of: $1) }
            }
        }
    }
}
