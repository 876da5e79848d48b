// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The proxies that are trusted to report a client's address.
///
/// ```swift
/// let proxies = try TrustedProxies(["10.0.0.0/8"])
/// let client = proxies.client(peer: "10.0.0.7:4711", forwarded: ["198.51.100.3"])
/// ```
///
/// A proxy appends the address of its own caller to `X-Forwarded-For`. A client can send entries
/// too, so an entry counts only if a named proxy wrote it. With the proxies above, the peer
/// `10.0.0.7` and `X-Forwarded-For: 1.1.1.1, 198.51.100.3, 10.0.0.9`, read from the right:
///
/// 1. The peer is a named proxy, so its entry counts: it was called by `10.0.0.9`.
/// 2. `10.0.0.9` is a named proxy, so its entry counts: it was called by `198.51.100.3`.
/// 3. `198.51.100.3` is no named proxy, so it is the client. The client wrote `1.1.1.1` itself.
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
    /// `10.0.0.0/8` has the prefix [10, 0, 0, 0], whose first 8 bits count.
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
        var readCount = 0
        for line in forwarded.reversed() {
            // Split at every comma, also inside quotes: a client may have opened them.
            let entries = Array(line.utf8).split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            for entry in entries.reversed() {
                // Only a trusted proxy's entry names the next client.
                guard readCount < Self.maximumEntryCount, isTrusted(client),
                    let next = address(entry.trimmed)  // without spaces around it
                else { return client }
                client = next
                readCount += 1
            }
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
        var bitsLeft = bitCount
        for (byteOfA, byteOfB) in zip(a, b) {
            guard bitsLeft > 0 else { return true }
            // All 8 bits of the byte, or its first bits: 0b1110_0000 for 3.
            let mask = UInt8(truncatingIfNeeded: 0xff << (8 - min(bitsLeft, 8)))
            guard byteOfA & mask == byteOfB & mask else { return false }
            bitsLeft -= 8
        }
        return true
    }

    /// The address of an entry of the field; nil if it has none.
    private func address(_ entry: ArraySlice<UInt8>) -> ClientAddress? {
        switch field {
        case .xForwardedFor: ClientAddress(text: entry)
        case .forwarded: Self.forwardedAddress(entry)
        }
    }

    /// The only `for=` of an entry of `Forwarded`:
    ///
    /// - `for=198.51.100.3;proto=https` gives 198.51.100.3.
    /// - `for="[2001:db8::1]:443"` gives 2001:db8::1.
    /// - `for=1.1.1.1"` gives nil: it is the end of `for=198.51.100.3;host="a,for=1.1.1.1"`, in
    ///   which the client chose the host.
    private static func forwardedAddress(_ entry: ArraySlice<UInt8>) -> ClientAddress? {
        let name = Array("for=".utf8)
        let parts = entry.split(separator: UInt8(ascii: ";")).map(\.trimmed)
        let values = parts.filter { $0.prefix(name.count).map(\.inLowerCase) == name }
        guard parts.allSatisfy(hasCompleteQuotes) else { return nil }
        guard values.count == 1, var value = values.first?.dropFirst(name.count) else { return nil }
        if value.first == quote {
            guard value.count >= 2, value.last == quote else { return nil }
            value = value.dropFirst().dropLast()
        }
        return ClientAddress(text: value)
    }

    /// Whether quotes stand around a whole value (`host="a"`), or nowhere (`host=a`): not `host="a`.
    /// A part with a backslash is refused, because escapes are not read.
    private static func hasCompleteQuotes(_ part: ArraySlice<UInt8>) -> Bool {
        guard !part.contains(UInt8(ascii: "\\")) else { return false }
        guard part.contains(quote) else { return true }
        let value = part.drop { $0 != UInt8(ascii: "=") }.dropFirst()
        return value.count >= 2 && value.first == quote && value.last == quote
            && part.count(where: { $0 == quote }) == 2
    }

    private static let quote = UInt8(ascii: "\"")

    /// `10.0.0.0/8` gives [10, 0, 0, 0] and 8, and `127.0.0.1` gives [127, 0, 0, 1] and 32. Nil for
    /// anything else, and for 0 bits.
    private static func parseRange(_ text: [UInt8]) -> (prefix: [UInt8], bitCount: Int)? {
        let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let addressText = parts.first, parts.count <= 2,
            let address = IPAddress.bytes(addressText)
        else { return nil }
        let allBits = address.count * 8
        guard parts.count == 2, let bitText = parts.last else { return (address, allBits) }
        // `::ffff:10.0.0.0/104` is refused: the address was read as IPv4, and its bits are IPv6's.
        let isMappedIPv4 = allBits == 32 && addressText.contains(UInt8(ascii: ":"))
        guard !isMappedIPv4, let bitCount = IPAddress.number(bitText, maximum: allBits),
            bitCount > 0
        else { return nil }
        return (address, bitCount)
    }
}
