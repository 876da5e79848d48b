// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// `signet open`
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract:
            "Open a sealed file; on standard output, true before it is known to be whole.",
        discussion: """
            Standard output gets each chunk of 64 KiB once it is authentic. If a file is cut off, \
            changed or unreadable, what came before is true but not whole, and the status is not \
            0: do not use it then. With --output there is a file only if all of it is authentic.

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
        var input = try files.openInput()
        let header = try SealedFileHeader { (buffer, range) throws(SystemFailure) in
            try input.read(into: &buffer, at: range)
        }
        let overhead = SealedFile.overheadByteCountOfVersion1
        if header.version == .one, let byteCount = input.reportedByteCount,
            byteCount - overhead > SealedFile.maximumByteCountOfVersion1
        {
            throw SealedFileError.tooLarge
        }
        let unlocked = try unlocked(header)
        try files.pass(input, shownAs: "opening") { (read, write) throws(SealedFileError) in
            try SealedFile.open(with: unlocked, reading: read, writing: write)
        }
    }

    /// The file's key. The header is checked before a passphrase is asked for.
    private func unlocked(_ header: SealedFileHeader) throws -> SealedFileKey {
        switch (header.mode, key.keyFile) {
        case (.key, let path?):
            return try header.key(from: SealingKeyFile.read(path))
        case (.scrypt, nil), (.pbkdf2, nil):
            try header.passphraseAlgorithm()
            let passphrase = try Passphrase.read(key.passphraseSource, confirming: false)
            return try header.key(fromPassphrase: passphrase)
        case (.key, nil):
            throw CommandFailure.usage(
                "The file was sealed with a key.", advice: "Give it: --key-file FILE")
        case (.scrypt, _), (.pbkdf2, _):
            throw CommandFailure.usage(
                "The file was sealed with a passphrase.", advice: "Give it: --passphrase")
        }
    }
}
