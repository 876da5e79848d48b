// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetVault

/// `signet open`
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a sealed file; write nothing unless all of it is authentic.",
        discussion: """
            EXAMPLES
              signet open --key-file seal.key --input notes.sealed
              signet open --passphrase --input notes.sealed --output notes.txt
            """)

    @OptionGroup var key: SealingKeyOptions
    @OptionGroup var files: SealingFileOptions

    func run() throws {
        try require(
            key.count == 1, otherwise: "Name one way to the key.",
            advice: "One of --key-file, --passphrase, --passphrase-fd, --passphrase-file")
        try files.check(key)
        // The longest file that 'signet seal' accepts must open again.
        let limit = Input.maximumByteCount + SealedFile.overheadByteCount
        let sealed = try Input.bytes(files.input, maximumByteCount: limit)
        switch (try SealedFile.mode(of: sealed), key.keyFile) {
        case (.key, let path?):
            try files.finish(SealedFile.open(sealed, key: SealingKeyFile.read(path)))
        case (.scrypt, nil), (.pbkdf2, nil):
            try SealedFile.passphraseAlgorithm(of: sealed)
            let passphrase = try Passphrase.read(key.passphraseSource, confirming: false)
            try files.finish(SealedFile.open(sealed, passphrase: passphrase))
        case (.key, nil):
            throw CommandFailure.usage(
                "The file was sealed with a key.", advice: "Give it: --key-file FILE")
        case (.scrypt, _), (.pbkdf2, _):
            throw CommandFailure.usage(
                "The file was sealed with a passphrase.", advice: "Give it: --passphrase")
        }
    }
}
