// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where the registered claims stand in a parsed payload, found in one pass over its members: every check and every
/// getter asks for the same few, and a search for each of them would be a dozen passes.
struct RegisteredPlaces: Sendable {
    /// The position of a value in its document. 0 is the document's own root, and so stands for "not there".
    typealias Place = Int32

    private(set) var issuer: Place = 0
    private(set) var subject: Place = 0
    private(set) var audience: Place = 0
    private(set) var expiration: Place = 0
    private(set) var notBefore: Place = 0
    private(set) var issuedAt: Place = 0
    private(set) var tokenID: Place = 0

    /// The reader has refused an object that names a member twice, so each is found once at most.
    init(_ root: JSONNode) {
        guard root.kind == .object else { return }
        let index = root.index
        let end = Int(root.record.link)
        var position = root.position + 1
        while position < end {
            let name = index[position]
            let value = Place(truncatingIfNeeded: position + 1)
            // Length, first and last letter tell the seven names apart; the whole name is compared all the same.
            switch name.link {
            case Self.iss where index.text(of: name, equals: "iss".utf8.span): issuer = value
            case Self.sub where index.text(of: name, equals: "sub".utf8.span): subject = value
            case Self.aud where index.text(of: name, equals: "aud".utf8.span): audience = value
            case Self.exp where index.text(of: name, equals: "exp".utf8.span): expiration = value
            case Self.nbf where index.text(of: name, equals: "nbf".utf8.span): notBefore = value
            case Self.iat where index.text(of: name, equals: "iat".utf8.span): issuedAt = value
            case Self.jti where index.text(of: name, equals: "jti".utf8.span): tokenID = value
            default: break
            }
            position = Int(index[position + 1].link)
        }
    }

    private static let iss = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "i"), last: UInt8(ascii: "s"))
    private static let sub = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "s"), last: UInt8(ascii: "b"))
    private static let aud = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "a"), last: UInt8(ascii: "d"))
    private static let exp = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "e"), last: UInt8(ascii: "p"))
    private static let nbf = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "n"), last: UInt8(ascii: "f"))
    private static let iat = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "i"), last: UInt8(ascii: "t"))
    private static let jti = JSONRecord.fingerprint(
        count: 3, first: UInt8(ascii: "j"), last: UInt8(ascii: "i"))
}
