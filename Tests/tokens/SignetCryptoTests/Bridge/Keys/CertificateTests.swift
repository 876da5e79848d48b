// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenSSLBridge
import TestSupport
import Testing

@Suite("X.509 certificates")
struct CertificateTests {
    /// P-256, from 2030-01-01T00:00:00Z to 2030-02-01T00:00:00Z, key usage digitalSignature.
    private static let text = """
        MIIBczCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxrZXlzLmV4
        YW1wbGUwHhcNMzAwMTAxMDAwMDAwWhcNMzAwMjAxMDAwMDAwWjAXMRUwEwYDVQQD
        DAxrZXlzLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARIWl0nqIXi
        mPNdaDlqziiFlBZpuHGFTj7iyh7SrzCIiwlZUw65+geAj3hK58jC99HEpfS6Lh4H
        3qA0f41NxTrJo1cwVTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAWBgNV
        HSUBAf8EDDAKBggrBgEFBQcDAjAdBgNVHQ4EFgQUdUN97nXD65rg7enDNUqEBIN/
        5BowCgYIKoZIzj0EAwIDRwAwRAIgZcAYd/xebatziwjw6IgF0YYcyVsWY2bycVXg
        WKYlNqkCIFc5S0pH8P7yrBr14pnAgWjaSBga3648lyOLvCZuwGIG
        """

    private func der() throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: Self.text, options: .ignoreUnknownCharacters)))
    }

    private func certificate(_ der: [UInt8]) throws -> Certificate {
        try Certificate(der: der.span)
    }

    /// A new certificate as the command makes it; nil, with a printed message, without the command.
    private func made(_ arguments: String...) throws -> Certificate? {
        let der = try OpenSSLCommand.output(
            [
                "req", "-x509", "-nodes", "-keyout", "/dev/null", "-outform", "DER", "-subj",
                "/CN=keys.example",
            ]
                + arguments)
        return try der.map(certificate)
    }

    @Test("Key, validity and key usage are read")
    func reading() throws {
        let certificate = try certificate(der())
        #expect(certificate.key.kind == .ec(.p256))
        #expect(certificate.notBefore == 1_893_456_000)
        #expect(certificate.notAfter == 1_896_134_400)
        #expect(certificate.allowsSignatures)
        #expect(ErrorQueue.isEmpty)
    }

    @Test("Certificates that OpenSSL makes are read, with and without a key usage", .needsOpenSSL)
    func usages() throws {
        let rsa = ["-newkey", "rsa:2048"]
        let plain = try made("-newkey", "rsa:2048", "-days", "20000")
        #expect(
            plain.map { $0.allowsSignatures && $0.key.kind == .rsa && $0.notAfter > 2_147_483_648 }
                ?? true)
        for (usage, isAllowed) in [
            ("digitalSignature", true), ("digitalSignature,keyCertSign", true),
            ("keyEncipherment", false),
            ("keyCertSign,cRLSign", false),
        ] {
            let certificate = try made(rsa[0], rsa[1], "-addext", "keyUsage=\(usage)")
            #expect(certificate.map { $0.allowsSignatures == isAllowed } ?? true, "\(usage)")
        }
        #expect(ErrorQueue.isEmpty)
    }

    @Test("Empty, oversized and trailing bytes are rejected and leave no error behind")
    func lengths() throws {
        #expect(failure { _ = try certificate([]) } == .invalidLength)
        #expect(
            failure { _ = try certificate([UInt8](repeating: 0x30, count: 16_385)) }
                == .invalidLength)
        let whole = try der()
        for tail: [UInt8] in [[0], [0x30, 0], whole] {
            #expect(failure { _ = try certificate(whole + tail) } == .refused)
        }
        for count in 1..<whole.count {
            #expect(failure { _ = try certificate(Array(whole.prefix(count))) } != nil, "\(count)")
        }
    }

    @Test("A malformed time is rejected")
    func times() throws {
        let whole = try der()
        // 300101000000Z, the first of the two.
        let start = try #require(whole.firstRange(of: Array("300101000000Z".utf8))?.lowerBound)
        for bad in [
            "301301000000Z", "300132000000Z", "300101240000Z", "300101006000Z", "30010100000aZ",
            "3001010000000",
        ] {
            var changed = whole
            changed.replaceSubrange(start..<(start + 13), with: bad.utf8)
            #expect(failure { _ = try certificate(changed) } == .refused, "\(bad)")
        }
        var early = whole
        early.replaceSubrange(start..<(start + 13), with: "500101000000Z".utf8)
        #expect(try certificate(early).notBefore == -631_152_000)
    }

    @Test(
        "Thousands of random changes and random bytes (seed 509) never crash and leave no error behind",
        .tags(.fuzzing, .sampled))
    func mutations() throws {
        var random = SeededGenerator(seed: 509)
        let whole = try der()
        for _ in 0..<Effort.rounds(5_000) {
            var changed = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 2: changed.remove(at: index)
                default: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            _ = failure { _ = try certificate(changed).key.encodedPublicKey() }
            var noise = random.bytes(Int.random(in: 1...300, using: &random))
            noise[0] = 0x30
            #expect(failure { _ = try certificate(noise) } != nil)
        }
    }
}
