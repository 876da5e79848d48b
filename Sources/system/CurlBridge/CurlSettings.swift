// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
internal import SignetPlatform

/// The settings of a client. They may hold a password.
public struct CurlSettings: Sendable, Redacted {
    /// The proxy for https.
    package enum Proxy: Sendable, Redacted {
        /// The proxy in the environment.
        case environment
        case none
        /// The proxy's address, with user and password if required.
        case named(String, credentials: (user: String, password: String)?)
    }

    /// The keys of a host.
    package struct Pins: Sendable {
        /// In small letters.
        package let host: String
        /// The form that libcurl takes: `sha256//…;sha256//…`.
        package let keys: String

        package init(host: String, keys: String) { (self.host, self.keys) = (host, keys) }
    }

    /// A file with the authorities' certificates, replacing the system's.
    package var authorities: String?
    package var proxy = Proxy.environment
    package var pins: [Pins] = []
    /// Overrides for name resolution, as `host:port:address`, for tests.
    package var addresses: [String] = []
    /// How long the thread stays idle before it ends.
    package var idleTime = Duration.seconds(30)
    /// The most simultaneous connections to a host and port. Further exchanges wait, within their
    /// own time limit.
    package var maximumConnectionsPerHost = 6

    /// The defaults.
    package init() {}

    /// The defaults, except for the authorities.
    ///
    /// - Parameter authorities: a file with certificates in PEM, replacing the system's; nil for
    ///   the system's.
    /// - Returns: nil if the file cannot be read, or holds no certificate.
    public init?(authorities: String?) {
        if let authorities {
            let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
            let contents = try? PrivateFile.read(
                path: authorities, maximumByteCount: Self.maximumAuthoritiesByteCount)
            guard let bytes = contents?.bytes,
                bytes.split(separator: 0x0a).contains(where: { $0.starts(with: mark) })
            else { return nil }
        }
        self.authorities = authorities
    }

    /// The longest file of authorities that is read: 16 MiB.
    private static let maximumAuthoritiesByteCount = 16_777_216

    /// The pinned keys of a host; nil if there are none.
    func pins(of host: String) -> String? {
        pins.first { $0.host.utf8.elementsEqual(host.utf8) }?.keys
    }
}
