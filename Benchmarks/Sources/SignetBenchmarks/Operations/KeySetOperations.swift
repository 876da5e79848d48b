// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import CRawLibcrypto
import Foundation
import JWTKit
import SignetJOSE

/// An issuer's published keys: loading them, and finding the one that a token names.
enum KeySetOperations {
    /// The floor is the import of the numbers, without JSON and base64url.
    static func load() throws -> Operation {
        let issuer = try Issuer()
        let numbers = try issuer.keys.map { try RSANumbers($0.verificationKey.jwk.publicJSON()) }
        let json = issuer.json
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
            ], goals: [.faster(times: 3, than: .jwtKit)])
    }

    /// With what Signet leaves for the first use of a key.
    static func loadAndVerify() throws -> Operation {
        let issuer = try Issuer()
        let (json, token) = (issuer.json, try issuer.token())
        let policy = try TokenFixture.policy()
        return Operation(
            identifier: "jwks.load.verify", title: "JWK set of 3 RSA keys, load and verify one ID token",
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

    /// A token whose header is new to the verifier, so that its key is looked for among `keyCount`. What is compared is this
    /// row for few keys and for many: the floor is the same.
    static func lookUp(keyCount: Int) throws -> Operation {
        let issuer = try Issuer()
        let set = try issuer.set(keyCount: keyCount)
        let token = try issuer.token()
        let policy = try TokenFixture.policy()
        let parts = try SignedParts(token)
        let floor = try RawKey(
            verifyingWith: issuer.keys[1].verificationKey.jwk.publicPEM(), raw_scheme_rs256)
        return Operation(
            identifier: "jwks.lookup.\(keyCount)",
            title: "RS256 verify, ID token, registered claims, new header, one of \(keyCount) keys",
            contenders: [
                .calling(.signet) { try TokenVerifier(keys: set, policy: policy).verify(token).claims },
                .checking(.libcrypto) { floor.isValid(parts.signature, for: parts.message) },
            ])
    }
}

/// Three RSA keys and a token under the second of them.
private struct Issuer {
    let keys: [SigningKey]
    let json: String

    init() throws {
        keys = try (0..<3).map { try SigningKey.generate(.rs256, keyID: "key-\($0)") }
        json = try KeySet(keys.map(\.verificationKey)).jwksJSON()
    }

    func token() throws -> String { try TokenSigner(key: keys[1]).sign(IDTokenClaims()) }

    /// The keys among so many others as `keyCount` leaves room for: the third again and again under other names, since a
    /// set's cost does not depend on its numbers.
    func set(keyCount: Int) throws -> KeySet {
        let marker = #""kid":"key-2""#
        let member = try keys[2].verificationKey.jwk.publicJSON()
        let parts = member.split(separator: marker, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw BenchmarkError.setup("no kid in the member") }
        var text = #"{"keys":["#
        text.reserveCapacity(keyCount * (member.utf8.count + 8))
        for index in 3..<max(keyCount, 3) { text += "\(parts[0])\"kid\":\"key-\(index)\"\(parts[1])," }
        for key in keys {
            text += (key.keyID == "key-0" ? "" : ",") + (try key.verificationKey.jwk.publicJSON())
        }
        let set = try KeySet(jwks: text + "]}", maximumByteCount: 1 << 26)
        guard set.keys.count == keyCount else { throw BenchmarkError.setup("keys were skipped") }
        return set
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
