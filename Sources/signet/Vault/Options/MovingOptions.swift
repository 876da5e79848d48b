// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// What happens to an item that is on both sides and differs, as an argument.
struct ConflictArgument: ExpressibleByArgument {
    let policy: StoreMigration.ConflictPolicy

    init(_ policy: StoreMigration.ConflictPolicy) { self.policy = policy }

    init?(argument: String) {
        guard let policy = StoreMigration.ConflictPolicy(rawValue: argument) else { return nil }
        self.policy = policy
    }

    static var allValueStrings: [String] { StoreMigration.ConflictPolicy.allCases.map(\.rawValue) }
    var defaultValueDescription: String { policy.rawValue }
}

/// What is said about items that were copied.
struct MovingOptions: ParsableArguments {
    @Flag(name: .long, help: "Print a JSON object: how many items were added, replaced and so on.")
    var json = false

    /// Runs the work with the line that says how far it is, and prints its report.
    func run(
        _ line: ProgressLine,
        _ work: @escaping @Sendable (ProgressLine) async throws(StoreError) -> MigrationReport
    ) throws {
        defer { line.finish() }
        let report: MigrationReport
        do {
            report = try waiting { () throws(StoreError) in try await work(line) }
        } catch {
            guard error.code == .conflict else { throw error }
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
            return try Output.line(JSONOutput.line(Dictionary(uniqueKeysWithValues: members)))
        }
        let told = counts.filter { $0.count > 0 || $0.name == "added" }
        try Output.line(
            "\(report.total) \(report.total == 1 ? "item" : "items"): "
                + told.map { "\($0.count) \($0.words)" }.joined(separator: ", "))
    }
}
