// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a header must say before a key is looked for, beyond what every header must: for verifiers of one issuer, whose algorithms are
/// known.
package struct HeaderRule: Sendable {
    /// What `alg` may name; nil leaves it to the key.
    private let algorithms: [SignatureAlgorithm]?
    /// Whether there must be a `kid`, even where one key alone would do.
    private let requiresKeyID: Bool

    package init(algorithms: [SignatureAlgorithm]?, requiresKeyID: Bool) {
        self.algorithms = algorithms
        self.requiresKeyID = requiresKeyID
    }

    /// Nothing beyond what every header must say.
    static let none = HeaderRule(algorithms: nil, requiresKeyID: false)

    /// Checks all of a token that can be checked without a key: size, parts, header. Who has to fetch keys first looks here, so that rubbish
    /// makes nobody fetch.
    package func check(_ compact: String, maximumByteCount: Int) throws(TokenError) {
        let token = compact.utf8.span
        let header = try ReceivedHeader(
            token, CompactSerialization(token, maximumByteCount: maximumByteCount))
        try header.checkExtensions()
        _ = try algorithm(of: header)
    }

    /// The algorithm that a header names, checked.
    func algorithm(of header: ReceivedHeader) throws(TokenError) -> ReceivedHeader.Algorithm {
        let algorithm = try header.algorithm()
        guard isAccepted(algorithm) else {
            throw TokenError(
                .algorithmNotAllowed, "The header's \"alg\" is not one that this issuer uses.")
        }
        guard header.keyID != nil || !requiresKeyID else {
            throw TokenError(
                .noMatchingKey, detail: .noKeyID,
                "The header has no \"kid\", which this issuer always writes.")
        }
        return algorithm
    }

    private func isAccepted(_ algorithm: ReceivedHeader.Algorithm) -> Bool {
        guard let algorithms else { return true }
        guard case .signature(let named) = algorithm else { return false }
        return algorithms.contains(named)
    }
}
