// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Damages bytes as fuzzers do, from a seed, so that a failure can be repeated.
struct Mutator {
    private var generator: SeededGenerator
    /// Building blocks of the formats: pieces that pass the first checks.
    private let dictionary: [[UInt8]]

    init(seed: UInt64, dictionary: [String] = []) {
        generator = SeededGenerator(seed: seed)
        self.dictionary = dictionary.map { Array($0.utf8) }
    }

    mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<max(bound, 1), using: &generator)
    }

    /// The bytes with one to four changes; sometimes unchanged.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...number(below: 4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = number(below: bytes.count)
        switch number(below: 10) {
        case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(number(below: 8))
        case 1 where !bytes.isEmpty: bytes[place] = UInt8(number(below: 256))
        case 2 where !bytes.isEmpty: bytes.remove(at: place)
        case 3: bytes.insert(UInt8(number(below: 256)), at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + number(below: 40)))
        case 5:
            let end = min(bytes.count, place + number(below: 40))
            bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
        case 6 where bytes.count > 1: bytes.swapAt(place, number(below: bytes.count))
        case 7: bytes = Array(bytes.prefix(place))
        case 8 where !dictionary.isEmpty:
            bytes.insert(contentsOf: dictionary[number(below: dictionary.count)], at: place)
        case 9 where !dictionary.isEmpty:
            let piece = dictionary[number(below: dictionary.count)]
            bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
        default: if !bytes.isEmpty { bytes[place] &+= 1 }
        }
    }
}
