// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
import Testing

/// A kind of document: how a good one is made, and what a program does with any of them.
package final class DocumentKind: Sendable {
    private let make: @Sendable (_ byteCount: Int) throws -> String
    private let accepts: @Sendable (_ document: String) -> Bool
    private let costs = Mutex<[Int: Duration]>([:])

    /// - Parameters:
    ///   - good: a good document of about this size in bytes.
    ///   - accepts: reads a document as a program does, which is all that is measured, and returns
    ///     whether it was accepted.
    package init(
        good make: @escaping @Sendable (Int) throws -> String,
        accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.make = make
        self.accepts = accepts
    }

    /// The processor time that a document takes.
    func cost(of document: String) -> Duration { ThreadClock.measure { _ = accepts(document) } }

    /// The minimum for a good document of this size, measured once.
    func goodCost(byteCount: Int) throws -> Duration {
        if let known = costs.withLock({ $0[byteCount] }) { return known }
        let good = try make(byteCount)
        #expect(accepts(good), "the good document of \(byteCount) bytes is refused")
        var cost = cost(of: good)
        for _ in 0..<4 { cost = min(cost, self.cost(of: good)) }
        costs.withLock { $0[byteCount] = cost }
        return cost
    }
}
