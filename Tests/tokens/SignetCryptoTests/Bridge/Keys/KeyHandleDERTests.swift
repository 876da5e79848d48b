// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Keys in DER")
struct KeyHandleDERTests {
    @Test("A key that is written and read again is the same key")
    func roundTrips() throws {
        for (name, key) in try BridgeKeys.all() {
            let spki = try key.encodedPublicKey()
            let pkcs8 = exposed(try key.encodedPrivateKey())
            #expect(try publicKey(spki).encodedPublicKey() == spki, "\(name)")
            let again = try privateKey(pkcs8)
            #expect(exposed(try again.encodedPrivateKey()) == pkcs8, "\(name)")
            #expect(try again.encodedPublicKey() == spki, "\(name)")
            #expect(again.kind == key.kind, "\(name)")
            #expect(try publicKey(spki).kind == key.kind, "\(name)")
        }
    }

    @Test("Trailing bytes are refused and leave no error behind")
    func trailingBytes() throws {
        for (name, key) in try BridgeKeys.all() {
            let spki = try key.encodedPublicKey()
            let pkcs8 = exposed(try key.encodedPrivateKey())
            for tail: [UInt8] in [[0], [0x30], [0, 0], spki, pkcs8] {
                #expect(failure { _ = try publicKey(spki + tail) } == .refused, "\(name)")
                #expect(failure { _ = try privateKey(pkcs8 + tail) } == .refused, "\(name)")
            }
        }
    }

    @Test("Truncations at every length are refused and leave no error behind")
    func truncations() throws {
        for (name, key) in try BridgeKeys.all() {
            let spki = try key.encodedPublicKey()
            let pkcs8 = exposed(try key.encodedPrivateKey())
            for count in 0..<spki.count {
                #expect(
                    failure { _ = try publicKey(Array(spki.prefix(count))) } != nil,
                    "\(name) \(count)")
            }
            for count in 0..<pkcs8.count {
                #expect(
                    failure { _ = try privateKey(Array(pkcs8.prefix(count))) } != nil,
                    "\(name) \(count)")
            }
        }
    }

    @Test("Empty and overlong input is refused before libcrypto")
    func lengths() {
        for count in [0, 16_385, 1 << 20] {
            let der = [UInt8](repeating: 0x30, count: count)
            for structure in [KeyHandle.PublicStructure.subjectPublicKeyInfo, .pkcs1] {
                #expect(failure { _ = try publicKey(der, as: structure) } == .invalidLength)
            }
            for structure in [KeyHandle.PrivateStructure.pkcs8, .pkcs1, .sec1] {
                #expect(failure { _ = try privateKey(der, as: structure) } == .invalidLength)
            }
        }
        #expect(failure { _ = try KeyHandle.decode(Span(), as: .pkcs8) } == .invalidLength)
        #expect(
            failure { _ = try KeyHandle.decode(Span(), as: .subjectPublicKeyInfo) }
                == .invalidLength)
    }

    @Test("Each structure accepts only its own encoding", .needsOpenSSL)
    func structures() throws {
        let rsa = exposed(try BridgeKeys.rsa().encodedPrivateKey())
        guard
            let pkcs1 = try OpenSSLCommand.output(
                ["rsa", "-inform", "DER", "-outform", "DER", "-traditional"], input: rsa),
            let publicPKCS1 = try OpenSSLCommand.output(
                ["rsa", "-inform", "DER", "-RSAPublicKey_out", "-outform", "DER"], input: rsa)
        else { return }
        let ec = exposed(try KeyHandle.generateEC(curve: .p256).encodedPrivateKey())
        guard
            let sec1 = try OpenSSLCommand.output(
                ["ec", "-inform", "DER", "-outform", "DER"], input: ec)
        else { return }
        let spki = try BridgeKeys.rsa().encodedPublicKey()
        #expect(try privateKey(pkcs1, as: .pkcs1).kind == .rsa)
        #expect(try privateKey(sec1, as: .sec1).kind == .ec(.p256))
        #expect(try publicKey(publicPKCS1, as: .pkcs1).kind == .rsa)
        #expect(try publicKey(publicPKCS1, as: .pkcs1).encodedPublicKey() == spki)
        for other in [rsa, ec, sec1, spki, publicPKCS1] {
            #expect(failure { _ = try privateKey(other, as: .pkcs1) } != nil)
        }
        for other in [rsa, ec, pkcs1, spki, publicPKCS1] {
            #expect(failure { _ = try privateKey(other, as: .sec1) } != nil)
        }
        for other in [pkcs1, sec1, spki, publicPKCS1] {
            #expect(failure { _ = try privateKey(other, as: .pkcs8) } != nil)
        }
        for other in [rsa, ec, sec1, spki, pkcs1] {
            #expect(failure { _ = try publicKey(other, as: .pkcs1) } != nil)
        }
        for other in [rsa, ec, sec1, pkcs1, publicPKCS1] {
            #expect(failure { _ = try publicKey(other, as: .subjectPublicKeyInfo) } != nil)
        }
    }
}
