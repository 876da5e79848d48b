// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import Testing

/// Tokens and keys, one test a case: each stands for a rule of its own.
@Suite("Published tokens and keys")
struct TokenVectorTests {
    @Test("A token or a key gives the expected result", arguments: Vectors.tokenCases)
    func token(_ vector: AuditCase) {
        let outcome = vector.run()
        #expect(outcome.passed, "\(outcome)")
    }
}
