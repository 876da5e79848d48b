// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// One place of a kind of document in which a stranger's text stands, with what reads such documents.
package struct HostileMember: Sendable, CustomTestStringConvertible {
    package typealias Maker = @Sendable (_ text: String) throws -> String

    private let name: String
    private let maximumByteCount: Int
    private let good: @Sendable (_ byteCount: Int) throws -> String
    private let hostile: Maker
    private let read: @Sendable (_ document: String) -> Bool

    /// - Parameters:
    ///   - maximumByteCount: the longest text that fits, as the kind's limit allows.
    ///   - good: a good document of about this size in bytes.
    ///   - hostile: the document with this text in the place.
    ///   - read: does what a program does with a document; true when it was accepted.
    package init(
        _ name: String, maximumByteCount: Int, good: @escaping @Sendable (Int) throws -> String,
        hostile: @escaping Maker, read: @escaping @Sendable (String) -> Bool
    ) {
        self.name = name
        self.maximumByteCount = maximumByteCount
        self.good = good
        self.hostile = hostile
        self.read = read
    }

    package var testDescription: String { name }

    /// Measures runs of this size, or the largest that fits.
    package func expectLinear(byteCount: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let cost = try RefusalCost(
            byteCount: min(byteCount, maximumByteCount), good: good,
            hostile: { try hostile(CombiningText.run(byteCount: $0)) }, read: read)
        cost.expectLinear(
            "\(name), \(min(byteCount, maximumByteCount)) bytes", sourceLocation: sourceLocation)
    }
}
