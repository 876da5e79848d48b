// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Symmetric keys to verify with, found by their `kid`: a ring of an application's own secrets.
public struct HMACKeySet: Sendable, CustomStringConvertible {
    /// The usable keys, in order.
    public let keys: [HMACKey]
    /// The members that cannot be used, and why.
    public let skipped: [SkippedKey]
    let ring: KeyRing

    /// A ring of keys in hand.
    public init(_ keys: [HMACKey]) {
        self.init(keys, skipped: [])
    }

    /// Reads a JWK set of symmetric keys. It is a secret as a whole.
    ///
    /// - Parameters:
    ///   - jwks: the JSON document.
    ///   - algorithm: for members without `alg`; nil skips them.
    /// - Throws: `mixedKeySet` when there is a public or private key among them: secrets and
    ///   published keys do not live in one file, and a library that finds them together cannot know
    ///   which was meant; `duplicateKeyID` when two members have one `kid`, usable or not;
    ///   `malformed`, `tooLarge`.
    public init(jwks: some Collection<UInt8>, algorithm: HMACAlgorithm? = nil) throws(KeyError) {
        var keys = [HMACKey]()
        var skipped = [SkippedKey]()
        var identifiers: Set<ReceivedText.Key> = []
        for (index, member) in try JWKSetDocument.members(jwks).enumerated() {
            if let keyID = member.member("kid")?.text {
                guard identifiers.insert(keyID.key).inserted else {
                    throw KeyError(.duplicateKeyID, "Two keys of the set have the same \"kid\".")
                }
            }
            if let keyType = member.member("kty")?.text, !keyType.isEqual(to: "oct") {
                throw KeyError(
                    .mixedKeySet, "The set mixes symmetric and asymmetric keys."
                )
            }
            do throws(KeyError) {
                let jwk = try JWK(member)
                keys.append(
                    try HMACKey(jwk: jwk, algorithm: jwk.algorithm == nil ? algorithm : nil))
            } catch {
                skipped.append(
                    try SkippedKey(
                        refused: index, keyID: KeyDocument.shownKeyID(of: member), error))
            }
        }
        self.init(keys, skipped: skipped)
    }

    private init(_ keys: [HMACKey], skipped: [SkippedKey]) {
        self.keys = keys
        self.skipped = skipped
        ring = KeyRing(keys.map(\.checking), skipped: [])
    }

    /// How many keys there are.
    public var description: String { "HMACKeySet(\(keys.count) keys, \(skipped.count) skipped)" }
}
