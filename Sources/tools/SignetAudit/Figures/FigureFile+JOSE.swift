// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension FigureFile {
    func token(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.token(
            try row.cells.string("jws"), keys: try candidates(row),
            payload: try row.cells.optionalBytes("payload"))
    }

    /// A published JWT: its signature, and the required result for its claims at a time that the
    /// vector states (the published tokens all expired years ago).
    func claims(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let check = ClaimsCheck(
            token: try row.cells.string("jws"), issuer: try row.cells.string("iss"),
            expiration: Double(try row.cells.integer("exp")))
        let key = try candidates(row).first
        let leading = Check.keys { () throws(KeyError) in
            guard let key else { return .accepted }
            return try check.observation(AuditKey(JWK(key.jwk), algorithm: key.algorithm))
        }
        return Check.both(try token(row), then: leading)
    }

    private func candidates(
        _ row: FigureRow
    ) throws(AuditError) -> [(jwk: [UInt8], algorithm: String?)] {
        if row.cells.has("k") { return [(Array(try key(row).rawBytes), row.algorithm)] }
        // A token without a key of its own (`none`) is tried with every key of the file.
        return keys.map { (Array($0.rawBytes), Self.usualAlgorithm($0)) }
    }

    private static func usualAlgorithm(_ key: JSONNode) -> String? {
        switch key.member("kty")?.stringValue {
        case "oct": "HS256"
        case "RSA": "RS256"
        default: nil
        }
    }

    /// A compact JWE under its key. Where that is a password, any key does: the header is refused.
    func encryptedToken(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let own = row.cells.has("k") ? try key(row) : nil
        // The name of a curve may follow.
        let name = String(row.algorithm.prefix { $0 != " " })
        let bound = KeyManagementAlgorithm(name: name)?.name ?? Self.otherEncryption(own)
        return Check.encryptedToken(
            try row.cells.string("jwe"),
            key: own.map { Array($0.rawBytes) } ?? Array(Self.unrelatedKey.utf8),
            algorithm: bound, plaintext: try row.cells.optionalBytes("payload"))
    }

    /// What a key is bound to if the token's algorithm is not offered. It is then the header that is
    /// refused, unless the key itself names that algorithm.
    private static func otherEncryption(_ key: JSONNode?) -> String {
        key?.member("kty")?.stringValue == "RSA" ? "RSA-OAEP-256" : "dir"
    }

    /// 32 bytes, all of them 0.
    private static let unrelatedKey = #"{"kty":"oct","k":"\#(String(repeating: "A", count: 43))"}"#

    /// base64url in both directions.
    func base64URL(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let bytes = try row.cells.hexadecimal("hex")
        let text = try row.cells.string("text")
        return {
            do throws(JOSEEncodingError) {
                guard try Base64URL.decode(text) == bytes else {
                    return .differed("other octets came out")
                }
                return Base64URL.encode(bytes) == text
                    ? .accepted : .differed("another text came out")
            } catch {
                return .rejected(.malformed, error.description)
            }
        }
    }
}
