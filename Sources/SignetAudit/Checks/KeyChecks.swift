// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// A JWK is read, is private or not, and is written with the same members; its public half has no private one.
struct JSONKeyCheck: Sendable {
    let key: JSONNode
    let isPrivate: Bool

    private static let publicMembers = ["kty", "kid", "use", "alg", "crv", "x", "y", "n", "e"]
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"]

    func observation() -> AuditObservation {
        do throws(KeyError) {
            let jwk = try JWK(Array(key.rawBytes))
            guard jwk.isPrivate == isPrivate else {
                return .differed("the key is read as private, or as public")
            }
            guard jwk.keyID == key.member("kid")?.stringValue else {
                return .differed("another kid came out")
            }
            if isPrivate {
                let exported = try jwk.exportPrivateJSON().withExposedBytes { (bytes) -> [UInt8] in
                    var copy: [UInt8] = []
                    for index in bytes.indices { copy.append(bytes[index]) }
                    return copy
                }
                let names = Self.publicMembers + Self.privateMembers
                guard same(exported, names) else {
                    return .differed("the exported private key is another one")
                }
            }
            guard jwk.keyType != "oct" else { return .accepted }
            let exported = Array(try jwk.publicJSON().utf8)
            guard same(exported, Self.publicMembers) else {
                return .differed("the exported public key is another one")
            }
            guard let document = try? JSONDocument(exported) else {
                return .differed("the public key is not JSON")
            }
            let leaks = Self.privateMembers.contains { document.root.member($0) != nil }
            return leaks ? .differed("the exported public key holds a private member") : .accepted
        } catch {
            return AuditObservation(error)
        }
    }

    /// Whether a JSON text has exactly the published key's values for these members.
    private func same(_ json: [UInt8], _ names: [String]) -> Bool {
        guard let root = try? JSONDocument(json).root else { return false }
        return names.allSatisfy { root.member($0)?.stringValue == key.member($0)?.stringValue }
    }
}

/// A JWK set is read, and those of its members that can verify signatures are found.
struct KeySetCheck: Sendable {
    let set: [UInt8]
    let count: Int
    /// The `kid`s of the members that can verify.
    let verifiable: [String]

    func observation() -> AuditObservation {
        do throws(KeyError) {
            let keys = try KeySet(jwks: set, rsaAlgorithm: nil)
            guard keys.keys.map(\.keyID) == verifiable else {
                return .differed("other keys can verify")
            }
            return keys.skipped.count == count - verifiable.count
                ? .accepted : .differed("\(keys.skipped.count) members were skipped")
        } catch {
            return AuditObservation(error)
        }
    }
}

/// The thumbprint of a key (RFC 7638), and its URI (RFC 9278).
struct ThumbprintCheck: Sendable {
    let key: [UInt8]
    /// The text that is hashed, where it is published.
    let canonical: String?
    let thumbprint: String
    let uri: String?

    func observation() -> AuditObservation {
        do throws(KeyError) {
            let jwk = try JWK(key)
            guard try jwk.thumbprint() == thumbprint else {
                return .differed("another thumbprint came out")
            }
            if let uri, try jwk.thumbprintURI() != uri { return .differed("another URI came out") }
        } catch {
            return AuditObservation(error)
        }
        guard let canonical else { return .accepted }
        return .observing { () throws(CryptoError) in
            let digest = try MessageDigest.digest(canonical.utf8, using: .sha256)
            return Base64URL.encode(digest) == thumbprint
                ? .accepted : .differed("another hash came out")
        }
    }
}
