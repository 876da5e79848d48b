// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

// The checks of a policy on a token whose signature has verified. With a policy for the issuer
// "https://idp.example" and the audience "api", this header and these claims pass until `exp`:
//
//     {"alg":"ES256","typ":"JWT"}
//     {"iss":"https://idp.example","aud":["api"],"iat":1767225600,"exp":1767225900}
//
// `exp` (expires), `nbf` (not before) and `iat` (issued at) are seconds since 1970, compared with a
// leeway for clocks that differ. Received text is compared by bytes.

extension TokenPolicy {
    /// Checks a verified token's header and claims, in a fixed order. Reports the first failure.
    package func check(_ header: TokenHeader, claims: RegisteredClaims) throws(TokenError) {
        try checkType(header.typeText)
        try check(claims)
    }

    /// Checks claims alone: those of a token, or of a server's answer, which has no header.
    package func check(_ claims: RegisteredClaims) throws(TokenError) {
        try checkIssuer(claims)
        try checkAudience(claims)
        try checkTimes(claims)
        for name in requiredClaims {
            guard let member = claims.root.member(name), !member.isNull else {
                throw Self.missing(name)
            }
            // An empty list names no audience.
            let isEmptyList = member.kind == .array && member.count == 0
            guard name != "aud" || !isEmptyList else { throw Self.missing(name) }
        }
    }

    private func checkType(_ value: ReceivedText?) throws(TokenError) {
        guard type.accepts(value) else {
            throw TokenError(
                .typeMismatch, "The header's \"typ\" is not the one that the policy requires.")
        }
    }

    /// RFC 7515, section 4.1.9: media types ignore case, and `application/` may be left out if no
    /// slash follows it. Only ASCII case counts: Unicode's would take the Kelvin sign for a "k".
    static func mediaType(_ text: some Collection<UInt8>) -> [UInt8] {
        let lower = text.map(\.lowercased)
        let prefix = "application/".utf8
        guard lower.starts(with: prefix) else { return lower }
        let rest = lower.dropFirst(prefix.count)
        return rest.contains(UInt8(ascii: "/")) ? lower : Array(rest)
    }

    private func checkIssuer(_ claims: RegisteredClaims) throws(TokenError) {
        if case .notChecked = issuer { return }
        guard let text = claims.issuerText else { throw Self.missing("iss") }
        guard issuer.accepts(text) else {
            throw TokenError(.issuerMismatch, claim: "iss", "The token is from another issuer.")
        }
    }

    private func checkAudience(_ claims: RegisteredClaims) throws(TokenError) {
        guard case .anyOf(let accepted) = audience else { return }
        guard let named = claims.root.member("aud"), !named.isNull else {
            throw Self.missing("aud")
        }
        let matches: Bool
        if let single = named.text {
            matches = single.isOne(of: accepted)
        } else {
            matches = named.elements.contains { $0.text?.isOne(of: accepted) == true }
        }
        guard matches else {
            throw TokenError(
                .audienceMismatch, claim: "aud", "The token was made for another audience.")
        }
    }

    /// Checks `exp`, `nbf` and `iat`, in this order, against the policy's clock.
    private func checkTimes(_ claims: RegisteredClaims) throws(TokenError) {
        let now = clock.now().secondsSince1970
        if let expires = claims.expiration {
            // RFC 7519, section 4.1.4: "on or after" that time it is rejected.
            guard now < expires.secondsSince1970 + leewaySeconds else {
                throw TokenError(.expired, claim: "exp", "The token has expired.")
            }
        } else if case .required = expiration {
            throw Self.missing("exp")
        }
        if let begins = claims.notBefore, now + leewaySeconds < begins.secondsSince1970 {
            throw TokenError(.notYetValid, claim: "nbf", "The token is not valid yet.")
        }
        try checkAge(claims, now: now)
    }

    private func checkAge(_ claims: RegisteredClaims, now: Double) throws(TokenError) {
        guard let issued = claims.issuedAt else {
            if maximumAgeSeconds != nil { throw Self.missing("iat") }
            return
        }
        guard issued.secondsSince1970 <= now + leewaySeconds else {
            throw TokenError(
                .notYetValid, claim: "iat",
                "The token was issued in the future: compare the clocks.")
        }
        if let maximumAgeSeconds, now - issued.secondsSince1970 > maximumAgeSeconds + leewaySeconds
        {
            throw TokenError(.tooOld, claim: "iat", "The token was issued too long ago.")
        }
    }

    private static func missing(_ claim: String) -> TokenError {
        TokenError(.claimMissing, claim: claim, "The claim \"\(shown: claim)\" is missing.")
    }
}

extension TokenPolicy.TypeRule {
    /// Whether a header with this `typ` is accepted; nil for a header without one.
    fileprivate func accepts(_ value: ReceivedText?) -> Bool {
        switch self {
        case .notChecked: return true
        case .jwt:
            // Nearly every token has exactly "JWT"; a different spelling takes the longer path.
            guard let value, !value.isEqual(to: "JWT") else { return true }
            return TokenPolicy.mediaType(value.utf8) == Array("jwt".utf8)
        case .jwtOr(let other):
            guard let value else { return true }
            let type = TokenPolicy.mediaType(value.utf8)
            return type == Array("jwt".utf8) || type == TokenPolicy.mediaType(other.utf8)
        case .exactly(let wanted):
            guard let value else { return false }
            return value.isEqual(to: wanted)
                || TokenPolicy.mediaType(value.utf8) == TokenPolicy.mediaType(wanted.utf8)
        }
    }
}

extension TokenPolicy.IssuerRule {
    /// Whether a token of this issuer is accepted.
    fileprivate func accepts(_ value: ReceivedText) -> Bool {
        switch self {
        case .notChecked: true
        case .exactly(let one): value.isEqual(to: one)
        case .anyOf(let several): value.isOne(of: several)
        }
    }
}
