// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An issuer's public keys, fetched when needed and kept current.
public final class RemoteKeySet: Sendable {
    /// Where the keys are.
    public enum Location: Sendable {
        /// At `issuer` + `/.well-known/openid-configuration`, as `jwks_uri` (OpenID Connect Discovery 1.0).
        case discovery
        /// A JWK set at this address.
        case keySet(EndpointURL)
        /// A JSON object of X.509 certificates in PEM by `kid` (Firebase), at this address.
        case certificates(EndpointURL)
    }

    /// The issuer that the keys belong to.
    public let issuer: String

    /// Keys of one issuer. Nothing is fetched yet.
    public init(
        issuer: String, location: Location = .discovery, transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) throws(IdentityConfigurationError) {
        self.issuer = issuer
    }

    /// The keys in hand, if they may still be used. Never waits; starts a refresh beside it when one is due.
    public func keysInHand() -> KeySnapshot? { nil }

    /// The keys in hand, else what a refresh brings, which all callers share.
    public func keys() async throws(KeySourceError) -> KeySnapshot { throw KeySourceError(.unreachable, "") }

    /// Keys that are newer than those in which a `kid` was not found; nil when the cooldown forbids asking again, or nothing newer came.
    package func keys(newerThan seen: KeySnapshot) async -> KeySnapshot? { nil }

    /// Fetches now, whatever the age of the keys in hand; shares a fetch that is under way.
    @discardableResult
    public func refresh() async throws(KeySourceError) -> KeySnapshot {
        throw KeySourceError(.unreachable, "")
    }
}
