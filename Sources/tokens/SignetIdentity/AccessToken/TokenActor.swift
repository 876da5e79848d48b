// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A party that uses a token for its subject, or may come to use it (`act` and `may_act`, RFC 8693,
/// sections 4.1 and 4.4).
///
/// Members besides `iss`, `sub` and `act` are not read here: decode them with
/// ``VerifiedAccessToken/claims(as:)``.
public struct TokenActor: Sendable {
    /// `iss`, if stated: who issued ``subject``.
    public let issuer: String?
    /// `sub`, if stated.
    public let subject: String?
    /// The earlier actors, the latest first (nested `act`). This is history: do not grant anything
    /// by it (section 4.1).
    public let earlier: [TokenActor]

    private init(_ claims: ClaimReader, claim: String, earlier: [TokenActor]) throws(IdentityError)
    {
        issuer = try Self.text("iss", in: claims, claim: claim)
        subject = try Self.text("sub", in: claims, claim: claim)
        self.earlier = earlier
    }

    /// Reads a claim; nil if it is absent or `null`. The depth of a token's JSON bounds its actors.
    ///
    /// - Throws: `claimInvalid` if an actor is not an object, or its `iss` or `sub` is not a
    ///   non-empty string.
    static func reading(
        _ claim: String, of claims: ClaimReader
    ) throws(IdentityError) -> TokenActor? {
        guard let first = claims.member(claim) else { return nil }
        let actor = try object(first, claim: claim)
        var earlier: [TokenActor] = []
        var next = actor.member("act")
        while let node = next {
            let claims = try object(node, claim: claim)
            earlier.append(try TokenActor(claims, claim: claim, earlier: []))
            next = claims.member("act")
        }
        return try TokenActor(actor, claim: claim, earlier: earlier)
    }

    /// An actor, which must be an object.
    private static func object(
        _ node: JSONNode, claim: String
    ) throws(IdentityError) -> ClaimReader {
        guard node.kind == .object else {
            throw ClaimReader.invalid(claim, message: "names an actor that is not an object")
        }
        return ClaimReader(root: node)
    }

    /// A text of an actor; nil if it is absent.
    private static func text(
        _ name: String, in claims: ClaimReader, claim: String
    ) throws(IdentityError) -> String? {
        guard let member = claims.member(name) else { return nil }
        guard let text = member.text, !text.isEmpty else {
            throw ClaimReader.invalid(
                claim, message: "names an actor whose \"\(shown: name)\" is not a non-empty string")
        }
        return text.swiftString()
    }
}
