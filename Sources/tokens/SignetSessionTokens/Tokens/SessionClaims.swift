// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The claims that only a session token's issuer sets.
struct SessionClaims: Encodable {
    let iss: String
    let aud: String
    let sub: String
    let sid: String
    let jti: String
    let iat: Int64
    let nbf: Int64
    let exp: Int64

    /// The latest time that verifiers accept: 2^53 seconds.
    static let latest: Int64 = 9_007_199_254_740_992

    private static let names = ["iss", "aud", "sub", "sid", "jti", "iat", "nbf", "exp"]

    /// The payload: these claims, then the application's own. Reads it back with the verifiers'
    /// reader, so that no token is issued that they reject as JSON.
    func payload(with claims: some Encodable) throws(TokenError) -> [UInt8] {
        let own = try Self.encodeObject(claims)
        for name in Self.names where own.root.member(name) != nil {
            throw TokenError(
                .signingFailed, claim: name,
                "\"\(shown: name)\" is set by the issuer; leave it out.")
        }
        var payload: [UInt8]
        do {
            payload = try JSONTokenEncoder().encode(self)
            // Two objects become one: a comma replaces the brace between them.
            if own.root.count > 0 {
                payload.removeLast()
                payload.append(UInt8(ascii: ","))
                payload.append(contentsOf: own.bytes.dropFirst())
            }
            _ = try JSONDocument(payload)
        } catch {
            throw TokenError(encoding: error)
        }
        return payload
    }

    /// The application's claims, which must be a JSON object.
    private static func encodeObject(_ claims: some Encodable) throws(TokenError) -> JSONDocument {
        do {
            let document = try JSONDocument(JSONTokenEncoder().encode(claims))
            if document.root.kind == .object { return document }
        } catch {
            throw TokenError(encoding: error)
        }
        throw TokenError(.signingFailed, "The claims do not encode as a JSON object.")
    }
}
