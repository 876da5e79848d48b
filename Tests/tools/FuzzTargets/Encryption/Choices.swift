// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Decisions that a fuzzer's bytes make, in their order. Where no bytes are left, each is zero.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// 0 to `bound` - 1, of which no number above 65,535 is chosen.
    mutating func number(below bound: Int) -> Int {
        let high = bound > 256 ? Int(byte()) << 8 : 0
        return (high + Int(byte())) % max(bound, 1)
    }

    /// An element of a list that is not empty.
    mutating func element<Element>(of list: [Element]) -> Element {
        list[number(below: list.count)]
    }

    /// True for so many of the 256 bytes, zero not among them.
    mutating func happens(_ count: Int) -> Bool { Int(byte()) >= 256 - count }

    /// As many bytes as the bound allows, each one more than the one before.
    mutating func pattern(below bound: Int) -> [UInt8] {
        let count = number(below: bound)
        let first = byte()
        return (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }

    /// The bytes with one of them changed, taken out or put in.
    mutating func edited(_ bytes: [UInt8]) -> [UInt8] {
        var edited = bytes
        let place = number(below: bytes.count)
        switch number(below: 4) {
        case 0 where !bytes.isEmpty: edited[place] ^= 1 << UInt8(number(below: 8))
        case 1 where !bytes.isEmpty: edited.remove(at: place)
        case 2 where !bytes.isEmpty: edited[place] = byte()
        default: edited.insert(byte(), at: place)
        }
        return edited
    }
}
