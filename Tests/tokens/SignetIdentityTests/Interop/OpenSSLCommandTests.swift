// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite(
    "Keys and signatures of the openssl command", .tags(.interop, .sampled),
    .enabled(if: OpenSSLCommand.isAvailable, "\(OpenSSLCommand.absence)"))
struct OpenSSLCommandTests {
    static let publicKeyAlgorithms = Effort.cases(
        Algorithm.all.filter { !$0.hasPrefix("HS") }, oneOf: 4)

    let openssl: OpenSSLCommand

    init() throws { openssl = try OpenSSLCommand() }

    @Test(
        "openssl verifies a token signed with its key, and refuses a changed one",
        arguments: publicKeyAlgorithms)
    func opensslVerifies(algorithm: String) throws {
        let privateKey = try openssl.generate(algorithm)
        let pairing = Pairing(library: "openssl", algorithm: algorithm, form: .pem)
        let token = try Signet.sign(.current, privateKey, pairing, keyID: "a")
        let publicKey = try openssl.publicKey(privateKey)
        #expect(try isValid(token, publicKey, algorithm))
        for forgery in token.forgeries.prefix(3) {
            #expect(try !isValid(forgery, publicKey, algorithm))
        }
        #expect(try Signet.verify(token, publicKey, pairing, keyID: "a") == .current)
    }

    @Test(
        "Signet verifies a signature that openssl made with Signet's key",
        arguments: publicKeyAlgorithms)
    func opensslSigns(algorithm: String) throws {
        let key = try Signet.generate(algorithm, keyID: "b")
        let privateKey = try #require(key.privatePEM)
        let publicKey = try #require(key.publicPEM)
        // It reads our private key, accepts it, and derives the public key that we exported.
        try openssl("pkey", "-check", "-noout", input: Data(privateKey.utf8))
        #expect(try openssl.publicKey(privateKey) == publicKey)

        let pairing = Pairing(library: "openssl", algorithm: algorithm, form: .pem)
        let token = try token(algorithm, keyID: "b") { try openssl.sign($0, privateKey, algorithm) }
        #expect(try Signet.verify(token, publicKey, pairing, keyID: "b") == .current)
        try Signet.expectForgeriesRefused(of: token, publicKey, pairing, keyID: "b")
    }

    @Test(
        "openssl computes the same HMAC codes",
        arguments: Algorithm.all.filter { $0.hasPrefix("HS") })
    func hmac(algorithm: String) throws {
        let key = try Signet.generate(algorithm, keyID: "c")
        let secret = try JSONDecoder().decode(
            [String: String].self, from: Data(key.privateJWK.utf8))
        let hex = try Data(base64URL: #require(secret["k"])).map { String(format: "%02x", $0) }
            .joined()
        let token = try token(algorithm, keyID: "c") {
            try openssl.authenticationCode($0, keyInHex: hex, algorithm)
        }
        let pairing = Pairing(library: "openssl", algorithm: algorithm, form: .jwk)
        #expect(try Signet.verify(token, key.privateJWK, pairing, keyID: "c") == .current)
        try Signet.expectForgeriesRefused(of: token, key.privateJWK, pairing, keyID: "c")
    }

    @Test(
        "Older forms of a private key are read",
        arguments: ["RS256", "ES256", "ES384", "ES512"])
    func traditionalForms(algorithm: String) throws {
        let pkcs8 = try openssl.generate(algorithm)
        let traditional = try openssl("pkey", "-traditional", input: Data(pkcs8.utf8))
        #expect(
            traditional.contains(
                algorithm == "RS256" ? "BEGIN RSA PRIVATE KEY" : "BEGIN EC PRIVATE KEY"))
        let pairing = Pairing(library: "openssl", algorithm: algorithm, form: .pem)
        let token = try Signet.sign(.current, traditional, pairing, keyID: "d")
        #expect(try isValid(token, openssl.publicKey(pkcs8), algorithm))
    }

    @Test("The older form of an RSA public key is read")
    func traditionalPublicKey() throws {
        let privateKey = try openssl.generate("RS256")
        let publicKey = try openssl("rsa", "-RSAPublicKey_out", input: Data(privateKey.utf8))
        #expect(publicKey.contains("BEGIN RSA PUBLIC KEY"))
        let pairing = Pairing(library: "openssl", algorithm: "RS256", form: .pem)
        let token = try Signet.sign(.current, privateKey, pairing, keyID: "e")
        #expect(try Signet.verify(token, publicKey, pairing, keyID: "e") == .current)
    }

    @Test(
        "A key that Signet does not use is refused on loading",
        arguments: [
            (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], KeyError.Code.keyTooShort),
            (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"], .unsupportedKeyType),
            (
                ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"],
                .unsupportedKeyType
            ),
            (["-algorithm", "ED448"], .unsupportedKeyType),
            (["-algorithm", "ED25519", "-aes256", "-pass", "pass:not a secret"], .encryptedKey),
        ])
    func refusedKeys(arguments: [String], code: KeyError.Code) throws {
        let key = String(
            decoding: try #require(OpenSSLCommand.command).run(["genpkey"] + arguments),
            as: UTF8.self)
        let failure = #expect(throws: KeyError.self) { try JWK(pem: key) }
        #expect(failure?.code == code)
    }

    // MARK: Tokens without Signet

    private func token(_ algorithm: String, keyID: String, _ sign: (String) throws -> Data) throws
        -> String
    {
        let header = Data(#"{"alg":"\#(algorithm)","kid":"\#(keyID)"}"#.utf8).base64URL
        let message = try "\(header).\(JSONEncoder().encode(Claims.current).base64URL)"
        return try "\(message).\(sign(message).base64URL)"
    }

    private func isValid(_ token: String, _ publicKey: String, _ algorithm: String) throws -> Bool {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        return try openssl.isValid(
            Data(base64URL: parts[2]), for: "\(parts[0]).\(parts[1])", publicKey, algorithm)
    }
}
