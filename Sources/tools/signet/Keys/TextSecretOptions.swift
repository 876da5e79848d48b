// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// The options for an HMAC secret in a file of its own, the same in every command.
struct TextSecretOptions: ParsableArguments {
    static let names: Set<String> = ["--secret-text", "--secret-base64url"]

    @Option(
        file: "File with an HMAC secret; its bytes are the key, without one final line end.")
    var secretText: String?

    @Option(file: "File with an HMAC secret in base64url.")
    var secretBase64url: String?

    /// The names of the options that were given.
    var given: [String] {
        [("--secret-text", secretText), ("--secret-base64url", secretBase64url)]
            .filter { $0.1 != nil }.map(\.0)
    }

    /// The secrets that were given. More than one is an error, which the caller reports.
    ///
    /// - Parameter keyOption: the command's option for a file with a key.
    func all(orKeyIn keyOption: String) -> [TextSecret] {
        [(TextSecret.Form.bytes, secretText), (.base64URL, secretBase64url)].compactMap {
            (form, path) in
            path.map { TextSecret(form: form, path: $0, keyOption: keyOption) }
        }
    }

    /// A secret does not say its algorithm, so nothing is assumed.
    static func algorithm(_ name: String?) throws -> HMACAlgorithm {
        guard let algorithm = try KeyFile.hmac(name) else {
            throw CommandFailure.usage(
                "A secret does not say its algorithm.",
                advice: "Name it: --algorithm HS256, HS384 or HS512")
        }
        return algorithm
    }
}
