// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

extension FigureFile {
    /// A JWK that must be read, be private or not as stated, and be written with the same members.
    /// Its public half must have no private member.
    func jsonKey(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let key = try row.cells.node("jwk")
        let isPrivate = try row.cells.integer("private") == 1
        return Check.keys { () throws(KeyError) in
            try Self.observation(of: JWK(Array(key.rawBytes)), published: key, isPrivate: isPrivate)
        }
    }

    /// A JWK set that must be read, and of which exactly the stated keys must be able to verify
    /// signatures.
    func keySet(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let set = Array(try row.cells.node("jwks").rawBytes)
        let count = try row.cells.object("jwks").node("keys").count
        let verifiable = try row.cells.strings("verifiable")
        return Check.keys { () throws(KeyError) in
            let keys = try KeySet(jwks: set, rsaAlgorithm: nil)
            guard keys.keys.map(\.keyID) == verifiable else {
                return .differed("other keys can verify")
            }
            return keys.skipped.count == count - verifiable.count
                ? .accepted : .differed("\(keys.skipped.count) members were skipped")
        }
    }

    /// The thumbprint of a key (RFC 7638); its URI (RFC 9278) and the text that is hashed, if they
    /// are published.
    func thumbprint(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let key = Array(try row.cells.node("jwk").rawBytes)
        let canonical = try row.cells.optionalString("canonical")
        let thumbprint = try row.cells.string("thumbprint")
        let uri = try row.cells.optionalString("uri")
        let naming = Check.keys { () throws(KeyError) in
            let jwk = try JWK(key)
            guard try jwk.thumbprint() == thumbprint else {
                return .differed("another thumbprint came out")
            }
            if let uri, try jwk.thumbprintURI() != uri { return .differed("another URI came out") }
            return .accepted
        }
        guard let canonical else { return naming }
        let hashing = Check.crypto { () throws(CryptographyError) in
            let digest = try MessageDigest.digest(canonical.utf8, using: .sha256)
            return Base64URL.encode(digest) == thumbprint
                ? .accepted : .differed("another hash came out")
        }
        return Check.both(naming, then: hashing)
    }

    private static let publicMembers = ["kty", "kid", "use", "alg", "crv", "x", "y", "n", "e"]
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"]

    private static func observation(
        of jwk: JWK, published key: JSONNode, isPrivate: Bool
    ) throws(KeyError) -> AuditObservation {
        /// Whether a JSON text has exactly the published key's values for these members.
        func isSame(_ json: [UInt8], in names: [String]) -> Bool {
            guard let root = try? JSONDocument(json).root else { return false }
            return names.allSatisfy { root.member($0)?.stringValue == key.member($0)?.stringValue }
        }
        guard jwk.isPrivate == isPrivate else {
            return .differed("the key is read as private, or as public")
        }
        guard jwk.keyID == key.member("kid")?.stringValue else {
            return .differed("another kid came out")
        }
        if isPrivate {
            let exported = try jwk.exportPrivateJSON().withExposedBytes { bytes in
                bytes.indices.map { bytes[$0] }
            }
            guard isSame(exported, in: publicMembers + privateMembers) else {
                return .differed("the exported private key is another one")
            }
        }
        guard jwk.keyType != "oct" else { return .accepted }
        let exported = Array(try jwk.publicJSON().utf8)
        guard isSame(exported, in: publicMembers) else {
            return .differed("the exported public key is another one")
        }
        guard let document = try? JSONDocument(exported) else {
            return .differed("the public key is not JSON")
        }
        let leaks = privateMembers.contains { document.root.member($0) != nil }
        return leaks ? .differed("the exported public key holds a private member") : .accepted
    }
}
