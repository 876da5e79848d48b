// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// What is read and written.
struct SealingFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("What to read; standard input without it.", valueName: "file"),
        completion: .file())
    var input: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to write, whole or not at all; standard output without it.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(name: .long, help: "Replace the output file if it is there.")
    var force = false

    @Flag(name: .long, help: "Print a JSON object about what was done; needs --output.")
    var json = false

    private var file: OutputFile { OutputFile(output, overwrite: force) }

    /// Refuses before a key is made, a passphrase is asked for or a file is read what would be refused at the end.
    func check(_ key: SealingKeyOptions, newKey: String? = nil) throws {
        guard !json || file.path != nil else {
            throw CommandFailure.usage(
                "--json needs --output: standard output holds the data.",
                advice: "Add --output FILE")
        }
        try Input.checkStandardInput(key.source, input ?? "-")
        try file.check(keeping: key.files + [newKey])
    }

    func finish(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        guard json, let path = file.path else { return }
        try Output.line(
            JSONOutput.line(["output": .string(path), "byteCount": .integer(Int64(bytes.count))]))
    }
}
