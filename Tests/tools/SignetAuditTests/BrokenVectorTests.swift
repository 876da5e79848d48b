// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import TestSupport
import TestVectors
import Testing

/// A wrong vector must fail its case and the audit: otherwise a pass proves nothing.
@Suite("A broken vector is noticed")
struct BrokenVectorTests {
    @Test("One wrong figure fails its case and the audit", arguments: Vectors.figureSuites)
    func figure(_ suite: AuditSuite) throws {
        let copy = try BrokenCopy(figures: Vectors.figures.get(), suite: suite.name)
        let catalog = try AuditCatalog(
            figures: TestVectors(folder: copy.folder.path), wycheproof: nil)
        let broken = try #require(
            try catalog.suites.first?.cases().first { $0.localID == copy.brokenID })
        #expect(!broken.run().passed, "\(broken)")
        let report = AuditRunner().run(catalog)
        #expect(!report.isClean)
        #expect(report.deviations.count == 1)
        #expect(
            report.deviations.first?.hasPrefix("\(suite.name)#\(copy.brokenID): ") == true,
            "\(report.deviations)")
    }

    @Test("A changed file fails by its digest", arguments: Vectors.figureSuites.prefix(1))
    func digest(_ suite: AuditSuite) throws {
        let copy = try BrokenCopy(
            figures: Vectors.figures.get(), suite: suite.name, isSigned: false)
        let catalog = try AuditCatalog(
            figures: TestVectors(folder: copy.folder.path), wycheproof: nil)
        #expect(throws: AuditError(.digestMismatch, "")) { try catalog.suites[0].cases() }
        let report = AuditRunner().run(catalog)
        #expect(!report.isClean)
        #expect(report.total.failed == suite.declaredCount)
    }

    @Test("A missing file fails the audit, and a missing folder is an error with advice")
    func absent() throws {
        let suite = try #require(Vectors.figureSuites.first)
        let copy = try BrokenCopy(figures: Vectors.figures.get(), suite: suite.name)
        let catalog = try AuditCatalog(
            figures: TestVectors(folder: copy.folder.path), wycheproof: nil)
        for folder in ["rfc", "nist", "c2sp"] {
            try? FileManager.default.removeItem(at: copy.folder.appendingPathComponent(folder))
        }
        #expect(!AuditRunner().run(catalog).isClean)
        let nowhere = copy.folder.appendingPathComponent("nowhere").path
        let error = #expect(throws: AuditError.self) {
            try AuditCatalog(environment: [TestVectors.environmentVariable: nowhere])
        }
        #expect(error?.code == .vectorsNotFound)
        #expect(!AuditRunner().run(AuditCatalog(suites: [], gaps: [])).isClean)
    }

    /// One file of each schema, and every file of tokens and keys.
    static let wycheproofNames = [
        "a256cbc_hs512", "aes_gcm", "aes_wrap", "ecdh_secp384r1_webcrypto",
        "rsa_oaep_2048_sha256_mgf1sha256", "x25519", "x25519_jwk", "ecdsa_secp256r1_sha256_p1363",
        "ecdsa_secp384r1_sha384",
        "ecdsa_secp521r1_sha512",
        "ed25519",
        "hkdf_sha256", "hmac_sha512", "json_web_key", "json_web_signature", "pbkdf2_hmacsha384",
        "rsa_pkcs1_3072_sig_gen", "rsa_pss_2048_sha256_mgf1_32", "rsa_signature_2048_sha256",
    ]

    @Test(
        "One wrong test of Wycheproof fails its case and the audit",
        .enabled(if: Vectors.wycheproofFolder != nil, "the folder is not on this machine"),
        .tags(.vectors, .sampled),
        arguments: Effort.cases(wycheproofNames, oneOf: 6))
    func wycheproof(_ name: String) throws {
        let folder = try #require(Vectors.wycheproofFolder)
        let copy = try BrokenCopy(wycheproof: folder, file: name)
        let suites = try WycheproofSuites(folder: copy.folder.path).suites
        let broken = try #require(try suites.first?.cases().first { $0.localID == copy.brokenID })
        #expect(!broken.run().passed, "\(broken)")
        let report = AuditRunner().run(AuditCatalog(suites: suites, gaps: []))
        #expect(!report.isClean)
        #expect(report.deviations.count == 1)
        #expect(
            report.deviations.first?.hasPrefix("\(name)#\(copy.brokenID): ") == true,
            "\(report.deviations)")
    }

    @Test(
        "A count that is not numberOfTests fails the audit",
        .enabled(if: Vectors.wycheproofFolder != nil, "the folder is not on this machine"),
        .tags(.vectors, .sampled),
        arguments: Effort.cases(wycheproofNames, oneOf: 6))
    func count(_ name: String) throws {
        let folder = try #require(Vectors.wycheproofFolder)
        let copy = try BrokenCopy(wycheproof: folder, file: name, countOnly: true)
        let suites = try WycheproofSuites(folder: copy.folder.path).suites
        #expect(throws: AuditError(.countMismatch, "")) { try suites[0].cases() }
        #expect(!AuditRunner().run(AuditCatalog(suites: suites, gaps: [])).isClean)
    }
}
