// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import TestSupport
import Testing

@Suite(
    "Wycheproof", .enabled(if: Vectors.wycheproofFolder != nil, "the folder is not on this machine")
)
struct WycheproofTests {
    @Test("The folder is readable")
    func readable() throws {
        _ = try Vectors.wycheproof.get()
    }

    @Test(
        "Every vector of a file gives the expected result", .tags(.vectors, .sampled),
        arguments: Effort.cases(Vectors.wycheproofSuites, oneOf: 4))
    func suite(_ suite: AuditSuite) throws {
        // `cases()` refuses a file of which not every test was read: the count is the file's numberOfTests.
        let cases = try suite.cases()
        #expect(cases.count == suite.declaredCount)
        for vector in cases {
            #expect(vector.expectation != .undecided, "\(vector)")
            let outcome = vector.run()
            #expect(outcome.passed, "\(outcome)")
        }
    }

    @Test("Files of unsupported algorithms are listed, and never run")
    func notOffered() throws {
        let published = try Vectors.wycheproof.get()
        let names = Set(published.suites.map(\.name))
        for gap in published.gaps {
            #expect(gap.reason == .notOffered)
            #expect((gap.count ?? 0) > 0, "\(gap.subject)")
            #expect(!names.contains(gap.subject))
        }
        for name in [
            "hmac_sha1", "aes_cmac", "aes_kwp", "ecdh_secp256r1_ecpoint",
            "rsa_pss_2048_sha1_mgf1_20",
        ] {
            #expect(!names.contains(name))
        }
    }
}

@Suite("Overrides")
struct OverrideTests {
    @Test(
        "Every override has a reason", .tags(.vectors),
        arguments: Vectors.figureSuites + Vectors.wycheproofSuites)
    func reasons(_ suite: AuditSuite) throws {
        for vector in try suite.cases() {
            guard let reason = vector.override else { continue }
            #expect(reason.count > 10, "\(vector)")
        }
    }

    @Test(
        "Every rule for Wycheproof is needed", .enabled(if: Vectors.wycheproofFolder != nil),
        .tags(.vectors))
    func needed() throws {
        let used = Set(
            try Vectors.wycheproofSuites.flatMap { try $0.cases() }.compactMap(\.override))
        #expect(used == Set(WycheproofSuites.recordedReasons))
    }

    @Test("Without a folder every family is listed as not run")
    func withoutFolder() throws {
        let published = try WycheproofSuites(folder: nil)
        #expect(published.suites.isEmpty)
        #expect(published.gaps.count >= 12)
        #expect(published.gaps.allSatisfy { $0.reason == .notRun && $0.count == nil })
    }
}
