// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE
internal import SignetVault

/// `signet vault verify`
struct VaultVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check everything in a vault; report what was checked and any damage.",
        discussion: """
            Exit status 1 on damage. An older copy of the whole file verifies too: only the \
            generation, which is printed, tells it apart.

            EXAMPLES
              signet vault verify
              signet vault verify --vault copy.signet --key-file work.key --json
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var progress: ProgressOptions

    @Flag(help: "Print a JSON object: clean, findings, and what was checked.")
    var json = false

    func run() throws {
        try store.check()
        // Lazy: the unlock itself must check no more than necessary, so that the report can say
        // where the other damage is.
        let vault = try open()
        let line = progress.line("verifying", counting: .items)
        defer { line.finish() }
        let report = try vault.verify { line.show($0, of: $1) }
        line.finish()
        try print(report, of: vault)
        guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    private func open() throws -> FileVault {
        var method: (any UnlockMethod)?
        do {
            let vault = try store.openLocked(level: .lazy)
            let way = try store.method()
            method = way
            try vault.unlock(with: way)
            return vault
        } catch {
            // This damage keeps the vault from being checked any further, so it is the finding.
            let finding =
                error as? CommandFailure ?? (error as? StoreError).map { CommandFailure($0) }
            guard var failure = finding, StoreError.Code(rawValue: failure.code) == .corrupt else {
                throw error
            }
            failure.advice = try advice(method)
            throw failure
        }
    }

    /// - Parameter method: nil if the file could not even be opened.
    private func advice(_ method: (any UnlockMethod)?) throws -> String {
        let path = try store.place.path().path
        var options = store.waitingOptions.vaultOptions
        options.isReadOnly = store.reading.readOnly
        guard let way = method ?? (try? store.method()),
            VaultSalvage.isPossible(of: path, with: way, options: options)
        else { return "No key can be trusted after that: put back a copy of the file." }
        return "Put back a copy of the file, or take out what is whole: signet vault salvage "
            + "--vault \(Input.quoted(path)) --output NEW-FILE"
    }

    private func print(_ report: VaultReport, of vault: FileVault) throws {
        let path = try store.place.path().path
        guard !json else {
            return try Output.json([
                "vault": .path(path), "id": .string(vault.id.hexadecimal),
                "clean": .bool(report.isClean),
                "generation": .integer(Int64(clamping: report.generation)),
                "items": .integer(Int64(report.itemCount)),
                "values": .integer(Int64(report.valueCount)),
                "bytes": .integer(Int64(report.byteCount)),
                "slots": .integer(Int64(report.slotCount)),
                "dataKeys": .integer(Int64(report.dataKeyCount)),
                "findings": .array(report.findings.map { .object($0.json) }),
            ])
        }
        try Output.line(
            "vault \(vault.id.hexadecimal), generation \(report.generation): \(path.onOneLine)")
        for (what, count) in [
            ("items", report.itemCount), ("values", report.valueCount),
            ("bytes authenticated", report.byteCount),
            ("key slots", report.slotCount), ("data keys", report.dataKeyCount),
        ] { try Output.line("  \(what): \(count)") }
        if report.dataKeyCount > 1 {
            try Output.line(
                "  a rotation is not finished: 'signet vault rotate data' goes on with it")
        }
        for finding in report.findings { try Output.line("DAMAGE \(finding.inWords)".onOneLine) }
        try Output.line(
            report.isClean
                ? "clean: schema, head, slots, ring, state, buckets, every item and every value are as they were written"
                : "damage: put back a backup (signet vault restore), or take out what is whole (signet vault salvage)"
        )
    }
}
