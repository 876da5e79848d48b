// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

/// Where the keys of an issuer come from.
package enum IssuerKeySource: Sendable {
    case remote(RemoteKeySet.Location)
    case secret(HMACKey)
}

/// What a verifier verifies with. Where it comes from is the caller's choice, among what the issuer
/// allows: the keys of one issuer verify for no other, and a secret takes the place of all keys.
enum VerificationKeys {
    case remote(RemoteKeySet)
    /// With the `issuer` member of each key that has one, by `kid`.
    case inHand(KeySet, issuers: ReceivedTextTable<ReceivedText>)
    case secret(HMACKey)

    /// The rules' own place of the keys.
    struct Place {
        let source: IssuerKeySource
        let issuer: String
        let algorithms: [SignatureAlgorithm]
    }

    static func fetched(
        _ place: Place, _ transport: some IdentityTransport, _ options: KeySetOptions
    ) throws(IdentityConfigurationError) -> VerificationKeys {
        guard case .remote(let location) = place.source else { throw needsSecret }
        var options = options
        options.algorithms = place.algorithms
        return .remote(
            try RemoteKeySet(
                issuer: place.issuer, location: location, transport: transport, options: options))
    }

    static func shared(
        _ place: Place, _ keys: RemoteKeySet
    ) throws(IdentityConfigurationError) -> VerificationKeys {
        guard case .remote = place.source else { throw needsSecret }
        guard keys.issuer.utf8.elementsEqual(place.issuer.utf8) else {
            throw IdentityConfigurationError(
                .contradiction, "The keys belong to another issuer than the tokens.")
        }
        return .remote(keys)
    }

    static func given(
        _ place: Place, _ keys: KeySet,
        issuers: ReceivedTextTable<ReceivedText> = ReceivedTextTable()
    ) throws(IdentityConfigurationError) -> VerificationKeys {
        guard case .remote = place.source else { throw needsSecret }
        return .inHand(keys, issuers: issuers)
    }

    static func ownSecret(_ place: Place) throws(IdentityConfigurationError) -> VerificationKeys {
        guard case .secret(let secret) = place.source else {
            throw IdentityConfigurationError(
                .contradiction,
                "The issuer has public keys: give a transport that fetches them, or the keys.")
        }
        return .secret(secret)
    }

    private static var needsSecret: IdentityConfigurationError {
        IdentityConfigurationError(
            .contradiction,
            "The issuer signs with a shared secret, which it was made with: give no keys.")
    }
}
