// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// Holds that a hostile document costs about what its bytes cost: no more than 20 times a good
/// document of the same kind and size, and no more than 2.5 times one of half its size.
///
/// Processor time of the thread. What is too slow is measured again, up to twelve times, and the
/// least counts: a busy machine adds to single measurements, work that grows as the square to all.
package struct RefusalCost {
    private let good: Duration
    private let half: Duration
    private let whole: Duration

    /// - Parameters:
    ///   - good: a good document of about this size in bytes.
    ///   - hostile: a hostile one of about this size.
    ///   - read: does what a program does with a document, which is all that is measured; true when
    ///     the document was accepted.
    package init(
        byteCount: Int, good: (Int) throws -> String, hostile: (Int) throws -> String,
        read: (String) -> Bool
    ) throws {
        let accepted = try good(byteCount)
        #expect(read(accepted), "the good document is not")
        let (small, large) = (try hostile(byteCount / 2), try hostile(byteCount))
        let never = Duration.seconds(1_000)
        var least = (good: never, half: never, whole: never)
        for _ in 0..<12 {
            least.good = min(least.good, ThreadClock.measure { _ = read(accepted) })
            least.half = min(least.half, ThreadClock.measure { _ = read(small) })
            least.whole = min(least.whole, ThreadClock.measure { _ = read(large) })
            if least.whole <= least.good * 10, least.whole <= least.half * 2.2 { break }
            // Nobody waits for the square of half a megabyte twelve times.
            if least.whole > .seconds(1) { break }
        }
        self.good = least.good
        half = least.half
        whole = least.whole
    }

    package func expectLinear(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            whole <= good * 20, "\(name): \(whole), where a good document takes \(good)",
            sourceLocation: sourceLocation)
        #expect(
            whole <= half * 2.5, "\(name): \(whole), where half of it takes \(half)",
            sourceLocation: sourceLocation)
    }
}
