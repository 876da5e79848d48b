// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Where the key for a sealed file comes from.
struct SealingKeyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the key: 32 raw bytes, or one line of base64 or base64url.",
            valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Flag(name: .long, help: "Ask for a passphrase at the terminal.")
    var passphrase = false

    @Option(
        name: .long,
        help: ArgumentHelp("Read the passphrase from this open descriptor.", valueName: "number")
    )
    var passphraseFd: Int32?

    @Option(
        name: .long,
        help: ArgumentHelp("Read the passphrase from the first line of a file.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// How many ways to a key were named.
    var count: Int {
        [keyFile != nil, passphrase, passphraseFd != nil, passphraseFile != nil].count { $0 }
    }

    /// The names that are read, as ``Input/checkStandardInput(_:)`` takes them.
    var source: String? { keyFile ?? passphraseFile ?? passphraseFd.map { "/dev/fd/\($0)" } }

    /// Files that no output may replace.
    var files: [String?] { [keyFile, passphraseFile] }
}
