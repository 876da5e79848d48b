// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A set's fingerprint: the XOR of a secret code of each element. Adding an element twice removes
/// it.
///
/// The file holds it only sealed: an attacker who saw sums could make elements cancel out.
package struct Accumulator: Equatable, Sendable {
    package static let byteCount = 32
    private var code: SIMD32<UInt8>

    /// The empty set.
    package init() { code = SIMD32() }

    init(code: SIMD32<UInt8>) { self.code = code }

    /// From 32 octets; nil for any other number.
    package init?(_ octets: Span<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        code = SIMD32()
        for index in octets.indices { code[index] = octets[index] }
    }

    /// Adds an element, or removes it.
    package mutating func toggle(_ element: Accumulator) { code ^= element.code }

    /// The octets as they stand in a sealed record.
    package var octets: [UInt8] { code.indices.map { code[$0] } }

    /// Whether both are the same, in constant time.
    package static func == (a: Accumulator, b: Accumulator) -> Bool {
        (a.code ^ b.code).wrappedOr == 0
    }
}

extension SIMD32<UInt8> {
    /// All bits of all octets together.
    fileprivate var wrappedOr: UInt8 {
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all
    }
}
