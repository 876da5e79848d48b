// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The registered claims of a verified token (RFC 7519, section 4.1), from the checked parse.
///
/// ```
/// {"iss":"https://idp.example","sub":"user-1093","aud":"api","iat":1767225600,"exp":1767225900}
/// ```
///
/// Here `issuer` is "https://idp.example" and `audience` is ["api"]. Times are seconds since 1970.
/// Each claim may be absent; a claim of a wrong type is an error.
public struct RegisteredClaims: Sendable {
    /// The object with all claims.
    package let root: JSONNode
    /// `exp`: when the token ends.
    public let expiration: NumericDate?
    /// `nbf`: when the token begins to be valid.
    public let notBefore: NumericDate?
    /// `iat`: when the token was made.
    public let issuedAt: NumericDate?

    /// `iss`: who made the token.
    public var issuer: String? { issuerText?.swiftString() }
    /// `sub`: whom the token is about.
    public var subject: String? { subjectText?.swiftString() }
    /// `aud`: whom the token is for, as a list even for a single string; empty if it is absent or
    /// an empty list.
    public var audience: [String] { audienceTexts.map { $0.swiftString() } }
    /// `jti`: the token's own identifier.
    public var tokenID: String? { tokenIDText?.swiftString() }

    // Received text is compared by bytes. To compare a String may take quadratic time, and takes
    // canonically equivalent texts for equal.

    /// `iss`, to be compared.
    package var issuerText: ReceivedText? { root.text(of: "iss") }
    /// `sub`, to be compared.
    package var subjectText: ReceivedText? { root.text(of: "sub") }
    /// `aud`, to be compared.
    package var audienceTexts: [ReceivedText] {
        guard let member = root.member("aud") else { return [] }
        if let single = member.text { return [single] }
        return member.elements.compactMap(\.text)
    }
    /// `jti`, to be compared.
    package var tokenIDText: ReceivedText? { root.text(of: "jti") }

    /// Parses a payload and checks the type of every registered claim. A wrong type never counts as
    /// absent: `exp` as a string once meant "never expires" (CVE-2026-25537).
    ///
    /// - Parameters:
    ///   - nullIsAbsent: see ``TokenPolicy/nullIsAbsent``.
    ///   - partiesAreUsed: false for a caller that uses neither `iss` nor `aud`, which may then be
    ///     of any type.
    package init(
        payload: [UInt8], nullIsAbsent: Bool = false, partiesAreUsed: Bool = true
    ) throws(TokenError) {
        let document: JSONDocument
        do {
            // The token's own limit came first; its payload cannot be longer than that.
            document = try JSONDocument(payload, limits: .init(maximumByteCount: payload.count))
        } catch {
            throw TokenError(
                .malformed, detail: error.code == .duplicateMember ? .duplicateMember : nil,
                underlying: error, "The claims are not strict JSON (\(error.fault)).")
        }
        guard document.root.kind == .object else {
            throw TokenError(
                .malformed, "The claims are \(document.root.kind.phrase), not a JSON object.")
        }
        try self.init(
            document.root, nullIsAbsent: nullIsAbsent, partiesAreUsed: partiesAreUsed)
    }

    /// Checks the type of every registered claim of an object.
    ///
    /// - Parameter datesMayBeText: for a server's answer (``JSONNode/seconds``), never for a token.
    package init(
        _ root: JSONNode, nullIsAbsent: Bool, datesMayBeText: Bool = false,
        partiesAreUsed: Bool = true
    ) throws(TokenError) {
        self.root = root
        for name in ["iss", "sub", "jti"] {
            guard let kind = root.kind(of: name), !(nullIsAbsent && kind == .null) else { continue }
            guard kind == .string || !partiesAreUsed && name == "iss" else {
                throw Self.invalid(name, because: "is \(kind.phrase), not a string")
            }
        }
        // An `exp` that its issuer failed to compute must not count as absent, not even `null`.
        expiration = try Self.date("exp", member: root.member("exp"), mayBeText: datesMayBeText)
        notBefore = try Self.date(
            "nbf", member: root.claim("nbf", nullIsAbsent: nullIsAbsent), mayBeText: datesMayBeText)
        issuedAt = try Self.date(
            "iat", member: root.claim("iat", nullIsAbsent: nullIsAbsent), mayBeText: datesMayBeText)
        if partiesAreUsed, let audience = root.claim("aud", nullIsAbsent: nullIsAbsent) {
            try Self.checkAudience(audience)
        }
    }

    /// Reads a time. A time beyond 2^53 s counts as 2^53, and one before -2^53 s is invalid.
    private static func date(
        _ name: String, member: JSONNode?, mayBeText: Bool
    ) throws(TokenError) -> NumericDate? {
        guard let member else { return nil }
        guard let seconds = mayBeText ? member.seconds : member.doubleValue,
            seconds >= -NumericDate.limit
        else { throw invalid(name, because: "is not a number of seconds in range") }
        return NumericDate(secondsSince1970: seconds)
    }

    private static func checkAudience(_ audience: JSONNode) throws(TokenError) {
        switch audience.kind {
        case .string:
            guard !audience.isEmptyString else {
                throw invalid("aud", because: "is an empty string")
            }
        case .array:
            guard audience.elements.allSatisfy({ $0.kind == .string && !$0.isEmptyString }) else {
                throw invalid("aud", because: "holds something that is not a non-empty string")
            }
        default: throw invalid("aud", because: "is neither a string nor an array of strings")
        }
    }

    /// The error for a claim: `invalid("aud", because: "is an empty string")`.
    static func invalid(_ claim: String, because what: ErrorMessage) -> TokenError {
        TokenError(.claimInvalid, claim: claim, "The claim \"\(shown: claim)\" \(what).")
    }
}

extension JSONNode {
    /// The member, unless it is absent, or `null` where that counts as absent.
    fileprivate func claim(_ name: String, nullIsAbsent: Bool) -> JSONNode? {
        guard let member = member(name), !(nullIsAbsent && member.isNull) else { return nil }
        return member
    }

    fileprivate var isEmptyString: Bool { text?.isEmpty ?? false }
}
