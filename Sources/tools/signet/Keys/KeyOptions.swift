// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// The key file that most commands take.
struct KeyOption: ParsableArguments {
    @Option(
        file: """
            File with a JWK, a JWK set, PEM or DER; - for standard input, /dev/fd/N for a descriptor.
            """
    )
    var key: String
}

/// The algorithm, for a key that names none.
struct AlgorithmOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Needed if the key does not name it: RSA in PEM, a symmetric key.", valueName: "name"),
        completion: .list(KeyFile.algorithmNames))
    var algorithm: String?
}

/// How and where a key is written.
struct KeyOutputOptions: ParsableArguments {
    @Option(file: "Write to this file, readable by you alone, instead of standard output.")
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    @Flag(help: "Print a JSON object about the key that was written; needs --output.")
    var json = false

    var file: OutputFile { OutputFile(output, overwrite: force) }

    /// Refuses, before a key is made, what writing it would refuse.
    func check(keeping inputs: [String?] = []) throws {
        try require(
            !json || file.path != nil,
            otherwise: "--json needs --output: standard output holds the key.",
            advice: "Add --output FILE")
        try file.check(keeping: inputs)
    }

    /// Prints, with `--json`, where the key is and what it is called, but nothing of the key.
    ///
    /// - Parameter publicHalf: the file with the public half, if that is another.
    func report(_ key: JWK, isPrivate: Bool, publicHalf: String? = nil) throws {
        guard json, let path = file.path else { return }
        try Output.json([
            "kty": .string(key.keyType), "output": .path(path), "private": .bool(isPrivate),
            "kid": key.keyID.map(JSONValue.string), "alg": key.algorithm.map(JSONValue.string),
            "public": publicHalf.map(JSONValue.path),
        ])
    }
}
