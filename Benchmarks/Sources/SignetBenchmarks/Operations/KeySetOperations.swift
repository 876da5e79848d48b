// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import JWTKit
import SignetJOSE

/// Loading an issuer's published keys. The floor is the import of the numbers, without JSON and base64url.
enum KeySetOperations {
    static func load() throws -> Operation {
        var keys = [VerificationKey]()
        for index in 0..<3 {
            keys.append(try SigningKey.generate(.rs256, keyID: "key-\(index)").verificationKey)
        }
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
                    numbers.allSatisfy { RawKey.importRSA(modulus: $0.modulus, exponent: $0.exponent) }
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
