// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import TestSupport
import Testing

@Suite("RSA-OAEP")
struct RSAOAEPTests {
    @Test("A wrapped key comes back, and only with its hash", arguments: HashAlgorithm.allCases)
    func roundTrip(hash: HashAlgorithm) throws {
        let recipient = try CryptoKeys.rsa()
        let secret = try SecretKey.generate()
        let wrapped = try RSAOAEP.wrap(secret, to: recipient.publicKey, hash: hash)
        #expect(wrapped.count == 256)
        #expect(try RSAOAEP.unwrap(wrapped, using: recipient, hash: hash) == secret)
        #expect(try RSAOAEP.unwrap(wrapped.lazy.map { $0 }, using: recipient, hash: hash) == secret)
        for other in HashAlgorithm.allCases where other != hash {
            #expect(
                code { _ = try RSAOAEP.unwrap(wrapped, using: recipient, hash: other) }
                    == .authenticationFailure)
        }
        #expect(
            code { _ = try RSAOAEP.unwrapWithSHA1(wrapped, using: recipient) }
                == .authenticationFailure)
        #expect(
            try RSAOAEP.wrap(secret, to: recipient.publicKey, hash: hash) != wrapped)
    }

    @Test("A key fits up to the padding, and an empty key too", arguments: HashAlgorithm.allCases)
    func lengths(hash: HashAlgorithm) throws {
        let recipient = try CryptoKeys.rsa()
        let room = 256 - 2 * hash.byteCount - 2
        for count in [0, 1, room - 1, room] {
            let secret = key(repeating: 7, count)
            let wrapped = try RSAOAEP.wrap(secret, to: recipient.publicKey, hash: hash)
            #expect(try RSAOAEP.unwrap(wrapped, using: recipient, hash: hash) == secret)
        }
        #expect(
            code {
                _ = try RSAOAEP.wrap(
                    key(repeating: 7, room + 1), to: recipient.publicKey, hash: hash)
            } == .tooLarge)
    }

    @Test("What the openssl command encrypts is decrypted", .needsOpenSSL)
    func command() throws {
        for (name, hash) in [
            ("sha256", HashAlgorithm.sha256), ("sha384", .sha384), ("sha512", .sha512),
            ("sha1", nil),
        ] {
            let recipient = try CryptoKeys.rsa()
            let secret = try SecretKey.generate()
            let der = try AsymmetricKey.rsaPublic(recipient.publicKey).encodedPublicKey()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "signet-\(UUID().uuidString).der")
            try Data(der).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let options = ["rsa_padding_mode:oaep", "rsa_oaep_md:\(name)", "rsa_mgf1_md:\(name)"]
            let wrapped = try OpenSSLCommand.output(
                ["pkeyutl", "-encrypt", "-pubin", "-keyform", "DER", "-inkey", file.path]
                    + options.flatMap { ["-pkeyopt", $0] }, input: exposed(secret))
            guard let wrapped else { return }
            if let hash {
                #expect(try RSAOAEP.unwrap(wrapped, using: recipient, hash: hash) == secret)
            } else {
                #expect(try RSAOAEP.unwrapWithSHA1(wrapped, using: recipient) == secret)
                #expect(
                    try RSAOAEP.unwrapWithSHA1(wrapped.lazy.map { $0 }, using: recipient) == secret)
            }
        }
    }

    @Test("Any change, any length and any other key give the one error")
    func changes() throws {
        let recipient = try CryptoKeys.rsa()
        let other = try RSAPrivateKey.generate()
        let wrapped = try RSAOAEP.wrap(
            SecretKey.generate(), to: recipient.publicKey, hash: .sha256)
        var texts: Set<String> = []
        func refused(_ wrapped: [UInt8], _ recipient: RSAPrivateKey) {
            for isSHA1 in [false, true] {
                let found = error {
                    _ =
                        isSHA1
                        ? try RSAOAEP.unwrapWithSHA1(wrapped, using: recipient)
                        : try RSAOAEP.unwrap(wrapped, using: recipient, hash: .sha256)
                }
                #expect(found?.code == .authenticationFailure)
                texts.insert(found?.message ?? "none")
            }
        }
        for bit in stride(from: 0, to: wrapped.count * 8, by: 37) {
            var changed = wrapped
            changed[bit / 8] ^= 1 << (bit % 8)
            refused(changed, recipient)
        }
        for count in [0, 1, 128, 255] { refused(Array(wrapped.prefix(count)), recipient) }
        refused([0] + wrapped, recipient)
        refused(wrapped + [0], recipient)
        refused([UInt8](repeating: 0, count: 256), recipient)
        refused([UInt8](repeating: 0xff, count: 256), recipient)
        refused(recipient.publicKey.modulus, recipient)
        refused(wrapped, other)
        #expect(texts.count == 1)
    }

    @Test("A modulus over 4096 bits is refused on both sides")
    func modulus() throws {
        let recipient = try RSAPrivateKey.generate(bitCount: 4352)
        let wrapped = [UInt8](repeating: 1, count: recipient.publicKey.modulus.count)
        #expect(
            code {
                _ = try RSAOAEP.wrap(
                    key(repeating: 1, 16), to: recipient.publicKey, hash: .sha256)
            } == .invalidKeySize)
        #expect(
            code { _ = try RSAOAEP.unwrap(wrapped, using: recipient, hash: .sha256) }
                == .invalidKeySize)
        #expect(
            code { _ = try RSAOAEP.unwrapWithSHA1(wrapped, using: recipient) } == .invalidKeySize)
        #expect(RSAOAEP.bitCounts == 2048...4096)
    }
}
