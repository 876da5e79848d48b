// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE

/// Reads one of our own tokens without verifying it, which only a test may do.
struct UnverifiedClaims {
    private struct Header: Decodable {
        let alg: String
        let typ: String
        let kid: String
    }

    private struct Payload: Decodable {
        let iss: String
        let aud: String
        let sub: String
        let sid: String
        let iat: Int
        let exp: Int
    }

    let alg: String
    let typ: String
    let kid: String
    let iss: String
    let aud: String
    let sub: String
    let sid: String
    let iat: Int
    let exp: Int

    init(_ token: String) throws {
        let parts = token.split(separator: ".")
        let header = try JSONDecoder().decode(
            Header.self, from: Data(try Base64URL.decode(parts[0])))
        let payload = try JSONDecoder().decode(
            Payload.self, from: Data(try Base64URL.decode(parts[1])))
        alg = header.alg
        typ = header.typ
        kid = header.kid
        iss = payload.iss
        aud = payload.aud
        sub = payload.sub
        sid = payload.sid
        iat = payload.iat
        exp = payload.exp
    }
}
