// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The name of an algorithm as a number, so that a header's `alg` is compared with all of them at
/// once. Of seven bytes at most, as every name that Signet knows.
struct AlgorithmName: Equatable, Sendable {
    private let number: UInt64

    /// Nil for a longer name, which is none that Signet knows.
    init?(_ name: Span<UInt8>) {
        guard name.count <= 7 else { return nil }
        // The length is a part of it, so that no zero byte in front makes another name of the same
        // number.
        var number = UInt64(name.count)
        for place in name.indices { number = number << 8 | UInt64(name[place]) }
        self.number = number
    }
}
