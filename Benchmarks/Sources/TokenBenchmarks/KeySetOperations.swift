// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import JWTKit
import SignetJOSE
import TokenFixtures

/// An issuer's published keys: three of RSA, and a token under the second of them.
enum KeySetOperations {
    private static func keys() throws -> [SigningKey] {
        try (0..<3).map { try SigningKey.generate(.rs256, keyID: "key-\($0)") }
    }

    /// The floor is the import of the numbers, without JSON and base64url.
    static func load() throws -> Operation {
        let keys = try keys().map(\.verificationKey)
        let json = try KeySet(keys).jwksJSON()
        let numbers = try keys.map { try RSANumbers($0.jwk.publicJSON()) }
        return Operation(
            identifier: "jwks.load", title: "JWK set of 3 RSA keys, load",
            contenders: [
                .calling(.signet) {
                    let set = try KeySet(jwks: json)
                    guard set.keys.count == 3 else { throw BenchmarkError.wrongAnswer(.signet) }
                    return set
                },
                Contender(.jwtKit) { count in
                    for _ in 0..<count { keep(try await JWTKeyCollection().add(jwksJSON: json)) }
                },
                .checking(.libcrypto) {
                    numbers.allSatisfy {
                        RawKey.importRSA(modulus: $0.modulus, exponent: $0.exponent)
                    }
                },
            ])
    }

    /// With what Signet leaves for the first use of a key.
    static func loadAndVerify() throws -> Operation {
        let keys = try keys()
        let json = try KeySet(keys.map(\.verificationKey)).jwksJSON()
        let token = try TokenSigner(key: keys[1]).sign(IDTokenClaims())
        let policy = try TokenFixture.policy()
        return Operation(
            identifier: "jwks.load.verify",
            title: "JWK set of 3 RSA keys, load and verify one ID token",
            contenders: [
                .calling(.signet) {
                    try TokenVerifier(keys: KeySet(jwks: json), policy: policy)
                        .verify(token, as: IDTokenClaims.self).claims
                },
                Contender(.jwtKit) { count in
                    for _ in 0..<count {
                        let keys = try await JWTKeyCollection().add(jwksJSON: json)
                        keep(try await keys.verify(token, as: IDTokenClaims.self))
                    }
                },
            ])
    }
}

/// The two numbers of a public RSA key, from its JSON.
private struct RSANumbers {
    let modulus: [UInt8]
    let exponent: [UInt8]

    private struct Members: Decodable {
        let n: String
        let e: String
    }

    init(_ json: String) throws {
        let members = try JSONDecoder().decode(Members.self, from: Data(json.utf8))
        modulus = try Base64URL.decode(members.n)
        exponent = try Base64URL.decode(members.e)
    }
}
