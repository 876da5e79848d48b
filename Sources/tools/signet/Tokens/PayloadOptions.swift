// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase

/// The payload of `signet jws sign` and `signet jwe encrypt`, and how the token names it.
struct PayloadOptions: ParsableArguments {
    @Option(file: "The payload. (default: standard input)")
    var input: String?

    @Option(help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type: String?

    @Option(help: ArgumentHelp("The header's cty.", valueName: "media type"))
    var contentType: String?

    @Flag(help: "Print a JSON object: token, algorithm, keyID.")
    var json = false

    /// Refuses a wrong line, before anything is read.
    ///
    /// - Parameter key: the path of the key, which must not be standard input as well.
    func check(key: String) throws {
        try require(type != "", otherwise: "The typ is empty.", advice: "Leave --type out.")
        try require(
            contentType != "", otherwise: "The cty is empty.", advice: "Leave --content-type out.")
        try Input.checkStandardInput([key, input ?? "-"])
    }

    func bytes(maximumByteCount: Int) throws -> [UInt8] {
        try Input.bytes(input, maximumByteCount: maximumByteCount)
    }
}
