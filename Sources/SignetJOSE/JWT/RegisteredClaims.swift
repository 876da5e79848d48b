// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The registered claims of a verified token (RFC 7519, section 4.1), read from the parse that the checks have read.
public struct RegisteredClaims: Sendable {
    package let root: JSONNode

    /// `iss`.
    public var issuer: String? { root.member("iss")?.stringValue }
    /// `sub`.
    public var subject: String? { root.member("sub")?.stringValue }
    /// `aud`, as a list even where the token holds a single string; empty where it has none.
    public var audience: [String] {
        guard let member = root.member("aud") else { return [] }
        if let single = member.stringValue { return [single] }
        return member.elements.compactMap(\.stringValue)
    }
    /// `exp`.
    public var expiration: NumericDate? { date("exp") }
    /// `nbf`.
    public var notBefore: NumericDate? { date("nbf") }
    /// `iat`.
    public var issuedAt: NumericDate? { date("iat") }
    /// `jti`.
    public var tokenID: String? { root.member("jti")?.stringValue }

    private func date(_ name: String) -> NumericDate? {
        root.member(name)?.doubleValue.map(NumericDate.init(secondsSince1970:))
    }

    /// Parses a payload and checks the type of every registered claim: the wrong type is an error and never counts as
    /// absent. `exp` as a string once meant "never expires" (CVE-2026-25537).
    package init(payload: [UInt8]) throws(TokenError) {
        do throws(JSONError) {
            var limits = JSONDocument.Limits()
            // The token's own limit came first; its payload cannot be longer than that.
            limits.maximumByteCount = max(payload.count, 1)
            root = try JSONDocument(payload, limits: limits).root
        } catch {
            throw TokenError(.malformed, "The claims are not strict JSON (\(error.code.rawValue)).")
        }
        guard root.kind == .object else { throw TokenError(.malformed, "The claims are not a JSON object.") }
        for name in ["iss", "sub", "jti"] {
            guard let member = root.member(name) else { continue }
            guard member.kind == .string else { throw Self.invalid(name, "is not a string") }
        }
        for name in ["exp", "nbf", "iat"] {
            guard let member = root.member(name) else { continue }
            guard let seconds = member.doubleValue, seconds.magnitude <= NumericDate.limit else {
                throw Self.invalid(name, "is not a number of seconds in range")
            }
        }
        try Self.checkAudience(root)
    }

    private static func checkAudience(_ root: JSONNode) throws(TokenError) {
        guard let member = root.member("aud") else { return }
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
