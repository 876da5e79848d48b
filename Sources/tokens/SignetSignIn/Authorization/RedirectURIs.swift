// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// The addresses that a sign-in may return to: an allow-list without patterns (RFC 9700, section
/// 2.1). `try RedirectURIs(["https://app.example/callback"]).allows(uri)` says whether a sign-in
/// may return to `uri`.
///
/// A redirect URI must equal an address of the list octet for octet: prefixes, different case,
/// extra or missing slashes, user information, ports, encoded letters and dot segments do not
/// match. The only exception is ``LoopbackPorts/any``.
public struct RedirectURIs: Sendable {
    /// How the port of `http://127.0.0.1` and `http://[::1]` is compared.
    public enum LoopbackPorts: Sendable {
        /// The port must be equal, like everything else.
        case exact
        /// The port is ignored: a native app uses any free port (RFC 8252, section 7.3). Everything
        /// else in the address must be equal. `localhost` is a name that another host may answer,
        /// and keeps its exact port (section 8.3).
        case any
    }

    /// The longest address, in bytes.
    public static var maximumByteCount: Int { 2_048 }

    /// The addresses as given.
    public let allowed: [String]
    /// The loopback addresses without their ports; empty if ports must be equal.
    private let portless: [String]

    /// An allow-list.
    ///
    /// - Parameters:
    ///   - allowed: each an https address; an http address of this machine (`127.0.0.1`, `[::1]`,
    ///     `localhost`); or an address with an app's own scheme that has a dot, as in
    ///     `com.example.app:/callback` (RFC 8252, section 7.1).
    ///   - loopbackPorts: whether an address of this machine may have a different port.
    ///   - schemes: further schemes of your apps, in lower case: `["app"]` for `app://callback`.
    ///     Any program may claim any scheme (RFC 8252, section 8.4), and some schemes start
    ///     programs (`ssh`, `smb`).
    /// - Throws: `invalidURL` for every other address: http to another machine, a fragment, user
    ///   information, a scheme without a dot that is not named; and for a scheme that runs or reads
    ///   something (`javascript`, `data`, `file` …), named or not. `invalidIdentifier` for an empty
    ///   list; `contradiction` for a repeated address.
    public init(
        _ allowed: [String], loopbackPorts: LoopbackPorts = .exact, schemes: [String] = []
    ) throws(IdentityConfigurationError) {
        guard !allowed.isEmpty else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "The list of redirect URIs is empty.")
        }
        for (position, uri) in allowed.enumerated() {
            try Self.check(uri, schemes: schemes)
            for other in allowed[..<position] where other.utf8.elementsEqual(uri.utf8) {
                throw IdentityConfigurationError(
                    .contradiction, "The list of redirect URIs has a repeated entry.")
            }
        }
        self.allowed = allowed
        switch loopbackPorts {
        case .exact: portless = []
        case .any: portless = allowed.compactMap(Self.withoutLoopbackPort)
        }
    }

    /// Whether a sign-in may return to `uri`.
    public func allows(_ uri: String) -> Bool {
        if allowed.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) { return true }
        guard !portless.isEmpty, let candidate = Self.withoutLoopbackPort(uri) else { return false }
        return portless.contains { $0.utf8.elementsEqual(candidate.utf8) }
    }

    /// The address of a loopback interface without its port; nil for every other address.
    private static func withoutLoopbackPort(_ uri: String) -> String? {
        guard let url = try? EndpointURL(uri), url.scheme == "http",
            url.host == "127.0.0.1" || url.host == "[::1]"
        else { return nil }
        return "http://" + url.host + url.path + (url.query.map { "?" + $0 } ?? "")
    }

    /// Throws if this cannot be a redirect URI, or a scheme of `schemes` cannot be named.
    static func check(
        _ uri: String, schemes: [String]
    ) throws(IdentityConfigurationError) {
        for scheme in schemes { try checkScheme(Array(scheme.utf8)[...]) }
        let octets = Array(uri.utf8)
        guard octets.count <= maximumByteCount else {
            throw invalid("has \(octets.count) bytes instead of at most \(maximumByteCount)")
        }
        guard octets.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw invalid("is not printable ASCII")
        }
        guard !octets.contains(UInt8(ascii: "#")) else { throw invalid("has a fragment") }
        let scheme = octets.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < octets.count else { throw invalid("is not absolute") }
        if scheme.elementsEqual("https".utf8) || scheme.elementsEqual("http".utf8) {
            _ = try EndpointURL(uri)
            return
        }
        try checkScheme(scheme)
        guard
            scheme.contains(UInt8(ascii: "."))
                || schemes.contains(where: { scheme.elementsEqual($0.utf8) })
        else {
            throw invalid("has a scheme without a dot, which `schemes:` does not name")
        }
        try checkRest(octets[(scheme.endIndex + 1)...])
    }

    /// Checks the form of a scheme (RFC 3986, section 3.1, in lower case), and that none is
    /// forbidden.
    private static func checkScheme(
        _ scheme: ArraySlice<UInt8>
    ) throws(IdentityConfigurationError) {
        // 0x61 is "a", 0x7a "z".
        let isLetter = { (octet: UInt8) in (0x61...0x7a).contains(octet) }
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || $0.isDigit || "+-.".utf8.contains($0) })
        else { throw invalid("has no scheme in lower case") }
        guard !forbidden.contains(where: { scheme.elementsEqual($0.utf8) }) else {
            throw invalid("has a scheme that an answer must not go to")
        }
    }

    /// Checks what follows the scheme of an app, as in `/callback` or `//host/callback`.
    private static func checkRest(
        _ rest: ArraySlice<UInt8>
    ) throws(IdentityConfigurationError) {
        // The part between the slashes, if there are two at the beginning.
        let authority =
            rest.starts(with: "//".utf8) ? rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") } : []
        guard rest.count > 0, !authority.contains(UInt8(ascii: "@")),
            !rest.contains(UInt8(ascii: "\\")),
            !rest.contains(UInt8(ascii: "\"")), !rest.contains(UInt8(ascii: "<"))
        else {
            throw invalid(
                "has nothing after its scheme, user information or a forbidden character")
        }
    }

    /// Schemes that run, read or send something, in browsers or in systems.
    private static let forbidden = [
        "javascript", "vbscript", "data", "file", "blob", "about", "filesystem", "ftp", "ws", "wss",
        "mailto",
        "tel", "sms", "urn", "intent", "view-source", "jar", "chrome", "resource",
    ]

    private static func invalid(_ what: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.invalidURL, "A redirect URI \(what).")
    }
}
