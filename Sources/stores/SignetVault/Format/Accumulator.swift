// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A set's fingerprint: the XOR of a secret code of each element. Adding an element twice removes
/// it.
///
/// The file holds it only sealed: an attacker who saw sums could make elements cancel out.
package struct Accumulator: Equatable, Sendable {
    package static let byteCount = 32
    // Four numbers, not 32 octets: Swift toggles vectors octet by octet, which takes a tenth of the
    // time of proving a bucket.
    private var code: SIMD4<UInt64>

    /// The empty set.
    package init() { code = SIMD4() }

    /// - Parameter code: four numbers of eight octets each, the first octet highest.
    init(code: SIMD4<UInt64>) { self.code = code }

    /// Reads 32 octets; nil for any other number of octets.
    package init?(_ octets: Span<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        code = SIMD4()
        for index in octets.indices {
            code[index / 8] = code[index / 8] << 8 | UInt64(octets[index])
        }
    }

    /// Whether it is the sum of no elements: each that was added was removed too.
    package var isEmpty: Bool { self == Accumulator() }

    /// Adds an element, or removes it.
    package mutating func toggle(_ element: Accumulator) { code ^= element.code }

    /// The octets as they stand in a sealed record.
    package var octets: [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(Self.byteCount)
        for index in code.indices { octets.appendBigEndian(code[index]) }
        return octets
    }

    /// Compares two fingerprints in constant time.
    package static func == (a: Accumulator, b: Accumulator) -> Bool {
        let difference = a.code ^ b.code
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}
