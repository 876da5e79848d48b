// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetCurl
internal import SignetIdentity
internal import SignetJOSE

/// The keys of an issuer in a file, and the token.
struct TokenFileOptions: ParsableArguments {
    @Option(
        file:
            "File with the issuer's published keys (firebase: or its certificates). (default: fetched)"
    )
    var jwks: String?

    @Option(file: "File with the token; standard input without it.")
    var token: String?

    @Flag(help: "Print a JSON object: valid, what the token says, claims, or the error.")
    var json = false

    /// Refuses two things that would be read from standard input, and keys together with a secret.
    func check(_ issuer: IssuerOptions, inputs others: String?...) throws {
        let secrets = issuer.secrets.all(orKeyIn: "--jwks").map(\.path)
        try Input.checkStandardInput([jwks, token ?? "-"] + secrets + others)
        try require(
            jwks == nil || secrets.isEmpty,
            otherwise: "An issuer that signs with a secret publishes no keys.",
            advice: "Leave --jwks out.")
    }

    /// The token. Decoding replaces invalid UTF-8 by a character that base64url does not have.
    func compact() throws -> String { String(decoding: try Input.tokenFile(token), as: UTF8.self) }

    /// The issuer's own secret, the keys in the file, or, without a file, keys that are fetched.
    func keys(
        _ source: IssuerKeySource, algorithms: [SignatureAlgorithm], clock: TimeSource
    ) throws -> VerificationKeys {
        guard !source.isSecret else { return .ownSecret }
        guard let jwks else { return .fetched(over: CurlTransport.curl) }
        return .inHand(
            try PublishedKeys.read(jwks) { (bytes) throws(KeyError) in
                try PublishedKeys(bytes, source: source, algorithms: algorithms, clock: clock)
            })
    }
}

extension PublishedKeys {
    /// The keys that an issuer publishes, read from a file: a JWK set for any issuer, or
    /// certificates for an issuer that publishes certificates.
    fileprivate init(
        _ bytes: [UInt8], source: IssuerKeySource, algorithms: [SignatureAlgorithm],
        clock: TimeSource
    ) throws(KeyError) {
        let isSet = (try? JSONDocument(bytes).root.member("keys")) != nil
        if case .remote(.certificates) = source, !isSet {
            // The limit for fetched certificates: reading a certificate takes four times as long as
            // a JWK.
            try self.init(
                certificates: bytes, algorithms: algorithms,
                maximumKeyCount: KeySetOptions().maximumKeyCount,
                secondsSince1970: Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0)
        } else {
            try self.init(
                jwks: bytes, algorithms: algorithms, maximumKeyCount: KeySet.maximumKeyCount)
        }
    }
}

extension IssuerKeySource {
    /// The names of the algorithms that the issuer signs with, for a refusal.
    func names(_ algorithms: [SignatureAlgorithm]) -> [String] {
        if case .secret(let key) = self { [key.algorithm.name] } else { algorithms.map(\.name) }
    }
}
