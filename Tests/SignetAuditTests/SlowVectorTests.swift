// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import Testing

/// Cases that need a gigabyte or many seconds: run with SIGNET_SLOW_VECTORS=1.
@Suite(
    "Slow vectors", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["SIGNET_SLOW_VECTORS"] != nil,
        "SIGNET_SLOW_VECTORS is not set"))
struct SlowVectorTests {
    static let cases = Vectors.figureSuites.flatMap { suite in ((try? suite.cases()) ?? []).filter(\.isSlow) }

    @Test("a slow vector does what is expected", arguments: cases)
    func slow(_ vector: AuditCase) {
        let outcome = vector.run()
        #expect(outcome.passed, "\(outcome)")
    }
}
