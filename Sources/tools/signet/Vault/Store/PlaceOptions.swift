// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase

/// Where secrets are kept.
enum StoreBackend: String, ExpressibleByArgument, CaseIterable {
    case file
    case secretService = "secret-service"
}

/// Which store a command works on.
struct PlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where secrets are kept.", valueName: "name"))
    var backend: StoreBackend = .file

    @Option(file: "The vault's file. (default: $SIGNET_VAULT)")
    var vault: String?

    /// The vault's file; refuses the other backend.
    func path() throws -> VaultPath {
        try require(
            backend == .file, otherwise: "This command is for vaults in files, not for the keyring."
        )
        return try VaultPath(vault)
    }

    func check() throws {
        try require(
            backend == .file || vault == nil,
            otherwise: "--vault names a file, and the keyring is not a file.",
            advice: "Leave --vault out, or --backend.")
    }
}
