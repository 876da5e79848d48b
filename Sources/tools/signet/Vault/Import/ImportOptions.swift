// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform
internal import SignetVault

/// What is imported, and what happens to items that are there.
struct ImportOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// A vault, or a file that was exported from one.
        case vault
        /// Lines of `NAME=value`.
        case env
        /// Passwords of a browser.
        case csv
    }

    @Option(file: "The file to read.")
    var input: String

    @Option(help: ArgumentHelp("What the file is.", valueName: "name"))
    var format = Format.vault

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The service of a .env file's items.", valueName: "name"))
    var into: String?

    @Option(
        help: ArgumentHelp("What to do if an existing item differs.", valueName: "policy"),
        completion: .default)
    var onConflict = StoreMigration.ConflictPolicy.refuse

    @Flag(help: "Replace existing items that differ.")
    var force = false

    @Flag(help: "Print the names of a text's items, and write nothing.")
    var dryRun = false

    var policy: StoreMigration.ConflictPolicy { force ? .replace : onConflict }

    func check() throws {
        try require(
            (into != nil) == (format == .env),
            otherwise: "--into names the service of a .env file's items.",
            advice: "--format env --into SERVICE")
        try require(into != "", otherwise: "No service has an empty name.")
        try require(
            !dryRun || format != .vault, otherwise: "--dry-run is for a text.",
            advice: "'signet vault list' shows the items of a vault: --vault FILE")
        try require(
            onConflict == .refuse || format == .vault && !force,
            otherwise: "--on-conflict is for a vault, and --force says the same as replace.",
            advice: "To replace what is there: --force")
    }

    /// The items of a text.
    func items() throws -> [ImportedItem] {
        try SecretTextFile.withBytes(of: input) { bytes in
            guard format == .csv else {
                return try VariableFile.items(in: bytes, service: into ?? "")
            }
            return try PasswordTable.items(in: bytes) { names in
                let list = names.map(\.onOneLine).joined(separator: ", ")
                Output.errorLine("signet: left out the columns \(list)")
            }
        }
    }
}
