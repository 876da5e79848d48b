// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// The key of `signet jwt sign` and `signet jwt verify`: a key file, or an HMAC secret in a file of
/// its own.
struct TokenKeyOptions: ParsableArguments {
    @Option(
        file: "File with a JWK, a JWK set or PEM; - for standard input, /dev/fd/N for a descriptor."
    )
    var key: String?

    @Option(
        file:
            "File with an HMAC secret, in place of --key; its bytes are the key, without one final line end."
    )
    var secretText: String?

    @Option(file: "File with an HMAC secret in base64url, in place of --key.")
    var secretBase64url: String?

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
        [
            key.map(Source.file), secretText.map { .secret(.bytes(path: $0)) },
            secretBase64url.map { .secret(.base64URL(path: $0)) },
        ].compactMap(\.self)
    }

    /// The only source.
    private var source: Source {
        get throws {
            guard let source = sources.first, sources.count == 1 else {
                throw CommandFailure.usage(
                    "Say where the key is, in one way.",
                    advice: "Give one of --key, --secret-text and --secret-base64url.")
            }
            return source
        }
    }

    /// Refuses what is wrong with the line, before anything is read.
    ///
    /// - Parameters:
    ///   - other: what else is read.
    ///   - allowsShortSecret: whether the command was told so, which needs a secret.
    func check(_ other: String, allowsShortSecret: Bool = false) throws {
        switch try source {
        case .file(let path):
            try require(
                !allowsShortSecret, "--allow-short-secret means nothing for --key.",
                advice: "Leave it out.")
            try Input.checkStandardInput([path, other])
        case .secret(let secret):
            _ = try hmacAlgorithm()
            try Input.checkStandardInput([secret.path, other])
        }
    }

    /// A secret does not say its algorithm, so nothing is assumed.
    private func hmacAlgorithm() throws -> HMACAlgorithm {
        guard let chosen = try KeyFile.hmac(algorithm) else {
            throw CommandFailure.usage(
                "A secret does not say its algorithm.",
                advice: "Name it: --algorithm HS256, HS384 or HS512")
        }
        return chosen
    }

    /// The key to sign with.
    func signingKey() throws -> TokenKey {
        switch try source {
        case .file(let path): try TokenKey(keyFile(path).single(), algorithm: algorithm)
        case .secret(let secret): .symmetric(try hmacKey(secret, allowsShort: false))
        }
    }

    /// A verifier for whatever there is.
    ///
    /// - Parameter allowsShortSecret: whether a secret may be shorter than its hash.
    func verifier(_ policy: TokenPolicy, allowsShortSecret: Bool) throws -> TokenVerifier {
        switch try source {
        case .file(let path):
            try keyFile(path).tokenVerifier(algorithm: algorithm, policy: policy)
        case .secret(let secret):
            try TokenVerifier(
                hmacKey: hmacKey(secret, allowsShort: allowsShortSecret), policy: policy)
        }
    }

    /// A key file. A text secret is not one, and is never taken for it.
    private func keyFile(_ path: String) throws -> KeyFile {
        do {
            return try KeyFile.read(path)
        } catch var failure as CommandFailure where failure.code == KeyError.Code.malformed.rawValue
        {
            if let algorithm, HMACAlgorithm(name: algorithm) != nil {
                failure.advice = "For a secret that is not in a JWK: --secret-text FILE"
            }
            throw failure
        }
    }

    private func hmacKey(_ secret: TextSecret, allowsShort: Bool) throws -> HMACKey {
        let algorithm = try hmacAlgorithm()
        let bytes = try secret.read()
        do throws(KeyError) {
            return allowsShort
                ? try HMACKey(weakSecret: bytes, algorithm: algorithm)
                : try HMACKey(secret: bytes, algorithm: algorithm)
        } catch {
            var failure = CommandFailure(error, in: secret.shownPath)
            failure.advice = Self.advice(error.code, allowsShort: allowsShort)
            throw failure
        }
    }

    private static func advice(_ code: KeyError.Code, allowsShort: Bool) -> String? {
        switch code {
        case .keyTooShort where !allowsShort:
            "Make a longer one: signet jwk generate --algorithm HS256. To verify tokens of the short "
                + "one: signet jwt verify --allow-short-secret"
        case .keyTooShort: "A shorter secret can be guessed: replace it."
        case .notASecret: "Name it as what it is: --key FILE"
        default: nil
        }
    }
}
