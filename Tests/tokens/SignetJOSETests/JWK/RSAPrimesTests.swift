// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// RSA private keys of n, e and d alone (RFC 7518, section 6.3.2).
@Suite("RSA private keys without their primes")
struct RSAPrimesTests {
    private static func members(_ key: JWK) throws -> [String: String] {
        try JSONTokenDecoder().decode(
            [String: String].self, from: Array(key.exportPrivateJSON().exposedText().utf8))
    }

    private static func without(_ names: [String], _ members: [String: String]) throws -> String {
        try String(
            decoding: JSONTokenEncoder().encode(members.filter { !names.contains($0.key) }),
            as: UTF8.self)
    }

    private static let others = ["p", "q", "dp", "dq", "qi"]

    @Test("Missing primes are computed, and the key signs", arguments: [2048, 3072, 4096])
    func found(_ bitCount: Int) throws {
        let key = JWK(
            material: .key(.rsaPrivate(try RSAPrivateKey.generate(bitCount: bitCount))), keyID: "k")
        let members = try Self.members(key)
        let short = try JWK(Self.without(Self.others, members))
        let again = try Self.members(short)
        for name in ["n", "e", "d"] { #expect(again[name] == members[name]) }
        #expect(Set(["p", "q"].map { again[$0] }) == Set(["p", "q"].map { members[$0] }))
        let token = try JWSSigner(key: SigningKey(jwk: short, algorithm: .rs256)).sign([1, 2, 3])
        _ = try JWSVerifier(key: VerificationKey(jwk: key.publicKey(), algorithm: .rs256)).verify(
            token)
    }

    @Test("The five CRT members are all there, or none", arguments: others)
    func partly(_ name: String) throws {
        let members = try Self.members(JWK(pem: TestPrivatePEM.rsa))
        #expect(keyRefusal { try JWK(Self.without([name], members)) }?.code == .malformed)
        let most = Self.others.filter { $0 != name }
        #expect(keyRefusal { try JWK(Self.without(most, members)) }?.code == .malformed)
    }

    @Test("A wrong private exponent is refused", arguments: ["d", "n", "e"])
    func wrong(_ name: String) throws {
        let members = try Self.members(JWK(pem: TestPrivatePEM.rsa))
        let other = try Self.members(
            JWK(material: .key(.rsaPrivate(RSAPrivateKey.generate(bitCount: 2048))), keyID: nil))
        for value in [
            other[name] ?? "", "", "AA", "AQ", "Ag", "AQAD", members["n"] ?? "",
            String(repeating: "_", count: 340), String(repeating: "_", count: 10_000),
        ] where value != members[name] {
            var changed = members
            changed[name] = value
            let code = keyRefusal { try JWK(Self.without(Self.others, changed)) }?.code
            #expect(
                code == .invalidKeyMaterial
                    || (name == "n" && (code == .keyTooShort || code == .tooLarge)),
                "\(name): \(value.prefix(12)) \(String(describing: code))")
        }
    }

    @Test("A set uses the public half of a key without primes")
    func set() throws {
        let members = try Self.members(JWK(pem: TestPrivatePEM.rsa, keyID: "k"))
        let set = try KeySet(jwks: #"{"keys":[\#(Self.without(Self.others, members))]}"#)
        #expect(try set.keys.first?.jwk.thumbprint() == JWK(pem: TestPrivatePEM.rsa).thumbprint())
    }

    /// n is p⁸, and d fits its order: a search for primes would try each of its bases.
    @Test("A power of a prime costs no more than a key")
    func power() throws {
        let good = try Self.members(
            JWK(material: .key(.rsaPrivate(RSAPrivateKey.generate(bitCount: 8192))), keyID: nil))
        let key = try Self.without(Self.others, good)
        let power = TestRefusedJWK.powerOfPrime
        #expect(keyRefusal { try JWK(power) }?.code == .invalidKeyMaterial)
        let costs = [key, power].map { text in ThreadClock.measure { _ = try? JWK(text) } }
        print("RSA of 8192 bits without primes: \(costs[0]); n = p⁸: \(costs[1])")
        #expect(costs[1] <= costs[0] * 2)
    }
}
