// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetPlatform

/// Where the public half of a new key goes.
struct PublicHalfOption: ParsableArguments {
    @Option(
        name: .customLong("public"),
        file: "Also write the public half to this file: a JWK set, with --pem PEM.")
    var path: String?

    /// Refuses, before a key is made, what writing its halves would refuse.
    func check(besides key: KeyOutputOptions, isSymmetric: Bool) throws {
        guard let path else { return }
        try require(
            !isSymmetric, otherwise: "A symmetric key has no public half.",
            advice: "Leave --public out.")
        guard path != "-" else {
            return try require(
                key.file.path != nil && !key.json,
                otherwise: "Standard output cannot be two things at once.",
                advice: "Add --output FILE, without --json.")
        }
        try file(key).check()
        try require(
            !PrivatePlace.isSame(key.file.path ?? "/dev/stdout", path),
            otherwise: "The key and its public half would be in the same file.",
            advice: "The private key stays in a file of its own.")
    }

    /// Writes the public half of a key that has been written.
    func write(_ key: JWK, isPEM: Bool, besides output: KeyOutputOptions) throws {
        guard path != nil else { return }
        let half = try key.publicKey()
        let text = isPEM ? try half.publicPEM() : try half.publishedSet()
        do {
            // It is published anyway, so everyone may read it.
            try file(output).write(
                Array((text.hasSuffix("\n") ? text : text + "\n").utf8), mode: 0o644)
        } catch let failure as CommandFailure {
            throw CommandFailure(
                status: failure.status, code: failure.code,
                message: """
                    The new key is in \(typed: output.file.path ?? "standard output"), without its \
                    public half: \(failure.message)
                    """,
                advice: output.file.path.map {
                    "Make that of the key: signet jwk convert --key \(Input.quoted($0)) --to "
                        + (isPEM ? "public-pem" : "public-jwk")
                })
        }
    }

    private func file(_ key: KeyOutputOptions) -> OutputFile {
        OutputFile(path, overwrite: key.force, option: "--public")
    }
}
