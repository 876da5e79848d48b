// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CurlBridge
internal import SignetBase
public import SignetIdentity

/// The proxy for https exchanges, which go through a tunnel (CONNECT; RFC 9110, section 9.3.6). The
/// proxy sees the host's name and port, and how much is sent. Printing shows nothing.
public struct CurlProxy: Sendable, Redacted {
    /// The proxy that the environment names (`https_proxy`, `all_proxy`, `no_proxy`).
    public static let environment = CurlProxy(setting: .environment)
    /// No proxy; the environment is ignored.
    public static let none = CurlProxy(setting: .none)

    let setting: CurlSettings.Proxy

    private init(setting: CurlSettings.Proxy) { self.setting = setting }

    /// A proxy for all hosts; the environment is ignored.
    ///
    /// - Parameters:
    ///   - host: the host's name, without a scheme.
    ///   - port: 1 to 65,535.
    ///   - isEncrypted: whether to connect to the proxy over TLS and verify its certificate.
    ///     Otherwise anyone on the path to the proxy can read user and password.
    /// - Throws: `invalidURL` for a malformed host or port.
    public init(
        host: String, port: Int, isEncrypted: Bool = false
    ) throws(IdentityConfigurationError) {
        let address = try Self.address(host, port: port, isEncrypted: isEncrypted)
        self.init(setting: .named(address, credentials: nil))
    }

    /// A proxy for all hosts, with a user and a password, which are sent only to the proxy (Basic;
    /// RFC 7617).
    ///
    /// - Throws: `invalidURL`; `invalidSecret` for a user that is empty or contains a colon, and
    ///   for control characters or more than 1,024 bytes in user or password.
    public init(
        host: String, port: Int, isEncrypted: Bool = false, user: String, password: String
    ) throws(IdentityConfigurationError) {
        let address = try Self.address(host, port: port, isEncrypted: isEncrypted)
        guard !user.isEmpty, !user.utf8.contains(0x3a),
            [user, password].allSatisfy({ FieldText.isValue($0) && $0.utf8.count <= 1_024 })
        else {
            throw IdentityConfigurationError(
                .invalidSecret,
                "A proxy's user is not empty and without colon; neither it nor the password has "
                    + "control characters or more than 1,024 bytes.")
        }
        self.init(setting: .named(address, credentials: (user, password)))
    }

    private static func address(
        _ host: String, port: Int, isEncrypted: Bool
    ) throws(IdentityConfigurationError) -> String {
        let url = try EndpointURL("https://\(host):\(port)")
        guard url.path.isEmpty, url.query == nil, url.port == port else {
            throw IdentityConfigurationError(
                .invalidURL, "A proxy has a host and a port, and no more.")
        }
        return "\(isEncrypted ? "https" : "http")://\(url.host):\(port)"
    }
}
