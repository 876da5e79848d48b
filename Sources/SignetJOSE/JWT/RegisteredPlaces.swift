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
    ///
    /// - Parameter nullIsAbsent: passes over what is `null`, but for `exp`: an end that its issuer
    ///   could not compute is no permission to do without one.
    init(_ entries: borrowing some JSONEntries, nullIsAbsent: Bool) {
        guard entries[0].kind == .object else { return }
        let end = Int(entries[0].link)
        var position = 1
        while position < end {
            let name = entries[position].link
            // All of them have three letters, which their fingerprint tells apart from every other name.
            if name >> 24 == 3 {
                let isNull = entries[position &+ 1].kind == .null
                let isPassedOver =
                    isNull && nullIsAbsent && name != JSONRecord.fingerprint("e", "x", "p")
                if !isPassedOver { note(name, Place(truncatingIfNeeded: position &+ 1)) }
            }
            position = Int(entries[position &+ 1].link)
        }
    }

    @inline(__always)
    private mutating func note(_ name: UInt32, _ value: Place) {
        switch name {
        case JSONRecord.fingerprint("i", "s", "s"): issuer = value
        case JSONRecord.fingerprint("s", "u", "b"): subject = value
        case JSONRecord.fingerprint("a", "u", "d"): audience = value
        case JSONRecord.fingerprint("e", "x", "p"): expiration = value
        case JSONRecord.fingerprint("n", "b", "f"): notBefore = value
        case JSONRecord.fingerprint("i", "a", "t"): issuedAt = value
        case JSONRecord.fingerprint("j", "t", "i"): tokenID = value
        default: break
        }
    }
}
