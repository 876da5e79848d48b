// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// How and where a key is written.
struct KeyOutputOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write to this file, readable by you alone, instead of standard output.",
            valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(name: .long, help: "Replace the output file if it is there.")
    var force = false

    @Flag(name: .long, help: "Print a JSON object about the key that was written; needs --output.")
    var json = false

    var file: OutputFile { OutputFile(output, overwrite: force) }

    /// Refuses before a key is made what would be refused once it is there.
    func check(keeping inputs: [String?] = []) throws {
        guard !json || file.path != nil else {
            throw CommandFailure.usage(
                "--json needs --output: standard output holds the key.", advice: "Add --output FILE"
            )
        }
        try file.check(keeping: inputs)
    }

    /// What `--json` prints: where the key is and what it is called, and nothing of the key.
    func report(_ key: JWK, isPrivate: Bool) throws {
        guard json, let path = file.path else { return }
        var members: [String: JSONValue] = [
            "kty": .string(key.keyType), "output": .string(path), "private": .bool(isPrivate),
        ]
        if let keyID = key.keyID { members["kid"] = .string(keyID) }
        if let algorithm = key.algorithm { members["alg"] = .string(algorithm) }
        try Output.line(JSONOutput.line(members))
    }
}
