// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetPlatform
internal import SignetVault

/// Where the key for a sealed file comes from.
struct SealingKeyOptions: ParsableArguments {
    @Option(file: "File with the key: 32 raw bytes, or one line of base64 or base64url.")
    var keyFile: String?

    @Flag(help: "Ask for a passphrase at the terminal.")
    var passphrase = false

    @Option(
        help: ArgumentHelp("Read the passphrase from this open descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    @Option(file: "Read the passphrase from the first line of a file.")
    var passphraseFile: String?

    /// How many ways to a key were named.
    var count: Int {
        [keyFile != nil, passphrase, passphraseFd != nil, passphraseFile != nil].count { $0 }
    }

    /// Where the passphrase is.
    var passphraseSource: Passphrase.Source {
        passphraseFd.map { .descriptor($0) } ?? passphraseFile.map { .file($0) } ?? .terminal
    }

    /// The file that is read, as ``Input/checkStandardInput(_:)`` takes it. No output may replace
    /// it.
    var source: String? { keyFile ?? passphraseFile ?? passphraseFd.map { "/dev/fd/\($0)" } }
}

/// The input and the output.
struct SealingFileOptions: ParsableArguments {
    @Option(file: "What to read. (default: standard input)")
    var input: String?

    @Option(file: "Where to write, all or nothing. (default: standard output, in pieces)")
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    @Flag(help: "Print a JSON object about what was done; needs --output.")
    var json = false

    private var file: OutputFile { OutputFile(output, overwrite: force) }

    /// Refuses what writing would refuse, before a key is made, the user is asked for a passphrase
    /// or a file is read.
    func check(_ key: SealingKeyOptions, newKey: String? = nil) throws {
        try require(
            !json || file.path != nil,
            otherwise: "--json needs --output: standard output holds the data.",
            advice: "Add --output FILE")
        try Input.checkStandardInput([key.source, input ?? "-"])
        try file.check(keeping: [key.source, newKey])
    }

    /// Opens the input.
    func openInput() throws -> StreamedInput {
        let opened = try StreamedInput(input)
        // In pieces, the output would run over unread input.
        if file.path == nil, opened.reportedByteCount != nil {
            let path = input.flatMap { $0 == "-" ? nil : $0 } ?? "/dev/stdin"
            try require(
                !PrivatePlace.isSame(path, "/dev/stdout"),
                otherwise: "Input and output are the same file.",
                advice: "--output FILE --force")
        }
        return opened
    }

    /// Passes the input through `work` to the output, in pieces.
    ///
    /// - Parameters:
    ///   - what: what is being done, for its progress.
    ///   - work: `SealedFile`'s or `NewSealedFile`'s.
    func pass(
        _ input: consuming StreamedInput, shownAs what: String,
        by work: (SealedFileReading, SealedFileWriting) throws(SealedFileError) ->
            Void
    ) throws {
        var input = input
        var output = try StreamedOutput(to: file)
        let line = ProgressLine(
            what, counting: .bytes, isOff: file.path == nil && Output.isTerminal)
        defer { line.finish() }
        do {
            try work(
                { (buffer, range) throws(SystemFailure) in
                    let count = try input.read(into: &buffer, at: range)
                    line.show(input.byteCount, of: input.reportedByteCount)
                    return count
                },
                { (bytes) throws(SystemFailure) in try output.write(bytes) })
        } catch {
            throw CommandFailure(error, afterWriting: file.path == nil ? output.byteCount : 0)
        }
        let byteCount = output.byteCount
        try output.finish()
        line.finish()
        guard json, let path = file.path else { return }
        try Output.json(["output": .path(path), "byteCount": .integer(byteCount)])
    }
}
