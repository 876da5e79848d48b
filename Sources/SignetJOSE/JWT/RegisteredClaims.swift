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
    public var issuer: String? { issuerNode?.stringValue }
    /// `sub`.
    public var subject: String? { Self.node(places.subject, root)?.stringValue }
    /// `aud`, as a list even where the token holds a single string; empty where it has none.
    public var audience: [String] {
        guard let member = audienceNode else { return [] }
        if let single = member.stringValue { return [single] }
        return member.elements.compactMap(\.stringValue)
    }
    /// `jti`.
    public var tokenID: String? { Self.node(places.tokenID, root)?.stringValue }

    /// What the claim at a place is.
    func kind(at place: RegisteredPlaces.Place) -> JSONKind { index[Int(place)].kind }

    var issuerNode: JSONNode? { Self.node(places.issuer, root) }
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
    package init(payload: [UInt8]) throws(TokenError) {
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
        try self.init(document.index)
    }

    /// Checks the type of every registered claim of a document.
    init(_ document: JSONDocument) throws(TokenError) {
        try self.init(document.index)
    }

    private init(_ index: JSONIndex) throws(TokenError) {
        (places, (expiration, notBefore, issuedAt)) = try Self.read(index)
        self.index = index
    }

    private static func read(_ index: JSONIndex) throws(TokenError) -> (
        RegisteredPlaces, (NumericDate?, NumericDate?, NumericDate?)
    ) {
        guard index[0].kind == .object else {
            throw TokenError(.malformed, "The claims are not a JSON object.")
        }
        let places = RegisteredPlaces(index)
        try checkText(places.issuer, index, "iss")
        try checkText(places.subject, index, "sub")
        try checkText(places.tokenID, index, "jti")
        let expiration = try date(places.expiration, index, "exp")
        let notBefore = try date(places.notBefore, index, "nbf")
        let issuedAt = try date(places.issuedAt, index, "iat")
        // Nearly every token names one audience.
        if places.audience != 0 {
            let record = index[Int(places.audience)]
            if record.kind != .string || record.start == record.end {
                try checkAudience(JSONNode(index: index, position: Int(places.audience)))
            }
        }
        return (places, (expiration, notBefore, issuedAt))
    }

    private static func checkText(
        _ place: RegisteredPlaces.Place, _ index: JSONIndex, _ name: StaticString
    ) throws(TokenError) {
        guard place != 0 else { return }
        guard index[Int(place)].kind == .string else { throw invalid("\(name)", "is not a string") }
    }

    private static func date(
        _ place: RegisteredPlaces.Place, _ index: JSONIndex, _ name: StaticString
    ) throws(TokenError) -> NumericDate? {
        guard place != 0 else { return nil }
        guard let seconds = index.double(index[Int(place)]), seconds.magnitude <= NumericDate.limit else {
            throw invalid("\(name)", "is not a number of seconds in range")
        }
        return NumericDate(secondsSince1970: seconds)
    }

    private static func checkAudience(_ member: JSONNode) throws(TokenError) {
        switch member.kind {
        case .string:
            guard !member.isString(equalTo: "") else { throw invalid("aud", "is an empty string") }
        case .array:
            guard member.count > 0 else { throw invalid("aud", "is an empty array") }
            for element in member.elements {
                guard element.kind == .string, !element.isString(equalTo: "") else {
                    throw invalid("aud", "holds something that is not a non-empty string")
                }
            }
        default:
            throw invalid("aud", "is neither a string nor an array of strings")
        }
    }

    static func invalid(_ claim: String, _ what: String) -> TokenError {
        TokenError(.claimInvalid, claim: claim, "The claim \"\(claim)\" \(what).")
    }
}
