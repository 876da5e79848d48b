// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Parses a date and time from left to right.
struct CivilTimeReader {
    private var rest: ArraySlice<UInt8>

    init(_ octets: [UInt8]) { rest = octets[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of `count` digits; nil if they are not there.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Reads a character, if it is among `characters`.
    mutating func take(_ characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Skips `count` octets, whatever they are.
    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// Reads the first of `texts` that is next; returns its index.
    mutating func index(in texts: [String]) -> Int? {
        for (index, text) in texts.enumerated() where rest.starts(with: text.utf8) {
            rest = rest.dropFirst(text.utf8.count)
            return index
        }
        return nil
    }

    /// Reads hour, minute and second: two digits each, with colons between.
    mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Reads the fraction of a second after a point, to the nanosecond; 0 without a point.
    mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { $0.isDigit }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let nine = digits.prefix(9)
        let value = nine.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return Double(value) / (0..<nine.count).reduce(1) { power, _ in power * 10 }
    }

    /// Reads an offset, in minutes east of UTC. PostgreSQL writes `+02` without minutes.
    mutating func offset() -> Int? {
        if take("Zz") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+-"), let hours = number(2), hours < 24 else { return nil }
        guard !isAtEnd else { return isWest ? -hours * 60 : hours * 60 }
        guard take(":"), let minutes = number(2), minutes < 60 else { return nil }
        let all = hours * 60 + minutes
        return isWest ? -all : all
    }
}
