// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The address of an endpoint: https anywhere, or http on this machine (`127.0.0.1`, `[::1]`, `localhost`).
public struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The address as it was given.
    public let text: String

    /// Reads an address.
    ///
    /// - Throws: `invalidURL`.
    public init(_ text: String) throws(IdentityConfigurationError) {
        self.text = text
    }

    /// The address.
    public var description: String { text }
}
