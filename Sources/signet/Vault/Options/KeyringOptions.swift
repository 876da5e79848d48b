// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Which items of the desktop's keyring.
struct KeyringOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The program whose items they are. (default: signet)", valueName: "name")
    )
    var application: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Alias of the collection: default, login, session. (default: default)",
            valueName: "alias"))
    var collection: String?

    func checkUnused() throws {
        guard application == nil, collection == nil else {
            throw CommandFailure.usage(
                "--application and --collection are for --backend secret-service.")
        }
    }

    func check() throws {
        guard application != "", collection != "" else {
            throw CommandFailure.usage("--application and --collection take names.")
        }
    }
}
