// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// What a header must say before a key is looked for, beyond what every header must: for verifiers of one issuer, whose algorithms are
/// known.
package struct HeaderRule: Sendable {
    /// The names that `alg` may be; nil leaves it to the key.
    private let algorithms: [String]?
    /// Whether there must be a `kid`, even where one key alone would do.
    private let requiresKeyID: Bool

    package init(algorithms: [String]?, requiresKeyID: Bool) {
        self.algorithms = algorithms
        self.requiresKeyID = requiresKeyID
    }

    /// Nothing beyond what every header must say.
    static let none = HeaderRule(algorithms: nil, requiresKeyID: false)

    /// Checks all of a token that can be checked without a key: size, parts, header. Who has to fetch keys first looks here, so that rubbish
    /// makes nobody fetch.
    package func check(_ compact: String, maximumByteCount: Int) throws(TokenError) {
        let token = compact.utf8.span
        _ = try header(token, CompactSerialization(token, maximumByteCount: maximumByteCount))
    }

    /// The header of a token, checked.
    func header(_ token: Span<UInt8>, _ parts: CompactSerialization) throws(TokenError) -> TokenHeader {
        guard let bytes = Base64URL.decode(token, in: parts.header) else {
            throw TokenError(.malformed, "The header is not base64url without padding.")
        }
        let header = try TokenHeader(bytes)
        try header.checkBeforeKey()
        if let algorithms, !algorithms.contains(where: { ExactText.areEqual($0, header.algorithm) }) {
            throw TokenError(.algorithmNotAllowed, "The header's \"alg\" is not one that this issuer uses.")
        }
        guard header.keyID != nil || !requiresKeyID else {
            throw TokenError(
                .noMatchingKey, detail: .noKeyID,
                "The header has no \"kid\", which this issuer always writes.")
        }
        return header
    }
}
