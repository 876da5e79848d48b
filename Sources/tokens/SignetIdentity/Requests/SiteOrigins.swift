// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The web origins whose pages may send requests that a session cookie authenticates. The check of
/// the `Origin` field (RFC 6454), which browsers set and pages cannot, defends against cross-site
/// request forgery.
public struct SiteOrigins: Sendable {
    private let origins: [String]

    /// - Parameter origins: as browsers write them: `https://app.example`, in lower case, with the
    ///   port unless it is the scheme's default, and without a path. `http` for loopback only.
    /// - Throws: `invalidURL` for a malformed origin, `invalidIdentifier` for an empty list.
    public init(_ origins: [String]) throws(IdentityConfigurationError) {
        guard !origins.isEmpty else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "Name the origin of the pages that send requests.")
        }
        self.origins = try origins.map { origin throws(IdentityConfigurationError) in
            let url = try EndpointURL(origin)
            let isNamed = url.port != nil && url.port != (url.scheme == "https" ? 443 : 80)
            let port = isNamed ? ":\(url.effectivePort)" : ""
            let written = "\(url.scheme)://\(url.host)\(port)"
            guard written.utf8.elementsEqual(origin.utf8) else {
                throw IdentityConfigurationError(
                    .invalidURL,
                    "An origin is a scheme, a host and a port: write \"\(shown: written)\".")
            }
            return written
        }
    }

    /// Whether a request with these fields may change something.
    ///
    /// `GET`, `HEAD` and `OPTIONS` are always allowed: they change nothing (RFC 9110, section
    /// 9.2.1). If a route of yours changes something on `GET`, it is open to every site. Every
    /// other method, and every `Upgrade` (a WebSocket sends the cookie too, and answers the page
    /// that opened it), needs exactly one `Origin`, and it must be in the list. A browser that
    /// omits it, a sandboxed page (`null`) and a program that is not a browser are rejected: such
    /// programs present their token in `Authorization`, which is not checked here.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - origin: the values of all `Origin` fields.
    ///   - upgrade: the values of all `Upgrade` fields.
    public func allow(method: String, origin: [String], upgrade: [String]) -> Bool {
        if upgrade.isEmpty,
            ["GET", "HEAD", "OPTIONS"].contains(where: { $0.utf8.elementsEqual(method.utf8) })
        {
            return true
        }
        guard origin.count == 1, let origin = origin.first else { return false }
        return ReceivedText(origin).isOne(of: origins)
    }
}
