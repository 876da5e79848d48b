// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
internal import SystemBridge

/// What libcurl does with the proxies that the environment names.
package struct ProxyEnvironment: Sendable {
    static let process = ProxyEnvironment { EnvironmentVariable.value(of: $0) }

    private let value: @Sendable (String) -> String?

    package init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// An http address is one of this machine (``EndpointURL``): a proxy would make it one of another.
    ///
    /// - Throws: `unreachable`.
    package func checkStaysHere(_ url: EndpointURL) throws(TransportFailure) {
        // Not HTTP_PROXY: libcurl leaves it alone, as a web server of old sets it from a request's field.
        let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"].compactMap(value).filter { !$0.isEmpty }
        guard url.scheme == "http", !proxies.isEmpty, !isExempt(url.host) else { return }
        throw TransportFailure(
            .unreachable,
            "The environment names a proxy for http, which is for this machine only: set no_proxy to \(url.host)."
        )
    }

    private func isExempt(_ host: String) -> Bool {
        guard let list = value("no_proxy") ?? value("NO_PROXY") else { return false }
        let bare = host.filter { $0 != "[" && $0 != "]" }
        return list.split { $0 == "," || $0 == " " }
            .contains { $0 == "*" || $0.lowercased() == bare || $0.lowercased() == host }
    }
}
