// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The registered claims of a verified token (RFC 7519, section 4.1), read from the parse that the checks have read.
public struct RegisteredClaims: Sendable {
    private let index: JSONIndex
    let places: RegisteredPlaces
    /// `exp`.
    public let expiration: NumericDate?
    /// `nbf`.
    public let notBefore: NumericDate?
    /// `iat`.
    public let issuedAt: NumericDate?

    package var root: JSONNode { JSONNode(index: index, position: 0) }

    /// `iss`.
    public var issuer: String? { issuerText?.swiftString() }
    /// `sub`.
    public var subject: String? { subjectText?.swiftString() }
    /// `aud`, as a list even where the token holds a single string; empty where it has none, or
    /// an empty list.
    public var audience: [String] { audienceTexts.map { $0.swiftString() } }
    /// `jti`.
    public var tokenID: String? { tokenIDText?.swiftString() }

    /// `iss`, to be compared.
    package var issuerText: ReceivedText? { Self.node(places.issuer, root)?.text }
    /// `sub`, to be compared.
    package var subjectText: ReceivedText? { Self.node(places.subject, root)?.text }
    /// `aud`, to be compared.
    package var audienceTexts: [ReceivedText] {
        guard let member = audienceNode else { return [] }
        if let single = member.text { return [single] }
        return member.elements.compactMap(\.text)
    }
    /// `jti`, to be compared.
    package var tokenIDText: ReceivedText? { Self.node(places.tokenID, root)?.text }

    /// What the claim at a place is.
    func kind(at place: RegisteredPlaces.Place) -> JSONKind { index[Int(place)].kind }

    var audienceNode: JSONNode? { Self.node(places.audience, root) }

    /// Whether the claim at a place is exactly this text; its type has been checked.
    func isText(at place: RegisteredPlaces.Place, equalTo text: String) -> Bool {
        let record = index[Int(place)]
        return record.kind == .string && index.text(of: record, equals: text.utf8.span)
    }

    private static func node(_ place: RegisteredPlaces.Place, _ root: JSONNode) -> JSONNode? {
        place == 0 ? nil : JSONNode(index: root.index, position: Int(place))
    }

    /// Parses a payload and checks the type of every registered claim: the wrong type is an error and never counts as
    /// absent. `exp` as a string once meant "never expires" (CVE-2026-25537).
    package init(payload: [UInt8], nullIsAbsent: Bool = false) throws(TokenError) {
        let document: JSONDocument
        do throws(JSONError) {
            var limits = JSONDocument.Limits()
            // The token's own limit came first; its payload cannot be longer than that.
            limits.maximumByteCount = max(payload.count, 1)
            document = try JSONDocument(payload, limits: limits)
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                "The claims are not strict JSON (\(error.code.rawValue)).")
        }
        try self.init(document.index, nullIsAbsent: nullIsAbsent)
    }

    /// Checks the type of every registered claim of a document.
    private init(_ index: JSONIndex, nullIsAbsent: Bool) throws(TokenError) {
        let typed = try TypedClaims(index, nullIsAbsent: nullIsAbsent)
        places = typed.places
        expiration = typed.expiration
        notBefore = typed.notBefore
        issuedAt = typed.issuedAt
        self.index = index
    }

    static func invalid(_ claim: String, _ what: String) -> TokenError {
        TokenError(.claimInvalid, claim: claim, "The claim \"\(claim)\" \(what).")
    }
}
