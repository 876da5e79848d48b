// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetIdentity
internal import SignetJOSE

/// The keys that an issuer publishes: an address, or a file.
struct PublishedKeysOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The issuer's published keys (a JWK set): an address, or a file.",
            valueName: "url or file"),
        completion: .file(), transform: NamedFile.checked)
    var jwks: String?

    /// Where the keys are.
    enum Place {
        case address(EndpointURL)
        case file(String)
    }

    /// Nil without the option.
    ///
    /// - Throws: `invalidURL` for an address that is neither https nor http on this machine.
    var place: Place? {
        get throws {
            guard let jwks else { return nil }
            return Self.isAddress(jwks) ? .address(try EndpointURL(jwks)) : .file(jwks)
        }
    }

    /// Whether a text begins with a scheme. A file that is named so is `./NAME`.
    static func isAddress(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return !scheme.isEmpty
            && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-".utf8.contains($0) }
            && text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// The keys for an algorithm, or all. Never a shared secret, and nothing with a private half,
    /// wherever the set is.
    static func keys(at place: Place, algorithm: String?) throws -> KeySet {
        let algorithms = try [algorithm].compactMap(KeyFile.signature)
        switch place {
        case .address(let url):
            return try FetchedKeys(
                issuer: url.text, location: .keySet(url), algorithms: algorithms
            )
            .snapshot.keys
        case .file(let path):
            let wanted = algorithms.isEmpty ? SignatureAlgorithm.allCases : algorithms
            return try PublishedKeys.read(path) { (bytes) throws(KeyError) in
                try PublishedKeys(
                    jwks: bytes, algorithms: wanted, maximumKeyCount: KeySet.maximumKeyCount)
            }
            .keys
        }
    }
}
