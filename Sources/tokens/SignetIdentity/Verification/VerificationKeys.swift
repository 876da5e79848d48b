// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The source of an issuer's keys.
package enum IssuerKeySource: Sendable {
    case remote(RemoteKeySet.Location)
    case secret(HMACKey)

    package var isSecret: Bool { if case .secret = self { true } else { false } }
}

/// The keys of a verifier. The caller chooses the source among those that the issuer allows. An
/// issuer's keys verify no other issuer's tokens, and a secret replaces all keys.
public struct VerificationKeys: Sendable {
    enum Form: Sendable {
        case fetched(any IdentityTransport)
        case shared(RemoteKeySet)
        /// Keys, with the `issuer` member of each key that has one, by `kid`.
        case inHand(KeySet, issuers: [ReceivedText.Key: ReceivedText])
        case ownSecret
    }

    /// What the rules for an issuer's tokens say about its keys: where they are, whose they are, and
    /// the algorithms that they are for.
    struct Rules {
        let source: IssuerKeySource
        let issuer: String
        let algorithms: [SignatureAlgorithm]
    }

    let form: Form

    /// Keys that are fetched from the issuer when needed.
    public static func fetched(over transport: some IdentityTransport) -> VerificationKeys {
        VerificationKeys(form: .fetched(transport))
    }

    /// Shared remote keys. Another issuer's keys are rejected (`contradiction`).
    public static func shared(_ keys: RemoteKeySet) -> VerificationKeys {
        VerificationKeys(form: .shared(keys))
    }

    /// Public keys in hand, for offline use and tests. They do not change by themselves. **Not**
    /// checked: the keys' own `issuer`, which Microsoft Entra publishes and a `KeySet` does not
    /// hold.
    public static func inHand(_ keys: KeySet) -> VerificationKeys {
        VerificationKeys(form: .inHand(keys, issuers: [:]))
    }

    /// Public keys in hand, with the keys' own `issuer` members.
    package static func inHand(_ published: PublishedKeys) -> VerificationKeys {
        VerificationKeys(form: .inHand(published.keys, issuers: published.issuers))
    }

    /// The secret of the provider or profile.
    public static let ownSecret = VerificationKeys(form: .ownSecret)
}
