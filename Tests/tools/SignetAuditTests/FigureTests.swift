// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import Testing

@Suite("Published figures")
struct FigureTests {
    @Test("The tests find the figures")
    func located() throws {
        _ = try Vectors.figures.get()
        #expect(Vectors.figureSuites.count >= 40)
    }

    @Test("Every vector gives the expected result", arguments: Vectors.figureSuites)
    func suite(_ suite: AuditSuite) throws {
        let cases = try suite.cases()
        #expect(cases.count == suite.declaredCount)
        for vector in cases where !vector.isSlow {
            let outcome = vector.run()
            #expect(outcome.passed, "\(outcome)")
        }
    }
}
