// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetVault

/// The number of a write of an item: the writer's clock in milliseconds since 1970 in the upper 43
/// bits, and 21 random bits. It is always higher than the number of the write that it replaces,
/// whatever the clocks say.
package enum ItemGeneration {
    private static let randomBitCount: UInt64 = 21
    private static let lastMillisecond: UInt64 = (1 << 43) - 1

    /// A generation after `previous`, by the present time if that is later.
    ///
    /// - Throws: `corrupt` if `previous` is the last possible generation.
    package static func next(after previous: UInt64?, milliseconds: UInt64) throws(StoreError)
        -> UInt64
    {
        let random = UInt64.random(in: 0..<(1 << randomBitCount))
        let now = min(milliseconds, lastMillisecond)
        guard let previous else { return now << randomBitCount | random }
        let before = previous >> randomBitCount
        guard before >= lastMillisecond else {
            return max(now, before + 1) << randomBitCount | random
        }
        // The clock part is at its end (a clock was centuries ahead): count up in the random bits,
        // by a random step, so that two writers rarely meet.
        guard previous < .max else {
            throw StoreError(
                .corrupt,
                "An item was written by a clock centuries ahead and cannot be written again: remove it first."
            )
        }
        return previous + .random(in: 1...min(1 << 10, UInt64.max - previous))
    }
}
