// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One alphabet of RFC 4648, and the tables by which whole groups of its characters are read and written.
struct Base64Alphabet: Sendable {
    /// RFC 4648, section 5: the URL and file name safe alphabet.
    static let url = Base64Alphabet(lastTwo: UInt8(ascii: "-"), UInt8(ascii: "_"), isURL: true)
    /// RFC 4648, section 4: the standard alphabet.
    static let standard = Base64Alphabet(lastTwo: UInt8(ascii: "+"), UInt8(ascii: "/"), isURL: false)

    /// Set in an entry of ``places`` for a character outside of the alphabet.
    static let foreign: UInt32 = 1 << 31

    /// For each 12 bits their two characters, the first one in the lower byte.
    let pairs: [UInt16]
    /// For each character and each of the four places of a group: what it gives to the group's three bytes, the first byte
    /// lowest. Four tables of 256 entries, one behind the other, so that a group is three times "or".
    let places: [UInt32]
    /// Which of the two it is.
    let isURL: Bool

    private init(lastTwo last: UInt8, _ veryLast: UInt8, isURL: Bool) {
        let ranges: [ClosedRange<UInt8>] = [
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), last...last, veryLast...veryLast,
        ]
        let characters = ranges.flatMap { Array($0) }
        pairs = characters.flatMap { first in characters.map { UInt16($0) << 8 | UInt16(first) } }
        var places = [UInt32](repeating: Self.foreign, count: 4 * 256)
        for (value, character) in characters.enumerated() {
            let bits = UInt32(value)
            let entry = Int(character)
            places[entry] = bits << 2
            places[256 + entry] = bits >> 4 | (bits & 0x0f) << 12
            places[512 + entry] = (bits >> 2) << 8 | (bits & 0x03) << 22
            places[768 + entry] = bits << 16
        }
        self.places = places
        self.isURL = isURL
    }

    /// Whether a character belongs to the alphabet.
    func contains(_ character: UInt8) -> Bool { places[Int(character)] != Self.foreign }
}
