// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Symmetric keys that verify, found by their `kid`: an application's own key ring.
public struct HMACKeySet: Sendable, CustomStringConvertible {
    /// The most members of a JWK set of secrets. More are rejected before any of them is read.
    public static let maximumKeyCount = 1_000

    /// The usable keys, in order.
    public let keys: [HMACKey]
    /// The unusable members, and why.
    public let skipped: [SkippedKey]
    let ring: KeyRing

    /// Makes a set of the given keys.
    public init(_ keys: [HMACKey]) {
        self.init(keys, skipped: [])
    }

    /// Reads a JWK set of symmetric keys. The whole document is a secret. If a member is not
    /// symmetric, only its `kid` and `kty` are read.
    ///
    /// - Parameters:
    ///   - jwks: the JSON document.
    ///   - algorithm: for members without `alg`; nil skips them.
    /// - Throws: `mixedKeySet` if a public or private key is among them: secrets and published keys
    ///   do not belong in the same file, and the set cannot tell which was meant; `duplicateKeyID`
    ///   if two members, usable or not, share a `kid`; `malformed`; `tooLarge` for a document over
    ///   ``KeySet/maximumByteCount`` or more than ``maximumKeyCount`` members.
    public init(jwks: some Collection<UInt8>, algorithm: HMACAlgorithm? = nil) throws(KeyError) {
        var keys = [HMACKey]()
        var skipped = [SkippedKey]()
        var identifiers: Set<ReceivedText.Key> = []
        let members = try JWKSetDocument.members(jwks, maximumCount: Self.maximumKeyCount)
        for (index, member) in members.enumerated() {
            if let keyID = member.member("kid")?.text {
                guard identifiers.insert(keyID.key).inserted else {
                    throw KeyError(.duplicateKeyID, "Two keys of the set have the same \"kid\".")
                }
            }
            if let keyType = member.member("kty")?.text, !keyType.isEqual(to: "oct") {
                throw KeyError(.mixedKeySet, "The set mixes symmetric and asymmetric keys.")
            }
            do {
                let jwk = try JWK(member)
                // A member's own `alg` counts, so the caller's algorithm is not compared with it.
                keys.append(
                    try HMACKey(jwk: jwk, algorithm: jwk.algorithm == nil ? algorithm : nil))
            } catch {
                skipped.append(
                    try SkippedKey(
                        refused: index, keyID: KeyDocument.shownKeyID(of: member), reason: error))
            }
        }
        self.init(keys, skipped: skipped)
    }

    private init(_ keys: [HMACKey], skipped: [SkippedKey]) {
        self.keys = keys
        self.skipped = skipped
        ring = KeyRing(keys.map(\.checking), skipped: [])
    }

    /// How many keys the set has, and how many members it skipped.
    public var description: String { "HMACKeySet(\(keys.count) keys, \(skipped.count) skipped)" }
}
