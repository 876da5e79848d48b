// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("No secret is printed")
struct RedactionTests {
    /// Every way in which a program prints a value by accident.
    private func printed(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var nested = ""
        dump(["key": [value]], to: &nested)
        var children = ""
        for child in Mirror(reflecting: value).children {
            children += "\(child.label ?? ""): \(child.value)\n"
        }
        return [
            String(describing: value), String(reflecting: value), "\(value)", dumped, nested,
            children,
            String(describing: [value]), String(reflecting: Optional(value) as Any),
            "\((value, 1))",
        ]
    }

    private func expectNothing(of secrets: [[UInt8]], in value: Any, _ name: String) {
        for text in printed(value) {
            let lowercased = text.lowercased()
            for secret in secrets {
                #expect(!lowercased.contains(hex(secret.prefix(4))), "\(name): \(text)")
                let decimals = secret.prefix(3).map(String.init).joined(separator: ", ")
                #expect(!text.contains(decimals), "\(name): \(text)")
                #expect(
                    !text.contains(String(decoding: secret.prefix(6), as: UTF8.self)),
                    "\(name): \(text)")
            }
            // Not even its address, which helps anyone who can read memory.
            #expect(!text.contains("0x"), "\(name): \(text)")
        }
    }

    @Test("Symmetric keys are not printed")
    func symmetric() throws {
        let bytes = Array("s3cr3t-k3y-0f-32-byt3s-l0ng-1234".utf8)
        expectNothing(of: [bytes], in: key(bytes), "SecretKey")
        expectNothing(of: [bytes], in: try MACKey(key(bytes), hash: .sha256), "MACKey")
        #expect("\(key(bytes))" == "SecretKey(redacted)")
    }

    @Test("Private keys and their numbers are not printed")
    func asymmetric() throws {
        let rsa = try CryptoKeys.rsa()
        let numbers = try rsa.exportNumbers()
        let secrets = [
            numbers.privateExponent, numbers.prime1, numbers.prime2, numbers.exponent1,
            numbers.exponent2,
            numbers.coefficient,
        ].map(exposed)
        expectNothing(of: secrets, in: rsa, "RSAPrivateKey")
        expectNothing(of: secrets, in: numbers, "RSAPrivateKey.Numbers")
        for curve in EllipticCurve.allCases {
            let ec = try ECPrivateKey.generate(curve: curve)
            let scalar = exposed(try ec.exportPrivateScalar())
            // A P-521 scalar begins with zeros.
            expectNothing(of: [Array(scalar.drop { $0 <= 1 })], in: ec, "ECPrivateKey")
        }
        let ed25519 = try Ed25519PrivateKey.generate()
        expectNothing(of: [exposed(try ed25519.exportSeed())], in: ed25519, "Ed25519PrivateKey")
    }

    @Test("Errors about secrets of a wrong length do not show them")
    func errors() {
        let bytes = Array("s3cr3t-0f-a-wr0ng-l3ngth".utf8) + [1]
        let secret = key(bytes)
        let errors = [
            error { _ = try XAES256GCM.seal([], using: secret) },
            error { _ = try AESGCM.seal([], using: secret) },
            error { _ = try AESGCM.seal([], using: key(repeating: 1, 32), nonce: bytes) },
            error { _ = try ECPrivateKey(curve: .p256, privateScalar: secret) },
            error { _ = try Ed25519PrivateKey(seed: secret) },
            error { _ = try KeyDerivation.hkdfExpand(secret, info: bytes, byteCount: 32) },
            error { _ = try RSAPublicKey(modulus: bytes, exponent: [1, 0, 1]) },
            error { _ = try XAES256GCM.open(bytes, using: key(repeating: 1, 32)) },
        ]
        for error in errors {
            #expect(error != nil)
            if let error {
                expectNothing(of: [bytes], in: error, "error")
                #expect(!error.message.isEmpty)
                #expect(error.description == "\(error.code.rawValue): \(error.message)")
            }
        }
    }
}
