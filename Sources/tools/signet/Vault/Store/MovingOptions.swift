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
    func line(_ what: String, counting unit: ProgressMeter.Unit) -> ProgressLine {
        ProgressLine(what, counting: unit, isForced: progress)
    }
}

extension StoreMigration.ConflictPolicy: ExpressibleByArgument {}

/// The items that a command has copied, for its report.
struct MovedItems: Sendable {
    struct Count: Sendable {
        let name: String
        let words: String
        let count: Int
    }

    let total: Int
    let counts: [Count]
}

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
        do {
            try report(what) { MovedItems(try await work($0)) }
        } catch let error as StoreError where error.code == .conflict {
            var failure = CommandFailure(error)
            failure.advice = "Choose with --on-conflict keep, replace or newer."
            throw failure
        }
    }

    /// Like ``run(_:_:)``, for work that is no migration between stores.
    func report(
        _ what: String, _ work: @escaping @Sendable (ProgressLine) async throws -> MovedItems
    ) throws {
        // Items may be counted twice: when they are compared, and when they are written. While a
        // source is unlocked and verified before that, nothing is shown.
        let line = progress.line(what, counting: .share)
        defer { line.finish() }
        let moved = try waiting { try await work(line) }
        line.finish()
        if json {
            let members = moved.counts.map { ($0.name, JSONValue.integer(Int64($0.count))) }
            return try Output.json(Dictionary(uniqueKeysWithValues: members))
        }
        let told = moved.counts.filter { $0.count > 0 || $0.name == "added" }
        try Output.line(
            "\(moved.total) \(moved.total == 1 ? "item" : "items"): "
                + told.map { "\($0.count) \($0.words)" }.joined(separator: ", "))
    }
}

extension MovedItems {
    fileprivate init(_ report: MigrationReport) {
        total = report.total
        counts = [
            Count(name: "added", words: "added", count: report.added),
            Count(name: "replaced", words: "replaced", count: report.replaced),
            Count(name: "alreadyThere", words: "there already", count: report.alreadyThere),
            Count(name: "kept", words: "kept as the destination has them", count: report.kept),
            Count(name: "vanished", words: "removed by others meanwhile", count: report.vanished),
            Count(
                name: "removedFromSource", words: "removed from the source",
                count: report.removedFromSource),
            Count(
                name: "changedInSource", words: "left in the source, written by others meanwhile",
                count: report.changedInSource),
        ]
    }
}
