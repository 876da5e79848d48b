// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// How much a read must verify.
struct ReadingOptions: ParsableArguments {
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case strict, lazy
    }

    @Option(
        name: .customLong("read"),
        help: ArgumentHelp(
            "How much a read proves: strict, or lazy for damaged vaults; lazy does not prove that an item is absent. (default: strict)",
            valueName: "level"))
    var level: Level?

    @Flag(help: Self.readOnlyHelp)
    var readOnly = false

    @Option(
        file:
            "Keep the vault's generation in this file as well, which reveals an older copy that was put back."
    )
    var anchor: String?

    @Flag(
        help:
            "Accept a vault that is older than the anchor knows, once: you restored a backup.")
    var acceptRestored = false

    static let readOnlyHelp: ArgumentHelp =
        "Take no lock and write nothing, not even beside the vault; the file must not change meanwhile."

    /// Whether none of these options was given.
    var isEmpty: Bool { level == nil && !readOnly && anchor == nil && !acceptRestored }

    func check() throws {
        try require(
            !acceptRestored || anchor != nil,
            otherwise: "--accept-restored is for a vault with an anchor.", advice: "--anchor FILE")
    }
}
