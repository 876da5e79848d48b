// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault export`
struct VaultExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write items to a sealed file that can be carried elsewhere.",
        discussion: """
            The file is a vault of its own with one key slot. It is written whole and verified, \
            or not at all. An existing file is never replaced.

            EXAMPLES
              signet vault export --output backup.signet
              signet vault export --output ci.signet --service ci --new-key-file ci.key
            """)

    @Option(file: "The file to write.")
    var output: String

    @OptionGroup(title: "Key of the exported file") var new: WayOptions<NewWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        try store.check(or: keyring, reading: [new.source])
        try filter.check()
        try new.check()
        let path = try VaultPath(output, option: "--output ")
        try path.checkIsFree()
        let opened = try store.open(or: keyring)
        let method = try new.newMethod(store.waitingOptions)
        let isIncluded = filter.matching
        try moving.run("exporting") { line in
            var export = VaultExport(from: opened, to: path.path, with: method)
            export.includes = isIncluded
            return try await export.run { line.show($0, of: $1) }
        }
    }
}
