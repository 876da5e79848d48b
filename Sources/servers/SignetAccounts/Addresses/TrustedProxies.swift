// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The proxies that are trusted to report a client's address.
///
/// ```swift
/// let proxies = try TrustedProxies(["10.0.0.0/8"])
/// let client = proxies.client(peer: "10.0.0.7:4711", forwarded: ["198.51.100.3"])
/// ```
///
/// A client can send any `X-Forwarded-For`, and proxies append to it, so only what a named proxy
/// appended is trusted. From the right, the first address that is not a named proxy is the
/// client's.
public struct TrustedProxies: Sendable {
    /// The header field that the proxies write. No second field is read, because a client can send
    /// it.
    public enum Field: Sendable {
        /// `X-Forwarded-For`.
        case xForwardedFor
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    /// Trusts no proxy: the client is the socket's peer.
    public static let none = TrustedProxies(ranges: [], field: .xForwardedFor)

    private static let maximumEntryCount = 32

    /// The field whose lines ``client(peer:forwarded:)`` takes.
    public let field: Field
    private let ranges: [(prefix: [UInt8], bitCount: Int)]
    /// Tells once that ``field`` was ignored; nil if nobody asked for that.
    private var ignoredReport: OneReport?

    private init(ranges: [(prefix: [UInt8], bitCount: Int)], field: Field) {
        self.ranges = ranges
        self.field = field
    }

    /// Proxies by address or by range: `10.0.0.0/8`, `2001:db8::/32`, `127.0.0.1`, `::1`.
    ///
    /// - Throws: `invalidParameter` for a range that is malformed or covers all addresses.
    public init(_ ranges: [String], field: Field = .xForwardedFor) throws(AccountError) {
        var read: [(prefix: [UInt8], bitCount: Int)] = []
        for text in ranges {
            guard let range = Self.parseRange(Array(text.utf8)) else {
                throw AccountError(
                    .invalidParameter,
                    "A range of proxies is an address, or an address, a slash and at least 1 bit, "
                        + "not \(shown: text).")
            }
            read.append(range)
        }
        self.init(ranges: read, field: field)
    }

    /// The same proxies, which report the first ``field`` that they ignore because its sender is
    /// not a named proxy. Log the report: if a proxy stands before the server and was not named,
    /// all clients share the proxy's address, and its limits. A client that writes the field itself
    /// is reported too.
    ///
    /// - Parameter report: called at most once, by whichever copy is first.
    public func reportingIgnoredField(_ report: @escaping @Sendable () -> Void) -> TrustedProxies {
        var proxies = self
        proxies.ignoredReport = OneReport(report)
        return proxies
    }

    /// The client of a request.
    ///
    /// If a proxy's entry is not an address (`unknown`, `_hidden`), the client is the proxy that
    /// wrote it. At most 32 entries are read.
    ///
    /// - Parameters:
    ///   - peer: the socket's other end.
    ///   - forwarded: the values of all lines of ``field``, in their order.
    /// - Returns: nil if the peer has no address, as with a Unix socket.
    public func client(peer: String, forwarded: [String]) -> ClientAddress? {
        let sender = ClientAddress(peer)
        let isFromProxy = sender.map(isTrusted) ?? false
        if !forwarded.isEmpty, !isFromProxy { ignoredReport?.reportOnce() }
        guard var client = sender else { return nil }
        // Splits at every comma, from the right, so quotes that a client opened have no effect
        // here.
        let entries = forwarded.reversed().lazy.flatMap { line in
            Array(line.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .reversed()
        }
        for entry in entries.prefix(Self.maximumEntryCount) {
            guard isTrusted(client), let next = address(entry.trimmed) else { break }
            client = next
        }
        return client
    }

    private func isTrusted(_ address: ClientAddress) -> Bool {
        ranges.contains { range in
            range.prefix.count == address.bytes.count
                && Self.areEqual(range.prefix, address.bytes, inBits: range.bitCount)
        }
    }

    /// Whether the first bits of two addresses of the same length are equal.
    private static func areEqual(_ a: [UInt8], _ b: [UInt8], inBits bitCount: Int) -> Bool {
        var left = bitCount
        for (byteOfA, byteOfB) in zip(a, b) {
            guard left > 0 else { return true }
            // The first bits of the byte: all 8, or what is left.
            let mask = UInt8(truncatingIfNeeded: 0xff << (8 - min(left, 8)))
            guard byteOfA & mask == byteOfB & mask else { return false }
            left -= 8
        }
        return true
    }

    /// The address of an entry of the field; nil if it has none.
    private func address(_ entry: ArraySlice<UInt8>) -> ClientAddress? {
        switch field {
        case .xForwardedFor: ClientAddress(text: entry)
        case .forwarded: Self.addressOfElement(entry)
        }
    }

    /// The only `for=` of an element, with quotes or without. An element with half a quoted string
    /// in it is a piece of an element: a client may have put the comma there, for example into its
    /// `Host`.
    private static func addressOfElement(_ element: ArraySlice<UInt8>) -> ClientAddress? {
        let name = Array("for=".utf8)
        let parts = element.split(separator: UInt8(ascii: ";")).map(\.trimmed)
        let values = parts.filter { $0.prefix(name.count).map(\.inLowerCase) == name }
        guard parts.allSatisfy(hasCompleteQuotes) else { return nil }
        guard values.count == 1, var value = values.first?.dropFirst(name.count) else { return nil }
        if value.first == quote {
            guard value.count >= 2, value.last == quote else { return nil }
            value = value.dropFirst().dropLast()
        }
        return ClientAddress(text: value)
    }

    /// Whether quotes stand around a whole value, or nowhere. Escapes are not read.
    private static func hasCompleteQuotes(_ part: ArraySlice<UInt8>) -> Bool {
        guard !part.contains(UInt8(ascii: "\\")) else { return false }
        guard part.contains(quote) else { return true }
        let value = part.drop { $0 != UInt8(ascii: "=") }.dropFirst()
        return value.count >= 2 && value.first == quote && value.last == quote
            && part.count(where: { $0 == quote }) == 2
    }

    private static let quote = UInt8(ascii: "\"")

    /// An address, or an address, a slash and a number of bits; nil for anything else, and 0 bits.
    private static func parseRange(_ text: [UInt8]) -> (prefix: [UInt8], bitCount: Int)? {
        let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let addressText = parts.first, parts.count <= 2,
            let address = IPAddress.bytes(addressText)
        else { return nil }
        let allBits = address.count * 8
        guard parts.count == 2, let bitText = parts.last else { return (address, allBits) }
        // `::ffff:10.0.0.0/104` would be a range of IPv4 counted in bits of IPv6.
        let isMappedIPv4 = allBits == 32 && addressText.contains(UInt8(ascii: ":"))
        guard !isMappedIPv4, let bitCount = IPAddress.number(bitText, maximum: allBits),
            bitCount > 0
        else { return nil }
        return (address, bitCount)
    }
}
