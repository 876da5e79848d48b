// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A part of the product that reads what comes from outside, and what has to hold for every input.
///
/// A fuzzer runs it with inputs of its own (`make fuzz`), and a test with those that are kept.
package struct FuzzTarget: Sendable {
    package typealias Body = @Sendable ([UInt8]) async throws -> Bool

    package let name: String
    /// What a fuzzer begins with.
    package let seeds: @Sendable () throws -> [[UInt8]]
    /// Feeds the part with one input. True where the part accepted it, so that what has to hold
    /// then was looked at; false where the part refused it.
    package let accepts: Body

    init(
        _ name: String, seeds: @autoclosure @escaping @Sendable () throws -> [[UInt8]],
        accepts: @escaping Body
    ) {
        self.name = name
        self.seeds = seeds
        self.accepts = accepts
    }

    /// The texts as seeds.
    init(
        _ name: String, seeds: [String],
        accepts: @escaping Body
    ) {
        self.init(name, seeds: seeds.map { Array($0.utf8) }, accepts: accepts)
    }
}
