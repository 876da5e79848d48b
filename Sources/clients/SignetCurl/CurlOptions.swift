// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import CurlBridge
public import SignetIdentity

/// Options of a ``CurlTransport``. By default the system's authorities and the environment's proxy
/// are used, and no keys are pinned.
public struct CurlOptions: Sendable, Redacted {
    /// A PEM file with the trusted authorities' certificates, **replacing** the system's, also for
    /// a proxy over TLS; nil for the system's. The file is checked when the transport is made, and
    /// read at each exchange, which fails with `notTrusted` if the file is gone.
    public var authorities: String?
    /// The proxy for https.
    public var proxy = CurlProxy.environment
    /// Pinned keys of hosts. A host without pins may have any key that its certificate vouches for.
    public var pins: [PinnedKeys] = []

    /// The defaults.
    public init() {}

    package func settings() throws(IdentityConfigurationError) -> CurlSettings {
        guard var settings = CurlSettings(authorities: authorities) else {
            throw IdentityConfigurationError(
                .unreadableFile,
                "The file of authorities cannot be read, or holds no certificate in PEM.")
        }
        try checkPins()
        settings.proxy = proxy.setting
        settings.pins = pins.map { CurlSettings.Pins(host: $0.host, keys: $0.setting) }
        return settings
    }

    private func checkPins() throws(IdentityConfigurationError) {
        guard !pins.isEmpty else { return }
        for (index, pin) in pins.enumerated() {
            guard !pins[..<index].contains(where: { $0.hasSameHost(as: pin) }) else {
                throw IdentityConfigurationError(
                    .contradiction, "A host has two sets of pinned keys: put them into one.")
            }
        }
        guard CurlLibrary.canPin else {
            throw IdentityConfigurationError(
                .unsupported, "The TLS of the libcurl that is loaded cannot pin keys.")
        }
    }
}
