// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault export`
struct VaultExportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write items to a sealed file that can be carried elsewhere.",
        discussion: """
            The file is a vault of its own with one way in, whole and verified or not there at all; a file that is \
            there is never replaced.

            EXAMPLES
              signet vault export --output backup.signet
              signet vault export --output ci.signet --service ci --new-key-file ci.key
            """)

    @Option(
        name: .long, help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup(title: "Key of the exported file") var new: WayOptions<NewWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        try failing {
            try store.check(reading: new.source)
            try filter.check()
            let (way, path) = (try new.way(), try VaultPath(output))
            try path.checkIsFree(option: "--output")
            let opened = try store.open()
            let (method, filter) = (try way.newMethod(new.wording, place.patience), filter.matching)
            try moving.run(progress.line("exporting")) { line async throws(StoreError) in
                var export = VaultExport(from: opened, to: path.path, with: method)
                export.includes = filter
                return try await export.run { line.show($0, of: $1) }
            }
        }
    }
}
