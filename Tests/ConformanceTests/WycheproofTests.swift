// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import Testing

@Suite("Wycheproof", .enabled(if: Vectors.wycheproofFolder != nil, "the folder is not on this machine"))
struct WycheproofTests {
    @Test("the folder is readable")
    func readable() throws {
        _ = try Vectors.wycheproof.get()
    }

    @Test("every vector of a file does what is expected", arguments: Vectors.wycheproofSuites)
    func suite(_ suite: AuditSuite) throws {
        // `cases()` refuses a file of which not every test was read: the count is the file's numberOfTests.
        let cases = try suite.cases()
        #expect(cases.count == suite.declaredCount)
        for vector in cases {
            let outcome = vector.run()
            #expect(outcome.passed, "\(outcome)")
        }
    }
}
