// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// The key of `signet jwt sign` and `signet jwt verify`: a key file, or an HMAC secret in a file of
/// its own.
struct TokenKeyOptions: ParsableArguments {
    @Option(
        file: """
            File with a JWK, a JWK set, PEM or DER; - for standard input, /dev/fd/N for a descriptor.
            """
    )
    var key: String?

    @OptionGroup var secrets: TextSecretOptions

    @Option(
        help: ArgumentHelp(
            "Needed if the key does not name it: RSA in PEM, a symmetric key, a secret.",
            valueName: "name"),
        completion: .list(KeyFile.algorithmNames))
    var algorithm: String?

    /// Where the key comes from; nil for no place or several.
    private enum Source {
        case file(String)
        case secret(TextSecret)
    }

    private var sources: [Source] {
        [key].compactMap { $0.map(Source.file) }
            + secrets.all(orKeyIn: "--key").map(Source.secret)
    }

    private static let ways = "--key, --secret-text and --secret-base64url"

    /// Whether no option says where the key is.
    var isAbsent: Bool { sources.isEmpty }

    /// The only source.
    private func source(_ ways: String = ways) throws -> Source {
        guard let source = sources.first, sources.count == 1 else { throw Self.notOne(ways) }
        return source
    }

    /// The failure for a key in no place, or in several.
    static func notOne(_ ways: String) -> CommandFailure {
        .usage("Say where the key is, in one way.", advice: "Give one of \(ways).")
    }

    /// Refuses what is wrong with the line, before anything is read.
    ///
    /// - Parameters:
    ///   - other: the path of a further input, which must not be standard input as well; nil for
    ///     none.
    ///   - allowsShortSecret: whether the command was told so, which needs a secret.
    ///   - ways: the command's options for a key.
    func check(_ other: String?, allowsShortSecret: Bool = false, ways: String = ways) throws {
        switch try source(ways) {
        case .file(let path):
            try require(
                !allowsShortSecret, otherwise: "--allow-short-secret means nothing for --key.",
                advice: "Leave it out.")
            try Input.checkStandardInput([path, other])
        case .secret(let secret):
            _ = try TextSecretOptions.algorithm(algorithm)
            try Input.checkStandardInput([secret.path, other])
        }
    }

    /// The key to sign with.
    func signingKey() throws -> TokenKey {
        switch try source() {
        case .file(let path): try TokenKey(keyFile(path).single(), algorithm: algorithm)
        case .secret(let secret):
            .symmetric(try secret.hmacKey(TextSecretOptions.algorithm(algorithm)))
        }
    }

    /// A verifier for whatever there is.
    ///
    /// - Parameter allowsShortSecret: whether a secret may be shorter than its hash.
    func verifier(_ policy: TokenPolicy, allowsShortSecret: Bool) throws -> TokenVerifier {
        switch try source() {
        case .file(let path):
            try published(path).tokenVerifier(algorithm: algorithm, policy: policy)
        case .secret(let secret):
            try TokenVerifier(
                hmacKey: secret.hmacKey(
                    TextSecretOptions.algorithm(algorithm), allowsShort: allowsShortSecret),
                policy: policy)
        }
    }

    /// A key file to verify with. An address is none: `--jwks` takes it.
    private func published(_ path: String) throws -> KeyFile {
        do {
            return try keyFile(path)
        } catch var failure as CommandFailure
            where failure.status == .unavailable && PublishedKeysOption.isAddress(path)
        {
            failure.advice = "--key takes a file. An address of published keys: --jwks URL"
            throw failure
        }
    }

    /// A key file. A text secret is no key file, and is never taken for it.
    private func keyFile(_ path: String) throws -> KeyFile {
        do {
            return try KeyFile.read(path)
        } catch var failure as CommandFailure where failure.code == KeyError.Code.malformed.rawValue
        {
            if let algorithm, HMACAlgorithm(name: algorithm) != nil {
                failure.advice =
                    "For a secret that is not in a JWK: --secret-text \(Input.quoted(path))"
            }
            throw failure
        }
    }
}
