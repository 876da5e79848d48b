// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The key file that most commands take.
struct KeyOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with a JWK, a JWK set or PEM; - for standard input, /dev/fd/N for a descriptor.",
            valueName: "file"),
        completion: .file())
    var key: String
}

/// The algorithm, where the key does not say it.
struct AlgorithmOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Needed where the key does not say it: RSA in PEM, a symmetric key.", valueName: "name"),
        completion: .list(KeyFile.algorithmNames))
    var algorithm: String?
}
