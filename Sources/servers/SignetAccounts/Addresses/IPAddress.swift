// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Parses IP addresses to bytes: 4 for IPv4, 16 for IPv6.
///
/// - `10.0.0.1` gives [10, 0, 0, 1], and so does `::ffff:10.0.0.1`.
/// - `2001:db8::1` gives [0x20, 0x01, 0x0d, 0xb8, 0, …, 0, 1]: the two colons stand for zeros.
/// - `fe80::1%eth0` is read without `%eth0`, its zone: the network interface to use.
/// - `010.0.0.1` and `10.0.1` give nil.
enum IPAddress {
    /// The longest text, with a zone.
    private static let maximumByteCount = 64
    /// The longest address without a zone: six groups and an IPv4 address.
    private static let maximumIPv6ByteCount = 45

    /// The bytes of an address: IPv4 as four decimal numbers without leading zeros, or IPv6 by RFC
    /// 4291, section 2.2, without its zone. An IPv4-mapped address (`::ffff:1.2.3.4`) becomes IPv4.
    static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count <= maximumByteCount else { return nil }
        if let bytes = ipv4(text) { return bytes }
        let address = text.prefix { $0 != UInt8(ascii: "%") }
        guard address.count <= maximumIPv6ByteCount, let bytes = ipv6(address) else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
        return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }

    private static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard let value = number(part, maximum: 255) else { return nil }
            bytes.append(UInt8(value))
        }
        return bytes
    }

    /// A decimal number of 1 to 5 digits, without leading zeros.
    static func number(_ digits: ArraySlice<UInt8>, maximum: Int) -> Int? {
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= maximum ? value : nil
    }

    /// Eight groups, or fewer around a "::".
    private static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        // The places of the first two colons that follow each other.
        let gap = zip(text.indices, text.indices.dropFirst()).first {
            text[$0] == colon && text[$1] == colon
        }
        guard let gap else {
            guard let bytes = groups(text, mayEndInIPv4: true), bytes.count == 16 else {
                return nil
            }
            return bytes
        }
        let (firstColon, secondColon) = gap
        guard let before = groups(text[..<firstColon], mayEndInIPv4: false),
            let after = groups(text[text.index(after: secondColon)...], mayEndInIPv4: true)
        else { return nil }
        // The two colons stand for a group of zeros at least.
        guard before.count + after.count < 16 else { return nil }
        return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
    }

    /// Groups of 1 to 4 hexadecimal digits, two bytes each; none in an empty text.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var bytesOfIPv4: [UInt8] = []
        if mayEndInIPv4, let last = parts.last, last.contains(UInt8(ascii: ".")) {
            guard let bytes = ipv4(last) else { return nil }
            bytesOfIPv4 = bytes
            parts.removeLast()
        }
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...4).contains(part.count) else { return nil }
            var value = UInt16(0)
            for digit in part {
                guard let nibble = digit.hexValue else { return nil }
                value = value << 4 | UInt16(nibble)
            }
            bytes += [UInt8(value >> 8), UInt8(value & 0xff)]
        }
        return bytes + bytesOfIPv4
    }
}
