// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Almost valid addresses: published and our own ones with a few changes, and random bytes.
struct AddressGenerator {
    private var random: SeededGenerator
    private let seeds: [[UInt8]]

    /// What parsers get wrong.
    private static let fragments: [[UInt8]] =
        [
            "@", "@", ".", "..", "-", " ", "\t", "\r\n", "\n", "\u{0}", "\"", "\\", "(", ")", "[",
            "]", "<",
            ">", ",", ";", ":", "%", "!",
        ]
        .map { Array($0.utf8) }
        + [
            "=?utf-8?q?", "?=", "xn--", "\u{212a}", "\u{2028}", "\u{200b}", "\u{ff20}", "\u{3002}",
            "\u{e9}",
            "e\u{301}", "\u{202e}",
        ]
        .map { Array($0.utf8) }
        + [
            "company.example", "@company.example", "mail.", ".partner.example", "gmail.com",
            "COMPANY", "a",
            "1", "Z",
        ]
        .map { Array($0.utf8) }
        + [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x80], [0x7f]]

    init(seed: UInt64, seeds: [[UInt8]]) {
        random = SeededGenerator(seed: seed)
        self.seeds = seeds
    }

    mutating func next() -> [UInt8] {
        guard below(16) > 0 else { return random.bytes(below(80)) }
        var octets = seeds[below(seeds.count)]
        for _ in 0..<below(4) { change(&octets) }
        return octets
    }

    private mutating func change(_ octets: inout [UInt8]) {
        let place = below(octets.count + 1)
        switch below(6) {
        case 0: octets.insert(contentsOf: Self.fragments[below(Self.fragments.count)], at: place)
        case 1:
            octets.insert(contentsOf: Self.fragments[below(Self.fragments.count)], at: octets.count)
        case 2 where place < octets.count: octets[place] = UInt8(below(256))
        case 3 where place < octets.count: octets.remove(at: place)
        case 4 where place < octets.count: octets[place] ^= 0x20
        case 5:
            let other = seeds[below(seeds.count)]
            octets = Array(octets.prefix(place)) + other.suffix(below(other.count + 1))
        default: octets.insert(contentsOf: octets.prefix(place), at: 0)
        }
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
}
