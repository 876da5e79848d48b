// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A place in a kind of document where a stranger's text stands.
///
/// Whatever the text is, the document costs no more than 20 times a good one of its kind and size,
/// and from 4 KiB on no more than 8 times one of a quarter of its size. What has to be shorter is
/// bounded by its length.
package struct HostileMember: Sendable, CustomTestStringConvertible {
    private let name: String
    private let kind: DocumentKind
    private let maximumByteCount: Int
    private let make: @Sendable (_ text: String) throws -> String

    /// - Parameters:
    ///   - maximumByteCount: the longest text that fits, as the kind's limit allows.
    ///   - make: the document with this text in the place.
    package init(
        _ name: String, _ kind: DocumentKind, maximumByteCount: Int,
        make: @escaping @Sendable (_ text: String) throws -> String
    ) {
        self.name = name
        self.kind = kind
        self.maximumByteCount = maximumByteCount
        self.make = make
    }

    /// A member for each template of a table, with the text where its "%" stands.
    package static func table(
        _ title: String, _ kind: DocumentKind, maximumByteCount: Int,
        _ templates: [(String, String)],
        make: @escaping @Sendable (_ filled: String) throws -> String = { $0 }
    ) -> [HostileMember] {
        templates.map { name, template in
            HostileMember("\(title): \(name)", kind, maximumByteCount: maximumByteCount) { text in
                try make(template.replacing("%", with: text))
            }
        }
    }

    package var testDescription: String { name }

    /// Runs of 64 and of 512 KiB, or the largest that fits.
    package func expectLinearWhenLarge(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for byteCount in Set([65_536, 524_288].map { min($0, maximumByteCount) }).sorted() {
            try expectLinear(byteCount: byteCount, sourceLocation: sourceLocation)
        }
    }

    /// Measures the thread's processor time. A slow result is measured again, and the least counts:
    /// a busy machine adds to single measurements, quadratic work to all.
    package func expectLinear(byteCount: Int, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let byteCount = min(byteCount, maximumByteCount)
        let good = try kind.goodCost(byteCount: byteCount)
        // Linear work grows by 4 and quadratic work by 16. Not the half: beside others, what no longer
        // fits the processor's cache grows by 3.
        let documents = try [byteCount / 4, byteCount].map {
            try make(CombiningText.run(byteCount: $0))
        }
        var costs = documents.map(kind.cost)
        let growth = byteCount < 4096 ? 20.0 : 8
        var rounds = 1
        // Quadratic time over half a megabyte is not waited for repeatedly.
        while costs[1] > good * 20 || costs[1] > costs[0] * growth, rounds < 200,
            costs[1] < .seconds(1)
        {
            costs = zip(costs, documents).map { min($0, kind.cost(of: $1)) }
            rounds += 1
        }
        #expect(
            costs[1] <= good * 20,
            "\(name), \(byteCount) bytes: \(costs[1]), where a good document takes \(good)",
            sourceLocation: sourceLocation)
        #expect(
            costs[1] <= costs[0] * growth,
            "\(name), \(byteCount) bytes: \(costs[1]), where a quarter of it takes \(costs[0])",
            sourceLocation: sourceLocation)
    }
}
