// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension FigureFile {
    func token(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = try tokenCheck(row)
        return { check.observation() }
    }

    func claims(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = ClaimsCheck(
            token: try tokenCheck(row), issuer: try row.cells.string("iss"),
            expiration: try row.cells.integer("exp"))
        return { check.observation() }
    }

    private func tokenCheck(_ row: FigureRow) throws(AuditError) -> TokenCheck {
        let candidates: [TokenCheck.Key] =
            if row.cells.has("k") {
                [TokenCheck.Key(jwk: Array(try key(row).rawBytes), algorithm: row.algorithm)]
            } else {
                // A token without a key of its own (`none`) is tried with every key of the file.
                keys.map {
                    TokenCheck.Key(jwk: Array($0.rawBytes), algorithm: Self.usualAlgorithm($0))
                }
            }
        return TokenCheck(
            keys: candidates, token: try row.cells.string("jws"),
            payload: try row.cells.optionalBytes("payload"))
    }

    private static func usualAlgorithm(_ key: JSONNode) -> String? {
        switch key.member("kty")?.stringValue {
        case "oct": "HS256"
        case "RSA": "RS256"
        default: nil
        }
    }

    func jsonKey(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = JSONKeyCheck(
            key: try row.cells.node("jwk"), isPrivate: try row.cells.integer("private") == 1)
        return { check.observation() }
    }

    func keySet(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let set = try row.cells.object("jwks")
        let check = KeySetCheck(
            set: Array(try row.cells.node("jwks").rawBytes), count: try set.node("keys").count,
            verifiable: try row.cells.strings("verifiable"))
        return { check.observation() }
    }

    func thumbprint(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = ThumbprintCheck(
            key: Array(try row.cells.node("jwk").rawBytes),
            canonical: try row.cells.optionalString("canonical"),
            thumbprint: try row.cells.string("thumbprint"), uri: try row.cells.optionalString("uri")
        )
        return { check.observation() }
    }
}
