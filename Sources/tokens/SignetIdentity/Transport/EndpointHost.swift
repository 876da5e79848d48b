// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Checks the host and the port of an ``EndpointURL``, as the bytes that stand in the address.
///
/// | Valid | Not valid |
/// |---|---|
/// | `idp.example`, `a-b.example` | `idp..example`, `-a.example`, `idp.example.` |
/// | `192.0.2.1` | `192.0.2`, `192.0.2.01`, `0xc0.0.2.1` |
/// | `[2001:db8::1]`, `[::ffff:192.0.2.1]` | `2001:db8::1`, `[2001:db8]`, `[fe80::1%eth0]` |
enum EndpointHost {
    /// Whether a host is this machine, and so may be used over http: exactly these spellings.
    static func isThisMachine(_ host: ArraySlice<UInt8>) -> Bool {
        host.elementsEqual("127.0.0.1".utf8) || host.elementsEqual("[::1]".utf8)
            || host.elementsEqual("localhost".utf8)
    }

    /// The longest name (RFC 1035, section 3.1: 255 octets on the wire).
    static let maximumNameByteCount = 253

    /// Whether a host is a name, an IPv4 address in four decimal parts or an IPv6 address in
    /// brackets.
    static func isValid(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") {
            return host.last == UInt8(ascii: "]") && isIPv6(host.dropFirst().dropLast())
        }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Some resolvers read a name whose last label is a number as an address, in many spellings.
        if let last = labels.last, isNumber(last) { return isIPv4(labels) }
        return host.count <= maximumNameByteCount && labels.allSatisfy(isLabel)
    }

    /// A decimal number from 1 to 65,535 without leading zeros.
    static func port(_ digits: ArraySlice<UInt8>) -> Int? {
        guard let port = decimal(digits, maximum: 65_535), port > 0 else { return nil }
        return port
    }

    /// Whether a label of a host name has 1 to 63 letters, digits and hyphens, and no hyphen at an
    /// end.
    static func isLabel(_ label: some BidirectionalCollection<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0 == hyphen || $0.isDigit || $0.isLetter }
    }

    /// Whether a resolver may read a label as a number: decimal, or hexadecimal after `0x`.
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        guard !label.isEmpty else { return false }
        if label.allSatisfy(\.isDigit) { return true }
        return label.count >= 2 && label.first == UInt8(ascii: "0")
            && label.dropFirst().first?.lowercased == UInt8(ascii: "x")
            && label.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
    }

    private static func isIPv4(_ parts: [ArraySlice<UInt8>]) -> Bool {
        parts.count == 4 && parts.allSatisfy { decimal($0, maximum: 255) != nil }
    }

    /// RFC 4291, section 2.2: eight groups, or fewer around a single "::". The last two groups may
    /// be written as IPv4.
    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        // The longest text ends in IPv4: six groups of four digits, and 15 characters.
        guard text.count <= 45 else { return false }
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else { return groupCount(text, mayEndInIPv4: true) == 8 }
        let left = text[..<gap]
        let right = text[(gap + 2)...]
        guard let before = left.isEmpty ? 0 : groupCount(left, mayEndInIPv4: false),
            let after = right.isEmpty ? 0 : groupCount(right, mayEndInIPv4: true)
        else { return false }
        // The "::" stands for at least one group.
        return before + after < 8
    }

    /// The number of 16-bit groups, 2 for `2001:db8`; nil if any group is malformed. An IPv4
    /// address at the end counts as two.
    private static func groupCount(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = groups.count
        if mayEndInIPv4, let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false))
            else {
                return nil
            }
            groups.removeLast()
            count += 1
        }
        return groups.allSatisfy {
            (1...4).contains($0.count) && $0.allSatisfy { $0.hexadecimalValue != nil }
        } ? count : nil
    }

    /// A decimal number without leading zeros; nil for anything else or more than `maximum`.
    private static func decimal(_ digits: ArraySlice<UInt8>, maximum: Int) -> Int? {
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= maximum ? value : nil
    }
}
