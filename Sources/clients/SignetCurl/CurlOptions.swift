// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import CurlBridge
public import SignetIdentity
internal import SignetPlatform

/// Options of a ``CurlTransport``. Each is off by default.
public struct CurlOptions: Sendable, Redacted {
    /// A PEM file with the trusted authorities' certificates, **replacing** the system's, also for
    /// a proxy over TLS; nil for the system's. It is checked when the transport is made and read at
    /// each exchange, which fails with `notTrusted` if the file has gone.
    public var authorities: String?
    /// The proxy for https.
    public var proxy = CurlProxy.environment
    /// Pinned keys of hosts. A host without pins may have any key that its certificate vouches for.
    public var pins: [PinnedKeys] = []

    /// The defaults.
    public init() {}

    package func settings() throws(IdentityConfigurationError) -> CurlSettings {
        if let authorities { try Self.checkAuthorities(authorities) }
        try checkPins()
        var settings = CurlSettings()
        settings.authorities = authorities
        settings.proxy = proxy.setting
        settings.pins = pins.map { CurlSettings.Pins(host: $0.host, keys: $0.setting) }
        return settings
    }

    private static func checkAuthorities(_ path: String) throws(IdentityConfigurationError) {
        let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
        let contents = try? PrivateFile.read(path: path, maximumByteCount: 16_777_216)
        guard let bytes = contents?.bytes,
            bytes.split(separator: 0x0a).contains(where: { $0.starts(with: mark) })
        else {
            throw IdentityConfigurationError(
                .unreadableFile,
                "The file of authorities cannot be read, or holds no certificate in PEM.")
        }
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
