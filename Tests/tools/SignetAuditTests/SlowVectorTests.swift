// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import TestSupport
import Testing

/// Cases that need a gigabyte or many seconds.
@Suite("Slow vectors", .serialized, .tags(.vectors))
struct SlowVectorTests {
    static let cases = Vectors.figureSuites.flatMap { suite in
        ((try? suite.cases()) ?? []).filter(\.isSlow)
    }

    @Test("A slow vector gives the expected result", arguments: cases)
    func slow(_ vector: AuditCase) {
        let outcome = vector.run()
        #expect(outcome.passed, "\(outcome)")
    }
}
