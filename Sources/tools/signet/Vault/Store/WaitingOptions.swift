// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// How long to wait for other processes, and whether the desktop may ask the user.
struct WaitingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Seconds to wait for other processes, or for the keyring: 1 to 600.",
            valueName: "seconds"))
    var timeout = 10

    @Flag(
        help:
            "Let the desktop prompt to unlock the keyring, or to create a missing one."
    )
    var unlock = false

    /// The options of a vault in a file.
    var vaultOptions: VaultOptions {
        var options = VaultOptions()
        options.busyTimeoutMilliseconds = timeout * 1000
        return options
    }

    func check() throws {
        try require(
            (1...600).contains(timeout),
            otherwise: "--timeout is \(timeout) seconds instead of 1 to 600.")
    }
}
