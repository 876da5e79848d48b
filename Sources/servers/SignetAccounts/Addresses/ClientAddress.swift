// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A request's client address, for ``RateLimits``. Get it from ``TrustedProxies``, even without
/// proxies. Printing does not show it.
public struct ClientAddress: Sendable, Hashable, Redacted {
    /// The longest text: an address with its zone, brackets and a port.
    private static let maximumByteCount = 80

    /// 4 bytes of IPv4, or 16 of IPv6.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// An address in a socket's form: `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]:443`,
    /// `192.0.2.1:443`. An IPv4-mapped IPv6 address becomes IPv4; a zone is ignored. Nil for
    /// anything else, such as the name of a Unix socket.
    public init?(_ text: String) {
        self.init(text: Array(text.utf8)[...])
    }

    init?(text: ArraySlice<UInt8>) {
        guard text.count <= Self.maximumByteCount, let address = Self.withoutPort(text),
            let bytes = IPAddress.bytes(address)
        else { return nil }
        self.bytes = bytes
    }

    /// The part that limits count:
    ///
    /// - of an IPv4 address, all of it;
    /// - of an IPv6 address, the first 64 bits, since a customer has all addresses that share them;
    /// - of an IPv6 address that stands for an IPv4 address, the IPv4 address: behind a translator
    ///   all clients share the same 64 bits (RFC 6052), and by 6to4 each client has 65,536 networks
    ///   of 64 bits (RFC 3056);
    /// - of an address that a translator of the server's own network made (RFC 8215), all of it.
    ///   It does not say where in it the client's IPv4 address is. Each client has only that
    ///   address, and no foreign network can take addresses of that prefix.
    package var limited: [UInt8] {
        if bytes.starts(with: Self.translated) { return Array(bytes.suffix(4)) }
        if bytes.starts(with: Self.locallyTranslated) { return bytes }
        if bytes.count == 4 { return bytes }
        if bytes.starts(with: Self.sixToFour) { return Array(bytes[2..<6]) }
        return Array(bytes.prefix(8))
    }

    /// Whether the address counts as a network of 64 bits. Then a customer may have many such
    /// networks, in a network of 56 or 48 bits (RFC 6177).
    var isCountedByNetwork: Bool { limited.count == 8 }

    /// `64:ff9b::/96`.
    private static let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
    /// `64:ff9b:1::/48`.
    private static let locallyTranslated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 1]

    /// `2002::/16`; the IPv4 address follows.
    private static let sixToFour: [UInt8] = [0x20, 0x02]

    /// The address alone; nil if what follows it is no port. A port follows brackets, or the only
    /// colon of the text.
    private static func withoutPort(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let colon = UInt8(ascii: ":")
        if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) {
            let rest = text[text.index(after: end)...]
            let endsAsExpected = rest.isEmpty || rest.first == colon && isPort(rest.dropFirst())
            return endsAsExpected ? text[..<end].dropFirst() : nil
        }
        // Without brackets, several colons belong to an IPv6 address, and none means no port.
        guard let onlyColon = text.firstIndex(of: colon), onlyColon == text.lastIndex(of: colon)
        else { return text }
        return isPort(text[onlyColon...].dropFirst()) ? text[..<onlyColon] : nil
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        IPAddress.number(text, maximum: 65_535) != nil
    }
}
