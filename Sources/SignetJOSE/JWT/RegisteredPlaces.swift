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
    init(_ entries: some JSONEntries) {
        guard entries[0].kind == .object else { return }
        let end = Int(entries[0].link)
        var position = 1
        while position < end {
            let name = entries[position]
            // Three letters each, of which the first and the last tell the seven apart.
            if name.link >> 16 == 3 { note(name, Place(truncatingIfNeeded: position &+ 1), entries) }
            position = Int(entries[position &+ 1].link)
        }
    }

    private mutating func note(_ name: JSONRecord, _ value: Place, _ entries: some JSONEntries) {
        switch name.link {
        case Self.iss where entries.text(of: name, hasMiddle: UInt8(ascii: "s")): issuer = value
        case Self.sub where entries.text(of: name, hasMiddle: UInt8(ascii: "u")): subject = value
        case Self.aud where entries.text(of: name, hasMiddle: UInt8(ascii: "u")): audience = value
        case Self.exp where entries.text(of: name, hasMiddle: UInt8(ascii: "x")): expiration = value
        case Self.nbf where entries.text(of: name, hasMiddle: UInt8(ascii: "b")): notBefore = value
        case Self.iat where entries.text(of: name, hasMiddle: UInt8(ascii: "a")): issuedAt = value
        case Self.jti where entries.text(of: name, hasMiddle: UInt8(ascii: "t")): tokenID = value
        default: break
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
