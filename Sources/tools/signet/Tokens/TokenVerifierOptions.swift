// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// What `signet jwt verify` verifies with: a key file, published keys, or an HMAC secret.
struct TokenVerifierOptions: ParsableArguments {
    @OptionGroup var key: TokenKeyOptions
    @OptionGroup var published: PublishedKeysOption

    @Flag(
        help:
            "Accept a secret of 16 bytes or more that is shorter than its hash, until it is replaced."
    )
    var allowShortSecret = false

    private static let ways = "--key, --jwks, --secret-text and --secret-base64url"

    /// Whether a verifier makes a request.
    var isFetched: Bool {
        get throws { if case .address? = try published.place { true } else { false } }
    }

    /// Refuses what is wrong with the line, before anything is read.
    ///
    /// - Parameter token: the path of the token.
    func check(_ token: String) throws {
        guard let place = try published.place else {
            return try key.check(token, allowsShortSecret: allowShortSecret, ways: Self.ways)
        }
        guard key.isAbsent else { throw TokenKeyOptions.notOne(Self.ways) }
        try require(
            !allowShortSecret, otherwise: "--allow-short-secret means nothing for --jwks.",
            advice: "Leave it out.")
        _ = try KeyFile.signature(key.algorithm)
        if case .file(let path) = place { try Input.checkStandardInput([path, token]) }
    }

    func verifier(_ policy: TokenPolicy) throws -> TokenVerifier {
        guard let place = try published.place else {
            return try key.verifier(policy, allowsShortSecret: allowShortSecret)
        }
        return TokenVerifier(
            keys: try PublishedKeysOption.keys(at: place, algorithm: key.algorithm), policy: policy)
    }
}
