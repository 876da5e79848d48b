// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase

/// The part of the desktop's keyring in which a command works.
struct KeyringOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The program that owns the items. (default: signet)", valueName: "name")
    )
    var application: String?

    @Option(
        help: ArgumentHelp(
            "Alias of the collection: default, login, session. (default: default)",
            valueName: "alias"))
    var collection: String?

    func checkUnused() throws {
        try require(
            application == nil && collection == nil,
            otherwise: "--application and --collection are for --backend secret-service.")
    }

    func check() throws {
        try require(
            application != "" && collection != "",
            otherwise: "--application and --collection take names.")
    }
}
