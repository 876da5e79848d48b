// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The address of an endpoint: https anywhere, or http on this machine (`127.0.0.1`, `[::1]`,
/// `localhost`). For http elsewhere see ``init(unencryptedInPrivateNetwork:)``.
///
/// `try EndpointURL("https://idp.example:8443/token?x=1")` has the host `idp.example`, the port
/// 8443, the path `/token` and the query `x=1`.
///
/// Stricter than RFC 3986, so no two readers can disagree about the host. Rejected: every other
/// scheme and a scheme in capitals, user information, a fragment, non-printable or non-ASCII
/// characters, spaces, backslashes, `%` in the host, empty labels (`host.`, `a..b`), other
/// spellings of IPv4 (`127.1`, `0x7f.1`, `2130706433`, `127.0.0.01`), IPv6 zones, empty or
/// impossible ports, broken percent-encoding, the segments `.` and `..` even when encoded, and more
/// than 2,048 bytes. Nothing is normalised: ``text`` is sent as given. **Not** checked: that the
/// host exists, or what it resolves to.
public struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The longest address, in bytes.
    public static var maximumByteCount: Int { 2_048 }

    /// The address as given.
    public let text: String
    /// `https` or `http`.
    public let scheme: String
    /// The host in lower case; IPv6 with its brackets.
    public let host: String
    /// The port, if the address names one.
    public let port: Int?
    /// The path as given: empty, or begins with a slash.
    public let path: String
    /// The query: the text after the question mark, if any.
    public let query: String?
    /// Whether this is http to another machine, as ``init(unencryptedInPrivateNetwork:)`` allows.
    public let isInPrivateNetwork: Bool

    /// Reads an address.
    ///
    /// - Throws: `invalidURL`.
    public init(_ text: String) throws(IdentityConfigurationError) {
        try self.init(text, mayBeUnencrypted: false)
    }

    /// Reads an address that may be http to another machine of a private network, for example
    /// between the containers of one machine. **Every machine in between can read and change that
    /// traffic**: keys fetched this way are only as trustworthy as the network.
    ///
    /// `CurlTransport` connects only if the resolved address is private (RFC 1918, RFC 4193) or
    /// this machine's, whatever a name server says. A transport that cannot check this refuses the
    /// request. Link-local addresses do not count: clouds give out credentials at 169.254.169.254.
    /// The rules for https do not change.
    ///
    /// - Throws: `invalidURL`.
    public init(unencryptedInPrivateNetwork text: String) throws(IdentityConfigurationError) {
        try self.init(text, mayBeUnencrypted: true)
    }

    private init(
        _ text: String, mayBeUnencrypted: Bool
    ) throws(IdentityConfigurationError) {
        let octets = Array(text.utf8)
        guard octets.count <= Self.maximumByteCount else {
            throw Self.invalid(
                "has \(octets.count) bytes instead of at most \(Self.maximumByteCount)")
        }
        // Printable ASCII without the space. Pieces are copied only after this.
        guard octets.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Self.invalid("holds a space, a control character or a character past ASCII")
        }
        let isSecure = octets.starts(with: "https://".utf8)
        guard isSecure || octets.starts(with: "http://".utf8) else {
            throw Self.invalid("does not begin with \"https://\"")
        }
        let rest = octets.dropFirst((isSecure ? "https://" : "http://").utf8.count)
        // The authority is the part between the slashes: host and port.
        let authority = rest.prefix { $0 != Self.slash && $0 != Self.question }
        let (host, port) = try Self.hostAndPort(authority)
        let (path, query) = try Self.pathAndQuery(rest.dropFirst(authority.count))
        let isLocal = EndpointHost.isThisMachine(authority.prefix(host.count))
        guard isSecure || isLocal || mayBeUnencrypted else {
            throw Self.invalid(
                "uses http, which is only for this machine (127.0.0.1, [::1], localhost); use https"
            )
        }
        self.text = text
        isInPrivateNetwork = !isSecure && !isLocal
        scheme = isSecure ? "https" : "http"
        self.host = String(decoding: host.map(\.lowercased), as: UTF8.self)
        self.port = port
        self.path = String(decoding: path, as: UTF8.self)
        self.query = query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The port to connect to: the named one, or 443 or 80.
    public var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

    /// Whether the host is the same. The scheme and the port may differ.
    public func hasSameHost(as other: EndpointURL) -> Bool { host == other.host }

    /// Whether scheme, host and effective port are the same (RFC 6454).
    public func hasSameOrigin(as other: EndpointURL) -> Bool {
        scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
    }

    /// The address with `path` appended to its own path, with a single slash in between.
    ///
    /// - Throws: `invalidURL` if this address has a query, or the result is not an accepted URL.
    public func appending(path: String) throws(IdentityConfigurationError) -> EndpointURL {
        guard query == nil else {
            throw Self.invalid("has a query, to which no path can be added")
        }
        let base = text.utf8.last == Self.slash ? text.utf8.dropLast() : text.utf8[...]
        let added = path.utf8.first == Self.slash ? path.utf8.dropFirst() : path.utf8[...]
        return try EndpointURL(
            String(decoding: Array(base) + [Self.slash] + Array(added), as: UTF8.self),
            mayBeUnencrypted: isInPrivateNetwork)
    }

    /// The address of a document about the server that this address identifies: the well-known name
    /// comes before the path, which loses a final slash (RFC 8414, section 3.1).
    ///
    /// - Throws: `invalidURL` if this address has a query.
    func wellKnown(_ name: String) throws(IdentityConfigurationError) -> EndpointURL {
        guard query == nil else { throw Self.invalid("has a query, and identifies no server") }
        let octets = path.utf8
        let own = octets.last == Self.slash ? octets.dropLast() : octets[...]
        let origin = text.utf8.dropLast(octets.count)
        let wellKnown = Array(origin) + Array("/.well-known/\(name)".utf8) + Array(own)
        return try EndpointURL(
            String(decoding: wellKnown, as: UTF8.self), mayBeUnencrypted: isInPrivateNetwork)
    }

    /// An address that the server at this address names, such as an endpoint in its metadata; nil
    /// if it must not be used. In a private network it must have the same scheme, host and port.
    func named(_ text: String) -> EndpointURL? {
        let url = try? EndpointURL(text, mayBeUnencrypted: isInPrivateNetwork)
        guard let url, !url.isInPrivateNetwork || url.hasSameOrigin(as: self) else { return nil }
        return url
    }

    /// The address.
    public var description: String { text }

    private static var slash: UInt8 { UInt8(ascii: "/") }
    private static var question: UInt8 { UInt8(ascii: "?") }

    /// Splits what follows the authority: a path, which may be empty, and a query if there is a
    /// question mark.
    private static func pathAndQuery(
        _ text: ArraySlice<UInt8>
    ) throws(IdentityConfigurationError) -> (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?) {
        let path = text.prefix { $0 != question }
        guard EndpointCharacters.isPath(path) else {
            throw invalid(
                "has a path with a character that must be percent-encoded, or with a segment of dots"
            )
        }
        guard path.count < text.count else { return (path, nil) }
        let query = text.dropFirst(path.count + 1)
        guard EndpointCharacters.isQuery(query) else {
            throw invalid(
                "has a query with a character that must be percent-encoded, or a fragment")
        }
        return (path, query)
    }

    /// Splits the authority: a host, and a port if there is one.
    private static func hostAndPort(
        _ authority: ArraySlice<UInt8>
    ) throws(IdentityConfigurationError) -> (host: ArraySlice<UInt8>, port: Int?) {
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw invalid("holds user information (\"@\" before the host)")
        }
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            : authority.firstIndex(of: UInt8(ascii: ":"))
        let host = authority[..<(end ?? authority.endIndex)]
        guard EndpointHost.isValid(host) else {
            throw invalid(
                "has a host that is no DNS name, no IPv4 address in four decimal parts and no [IPv6]"
            )
        }
        let afterHost = authority[host.endIndex...]
        guard !afterHost.isEmpty else { return (host, nil) }
        guard afterHost.first == UInt8(ascii: ":"),
            let port = EndpointHost.port(afterHost.dropFirst())
        else {
            throw invalid("has a port that is not a number from 1 to 65535")
        }
        return (host, port)
    }

    /// An error whose message does not quote the input, which may hold a password.
    private static func invalid(_ what: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.invalidURL, "The address \(what).")
    }
}
