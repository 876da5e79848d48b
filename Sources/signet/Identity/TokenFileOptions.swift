// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// The keys of an issuer in a file, and the token.
struct TokenFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the issuer's keys as it publishes them (for firebase its certificates, too); without it they are fetched.",
            valueName: "file"), completion: .file())
    var jwks: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File with the token; standard input without it.", valueName: "file"),
        completion: .file())
    var token: String?

    @Flag(
        name: .long, help: "Print a JSON object: valid, what the token says, claims, or the error.")
    var json = false

    /// Refuses what is to be read from standard input twice, and keys beside a secret.
    func check(_ issuer: IssuerOptions, _ others: String?...) throws {
        let files = [jwks, token ?? "-", issuer.secretFile] + others
        try Input.checkStandardInput(all: files.compactMap(\.self))
        guard jwks == nil || issuer.secretFile == nil else {
            throw CommandFailure.usage(
                "Whoever signs with a secret publishes no keys.", advice: "Leave --jwks out.")
        }
    }

    /// Bytes that are not UTF-8 become characters that base64url does not have.
    func compact() throws -> String { String(decoding: try Input.tokenFile(token), as: UTF8.self) }

    /// The keys of the file, where one is named; tells on standard error which are left out.
    func published(
        _ source: IssuerKeySource, _ algorithms: [SignatureAlgorithm], clock: TokenClock
    ) throws -> PublishedKeys? {
        guard let jwks else { return nil }
        let bytes = try Input.bytes(jwks, maximumByteCount: KeySet.maximumByteCount)
        do throws(KeyError) {
            let published = try PublishedKeys(bytes, source, algorithms, clock: clock)
            for key in published.keys.skipped { Output.errorLine("signet: left out \(key)") }
            return published
        } catch {
            throw CommandFailure(error, in: jwks)
        }
    }
}

extension PublishedKeys {
    /// What an issuer publishes, in a file: its certificates where it publishes such, a JWK set
    /// everywhere.
    fileprivate init(
        _ bytes: [UInt8], _ source: IssuerKeySource, _ algorithms: [SignatureAlgorithm],
        clock: TokenClock
    ) throws(KeyError) {
        let isSet = (try? JSONDocument(bytes).root.member("keys")) != nil
        if case .remote(.certificates) = source, !isSet {
            try self.init(
                certificates: bytes, algorithms: algorithms,
                maximumKeyCount: KeySet.maximumKeyCount,
                secondsSince1970: Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0)
        } else {
            try self.init(
                jwks: bytes, algorithms: algorithms, maximumKeyCount: KeySet.maximumKeyCount)
        }
    }
}

extension IssuerKeySource {
    var isSecret: Bool { if case .secret = self { true } else { false } }

    /// What tokens are signed with, for a refusal.
    func names(_ algorithms: [SignatureAlgorithm]) -> [String] {
        if case .secret(let key) = self { [key.algorithm.name] } else { algorithms.map(\.name) }
    }
}
