// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// What differs from one client to another. It may hold a password.
package struct CurlSettings: Sendable, Redacted {
    /// Which proxy https goes through.
    package enum Proxy: Sendable, Redacted {
        /// As the environment says.
        case environment
        case none
        /// Its address, with user and password where it asks for them.
        case named(String, credentials: (user: String, password: String)?)
    }

    /// The keys of a host.
    package struct Pins: Sendable {
        /// In small letters.
        package let host: String
        /// As libcurl takes them: `sha256//…;sha256//…`.
        package let keys: String

        package init(host: String, keys: String) { (self.host, self.keys) = (host, keys) }
    }

    /// A file with the certificates of authorities in place of the system's.
    package var authorities: String?
    package var proxy = Proxy.environment
    package var pins: [Pins] = []
    /// Where names lead, as `host:port:address`, in place of what the system says; for tests.
    package var addresses: [String] = []
    /// How long the thread stays when nothing is asked.
    package var idleTime = Duration.seconds(30)
    /// At one time to one host and port; others wait for their turn, and their time passes
    /// meanwhile.
    package var maximumConnectionsPerHost = 6

    package init() {}

    /// The keys that are pinned for a host; nil where none are.
    func pins(of host: String) -> String? {
        pins.first { $0.host.utf8.elementsEqual(host.utf8) }?.keys
    }
}
