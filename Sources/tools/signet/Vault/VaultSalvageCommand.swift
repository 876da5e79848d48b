// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault salvage`
struct VaultSalvageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Copy the authentic items of a damaged vault into a new one.",
        discussion: """
            The damaged vault is not changed. Every item in the new one is authentic, but it can \
            no longer be proved that it is the newest or that none is missing. Losses are \
            listed, by service and account if these can be read.

            To put the new vault in the damaged one's place, move that one and its -wal file \
            away, and then: signet vault restore --vault OLD --input NEW

            EXAMPLES
              signet vault salvage --output new.signet
              signet vault salvage --vault bad.signet --key-file k --output new.signet \\
                  --new-key-file new.key
            """)

    @Option(file: "The vault to write.")
    var output: String

    @OptionGroup(title: "Key of the new vault") var new: WayOptions<NewWay>
    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var waitingOptions: WaitingOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>

    @Flag(help: ReadingOptions.readOnlyHelp)
    var readOnly = false

    @Flag(help: "Print a JSON object: saved, losses, generation.")
    var json = false

    func run() throws {
        try waitingOptions.check()
        try place.check()
        try new.check()
        let path = try VaultPath(output, option: "--output ")
        try current.check()
        try Input.checkStandardInput([current.source, new.source])
        try path.checkIsFree()
        var options = waitingOptions.vaultOptions
        options.isReadOnly = readOnly
        let salvage = VaultSalvage(
            of: try place.path().path, with: try current.method(waitingOptions), to: path.path,
            with: try new.newMethod(waitingOptions), options: options)
        try print(salvage.run(), of: path)
    }

    private func print(_ report: SalvageReport, of path: VaultPath) throws {
        guard !json else {
            return try Output.json([
                "vault": .path(path.path), "saved": .integer(Int64(report.savedCount)),
                "losses": .array(report.losses.map { .object($0.json) }),
                "generation": report.generation.map { .integer(Int64(clamping: $0)) } ?? .null,
            ])
        }
        for loss in report.losses { try Output.line("LOST \(loss.inWords)".onOneLine) }
        let items = report.savedCount == 1 ? "item" : "items"
        try Output.line("saved \(report.savedCount) \(items): \(path.path.onOneLine)")
    }
}
