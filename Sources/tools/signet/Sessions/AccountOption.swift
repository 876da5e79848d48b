// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetVault

/// Which account a command uses.
struct AccountOption: ParsableArguments {
    @Option(help: ArgumentHelp("Which of several accounts.", valueName: "name"))
    var account = "default"

    func check() throws {
        let byteCount = account.utf8.count
        try require(
            (1...64).contains(byteCount),
            otherwise: "The name after --account has \(byteCount) bytes instead of 1 to 64.")
        try require(
            !account.unicodeScalars.contains(where: \.isObeyed),
            otherwise: "The name after --account has characters that a terminal obeys.")
    }
}
