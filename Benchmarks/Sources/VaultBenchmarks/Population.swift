// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault

/// The items of the benchmark, by number: 100 for each service, and 300 bytes each.
enum Population {
    static let byteCount = 300
    static let itemsPerService = 100

    static func service(_ index: Int) -> String {
        "service-\(digits(index / itemsPerService)).example"
    }

    static func key(_ index: Int) -> ItemKey {
        ItemKey(service: service(index), account: "user-\(digits(index))")
    }

    /// A key that no item has, of a service that has some.
    static func absentKey(_ index: Int) -> ItemKey {
        ItemKey(service: service(index), account: "none-\(digits(index))")
    }

    static func value(_ index: Int, writing: Int = 0) -> SecretValue {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var numbers = SplitMix(state: UInt64(index) &* 1_000_003 &+ UInt64(writing))
        for place in bytes.indices where place % 8 == 0 {
            forEachOctet(of: numbers.next()) { octet, shift in
                if place + shift < byteCount { bytes[place + shift] = octet }
            }
        }
        for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: index >> (8 * place)) }
        return SecretValue(bytes: bytes)
    }

    static func item(_ index: Int, writing: Int = 0) -> NewItem {
        NewItem(key: key(index), value: value(index, writing: writing))
    }

    /// Whether a value that was read is that item's.
    static func isValue(_ value: SecretValue, of index: Int) -> Bool {
        value.withExposedBytes { (bytes: Span<UInt8>) -> Bool in
            guard bytes.count == byteCount else { return false }
            for place in 0..<8 where bytes[place] != UInt8(truncatingIfNeeded: index >> (8 * place))
            {
                return false
            }
            return true
        }
    }

    /// What stands for an item's id and group in the bare database: as long, and as random.
    static func bareID(_ index: Int) -> [UInt8] { octets(32, seed: UInt64(index)) }
    static func bareGroup(_ index: Int) -> [UInt8] {
        octets(16, seed: UInt64(index / itemsPerService) | 1 << 63)
    }

    /// The lengths of a sealed item's parts (Documentation/VAULT-FORMAT.md): padded to 64, nonce
    /// and tag of 40.
    static let sealedValueByteCount = padded(byteCount) + 40
    static var sealedMetaByteCount: Int {
        let texts = [
            key(0).itemClass.rawValue, "", key(0).service, key(0).account, "", "", "bytes",
        ]
        return padded(texts.reduce(1 + 8 + 8 + 4) { $0 + 4 + $1.utf8.count }) + 40
    }

    private static func padded(_ count: Int) -> Int { (4 + count + 63) / 64 * 64 }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(9 - text.utf8.count, 0)) + text
    }

    private static func octets(_ count: Int, seed: UInt64) -> [UInt8] {
        var numbers = SplitMix(state: seed)
        var result = [UInt8]()
        while result.count < count {
            forEachOctet(of: numbers.next()) { octet, _ in result.append(octet) }
        }
        return result
    }

    private static func forEachOctet(of number: UInt64, _ body: (UInt8, Int) -> Void) {
        for shift in 0..<8 { body(UInt8(truncatingIfNeeded: number >> (8 * shift)), shift) }
    }
}

/// Numbers that look random and are the same in each run (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
