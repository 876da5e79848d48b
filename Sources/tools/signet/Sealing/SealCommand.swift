// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetVault

/// `signet seal`
struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Encrypt and authenticate a file (XAES-256-GCM).",
        discussion: """
            A file of any length passes through some 64 KiB of memory. \
            Documentation/SEALED-FILE.md describes the format. A file is sealed with one key or \
            passphrase, which also opens it; to encrypt to the public keys of other people, use \
            age (https://age-encryption.org).

            EXAMPLES
              signet seal --new-key seal.key --input notes.txt --output notes.sealed
              signet seal --key-file seal.key < notes.txt > notes.sealed
              signet seal --passphrase --input notes.txt --output notes.sealed
              signet seal --passphrase-fd 3 3< passphrase < notes.txt > notes.sealed
            """)

    @Option(file: "Make a new key, write it in base64 to this new file and use it.")
    var newKey: String?

    @OptionGroup var key: SealingKeyOptions
    @OptionGroup var files: SealingFileOptions

    func run() throws {
        try require(
            key.count + (newKey == nil ? 0 : 1) == 1, otherwise: "Name one way to a key.",
            advice: "One of --key-file, --new-key, --passphrase, --passphrase-fd, --passphrase-file"
        )
        if let newKey { try SealingKeyFile.checkName(newKey) }
        try files.check(key, newKey: newKey)
        let input = try files.openInput()
        // An optional, because a closure consumes nothing else.
        var new: NewSealedFile? = try newFile()
        try files.pass(input, shownAs: "sealing") { (read, write) throws(SealedFileError) in
            try new.take()?.seal(reading: read, writing: write)
        }
    }

    private func newFile() throws -> NewSealedFile {
        if let newKey {
            let made = try SealingKeyFile.create(newKey)
            // Checks again: only now is it certain which file the new key's name leads to.
            try files.check(key, newKey: newKey)
            return try NewSealedFile(key: made)
        }
        if let path = key.keyFile { return try NewSealedFile(key: SealingKeyFile.read(path)) }
        let passphrase = try Passphrase.read(key.passphraseSource, confirming: true)
        Output.noteDerivation()
        return try NewSealedFile(passphrase: passphrase)
    }
}
