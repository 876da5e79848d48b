// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import TestSupport
import Testing

/// What fuzzers begin with, and the inputs that they found to be different from each other.
@Suite("Fuzzers' inputs", .serialized, .tags(.fuzzReplay, .sampled))
struct ReplayTests {
    @Test(
        "What has to hold for every input holds for those that are kept",
        arguments: FuzzTarget.all.map(\.name))
    func replay(_ name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        let corpus = try target.corpus()
        #expect(!corpus.isEmpty, "make fuzz TARGET=\(name) ARGS=--keep")
        var accepted = 0
        for input in try target.seeds() + Effort.cases(corpus, oneOf: 10) {
            if try await target.accepts(input) { accepted += 1 }
        }
        // Else the code behind a signature or a seal was not reached.
        #expect(accepted > 0)
    }
}
