// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
internal import SignetJOSE
public import SignetVault

/// Whether long work reports its progress.
struct ProgressOptions: ParsableArguments {
    @Flag(
        help: "Report progress on standard error, even without a terminal. (default: at a terminal)"
    )
    var progress = false

    /// - Parameter what: what is being done, for example `rotating`.
    func line(_ what: String) -> ProgressLine { ProgressLine(what, isForced: progress) }
}

extension StoreMigration.ConflictPolicy: ExpressibleByArgument {}

/// How a command reports the items that it copies.
struct MovingOptions: ParsableArguments {
    @OptionGroup var progress: ProgressOptions

    @Flag(help: "Print a JSON object: how many items were added, replaced and so on.")
    var json = false

    /// Runs the work with a progress line, and prints its report.
    ///
    /// - Parameter what: what is being done, for example `exporting`.
    func run(
        _ what: String,
        _ work: @escaping @Sendable (ProgressLine) async throws -> MigrationReport
    ) throws {
        let line = progress.line(what)
        defer { line.finish() }
        let report: MigrationReport
        do {
            report = try waiting { try await work(line) }
        } catch let error as StoreError where error.code == .conflict {
            var failure = CommandFailure(error)
            failure.advice = "Choose with --on-conflict keep, replace or newer."
            throw failure
        }
        line.finish()
        let counts: [(name: String, words: String, count: Int)] = [
            ("added", "added", report.added), ("replaced", "replaced", report.replaced),
            ("alreadyThere", "there already", report.alreadyThere),
            ("kept", "kept as the destination has them", report.kept),
            ("vanished", "removed by others meanwhile", report.vanished),
            ("removedFromSource", "removed from the source", report.removedFromSource),
            (
                "changedInSource", "left in the source, written by others meanwhile",
                report.changedInSource
            ),
        ]
        if json {
            let members = counts.map { ($0.name, JSONValue.integer(Int64($0.count))) }
            return try Output.json(Dictionary(uniqueKeysWithValues: members))
        }
        let told = counts.filter { $0.count > 0 || $0.name == "added" }
        try Output.line(
            "\(report.total) \(report.total == 1 ? "item" : "items"): "
                + told.map { "\($0.count) \($0.words)" }.joined(separator: ", "))
    }
}
