// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetJOSE

/// Where the key for a sealed file comes from.
struct SealingKeyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("File with the key: 32 raw bytes, or 32 bytes in base64.", valueName: "file"))
    var keyFile: String?

    @Flag(name: .long, help: "Ask for a passphrase at the terminal.")
    var passphrase = false

    @Option(
        name: .long, help: ArgumentHelp("Read the passphrase from this open descriptor.", valueName: "number")
    )
    var passphraseFd: Int32?

    @Option(
        name: .long,
        help: ArgumentHelp("Read the passphrase from the first line of a file.", valueName: "file"))
    var passphraseFile: String?

    var isPassphrase: Bool { passphrase || passphraseFd != nil || passphraseFile != nil }
}

/// What is read and written.
struct SealingFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("What to read; standard input without it.", valueName: "file"))
    var input: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to write, whole or not at all; standard output without it.", valueName: "file"))
    var output: String?

    @Flag(name: .long, help: "Replace the output file if it is there.")
    var force = false

    @Flag(name: .long, help: "Print a JSON object about what was done; needs --output.")
    var json = false

    func finish(_ bytes: [UInt8]) throws {
        if json, output == nil {
            throw CommandFailure.usage("--json needs --output: standard output holds the data.")
        }
        try SecretOutput.write(bytes, to: output, overwrite: force)
        if json, let output {
            Output.line(
                JSONOutput.line(["output": .string(output), "byteCount": .integer(Int64(bytes.count))]))
        }
    }
}

/// `signet seal`
struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Encrypt and authenticate a file (XAES-256-GCM).",
        discussion: """
            The file is held in memory; 1 GiB at most.

            EXAMPLES
              signet seal --new-key seal.key --input notes.txt --output notes.sealed
              signet seal --key-file seal.key < notes.txt > notes.sealed
              signet seal --passphrase --input notes.txt --output notes.sealed
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("Make a new key, write it to this new file and use it.", valueName: "file"))
    var newKey: String?

    @OptionGroup var key: SealingKeyOptions
    @OptionGroup var files: SealingFileOptions

    func validate() throws {
        let ways = [newKey != nil, key.keyFile != nil, key.isPassphrase].count { $0 }
        guard ways == 1 else {
            throw ValidationError("Give one of --key-file, --new-key and a passphrase (--passphrase).")
        }
    }

    func run() throws {
        try failing {
            let plaintext = try Input.bytes(files.input)
            if let newKey {
                return try files.finish(SealedFile.seal(plaintext, key: SealingKeyFile.create(newKey)))
            }
            if let path = key.keyFile {
                return try files.finish(SealedFile.seal(plaintext, key: SealingKeyFile.read(path)))
            }
            let passphrase = try Input.passphrase(
                descriptor: key.passphraseFd, file: key.passphraseFile, confirming: true)
            try files.finish(SealedFile.seal(plaintext, passphrase: passphrase))
        }
    }
}

/// `signet open`
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a sealed file; nothing is written unless all of it is authentic.",
        discussion: """
            EXAMPLES
              signet open --key-file seal.key --input notes.sealed
              signet open --passphrase --input notes.sealed --output notes.txt
            """)

    @OptionGroup var key: SealingKeyOptions
    @OptionGroup var files: SealingFileOptions

    func validate() throws {
        guard (key.keyFile != nil) != key.isPassphrase else {
            throw ValidationError("Give either --key-file or a passphrase (--passphrase).")
        }
    }

    func run() throws {
        try failing {
            let sealed = try Input.bytes(files.input)
            switch (try SealedFile.mode(of: sealed), key.keyFile) {
            case (.key, let path?):
                try files.finish(SealedFile.open(sealed, key: SealingKeyFile.read(path)))
            case (.passphrase, nil):
                let passphrase = try Input.passphrase(
                    descriptor: key.passphraseFd, file: key.passphraseFile, confirming: false)
                try files.finish(SealedFile.open(sealed, passphrase: passphrase))
            case (.key, nil):
                throw CommandFailure.usage(
                    "The file was sealed with a key.", advice: "Give it: --key-file FILE")
            case (.passphrase, _):
                throw CommandFailure.usage(
                    "The file was sealed with a passphrase.", advice: "Give it: --passphrase")
            }
        }
    }
}
