// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The claims checks of a verifier. Every check is on until you turn it off by name.
///
/// ```swift
/// let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
/// let verifier = try TokenVerifier(hmacKey: secret, policy: policy)
/// ```
///
/// A policy always states an issuer (who makes tokens, `iss`) and an audience (whom they are for,
/// `aud`); ``IssuerRule/notChecked`` and ``AudienceRule/notChecked`` show in the source that a
/// check is off. The kind of token (`typ`) and its times are checked as well: when it ends (`exp`),
/// begins (`nbf`) and was made (`iat`). Contradictions and values over a limit are errors when the
/// policy is made.
public struct TokenPolicy: Sendable {
    /// Which issuers are accepted.
    public enum IssuerRule: Sendable, ExpressibleByStringLiteral {
        /// `iss` must be present and equal this, byte for byte.
        case exactly(String)
        /// `iss` must be present and equal a listed issuer, byte for byte.
        case anyOf([String])
        /// `iss` is not checked. Any holder of a key in the key set may claim any issuer.
        case notChecked

        /// A literal is a single exact issuer.
        public init(stringLiteral value: String) { self = .exactly(value) }
    }

    /// The audience that a token must name.
    public enum AudienceRule: Sendable, ExpressibleByArrayLiteral {
        /// `aud` must be present and hold at least one listed audience, byte for byte.
        case anyOf([String])
        /// `aud` is not checked. A token that was made for a different service is accepted.
        case notChecked

        /// A literal is a list of accepted audiences.
        public init(arrayLiteral elements: String...) { self = .anyOf(elements) }
    }

    /// Which `typ` a token must carry, so that a token of a different kind is not accepted (RFC
    /// 8725, section 3.11).
    public enum TypeRule: Sendable {
        /// Absent, or `JWT` in any case.
        case jwt
        /// Absent, `JWT`, or this media type: for kinds of tokens that got their own type later and
        /// also differ in a claim.
        case jwtOr(String)
        /// Must be present and be this media type, in any case, with or without `application/`, for
        /// example `at+jwt`.
        case exactly(String)
        /// `typ` is not checked.
        case notChecked
    }

    /// How to treat a token without `exp`.
    public enum ExpirationRule: Sendable {
        /// Rejected.
        case required
        /// Accepted: it is valid as long as its key. An `exp` that is present is still checked.
        case optional
    }

    /// Which issuers are accepted.
    public let issuer: IssuerRule
    /// The audience that a token must name.
    public let audience: AudienceRule
    /// Which `typ` a token must carry.
    public let type: TypeRule
    /// How to treat a token without `exp`.
    public let expiration: ExpirationRule
    /// The tolerated clock difference in seconds, applied in the token's favour to `exp`, `nbf` and
    /// `iat`.
    public let leewaySeconds: Double
    /// The maximum age since `iat`, in seconds; nil for no limit. A limit makes `iat` required.
    public let maximumAgeSeconds: Double?
    /// The names of claims that must be present besides the claims that the policy's rules require.
    /// `null` counts as absent.
    public let requiredClaims: [String]
    /// Longer tokens are rejected unread, in bytes.
    public let maximumTokenByteCount: Int
    /// The source of the time.
    public let clock: TimeSource
    /// Whether a registered claim except `exp` may be `null`, which then counts as absent: for
    /// issuers whose tokens have `null`.
    package var nullIsAbsent = false

    /// The longest leeway, in seconds.
    public static let maximumLeewaySeconds: Double = 300

    /// A policy for tokens of a single issuer.
    ///
    /// - Parameters:
    ///   - issuer: what `iss` must be, byte for byte.
    ///   - audience: `aud` must name a listed audience.
    ///   - type: what the header's `typ` may be.
    ///   - expiration: whether `exp` must be there.
    ///   - leeway: 30 s by default, 300 s at most.
    ///   - maximumAge: how long ago `iat` may be; nil for any time.
    ///   - requiredClaims: claims that must be present, with any value.
    ///   - maximumTokenByteCount: 16 KiB by default, 256 KiB at most.
    ///   - clock: the time; tests pass that of a `ManualClock`.
    /// - Throws: `invalidPolicy` for an empty issuer, no audience or an empty audience, and values
    ///   out of range.
    public init(
        issuer: String, audience: [String], type: TypeRule = .jwt,
        expiration: ExpirationRule = .required,
        leeway: Duration = .seconds(30), maximumAge: Duration? = nil, requiredClaims: [String] = [],
        maximumTokenByteCount: Int = 16_384, clock: TimeSource = .system
    ) throws(TokenError) {
        try self.init(
            issuer: .exactly(issuer), audience: .anyOf(audience), type: type,
            expiration: expiration, leeway: leeway, maximumAge: maximumAge,
            requiredClaims: requiredClaims, maximumTokenByteCount: maximumTokenByteCount,
            clock: clock)
    }

    /// A policy by its rules.
    ///
    /// - Throws: `invalidPolicy` for an empty issuer or audience, and for values out of range.
    public init(
        issuer: IssuerRule, audience: AudienceRule, type: TypeRule = .jwt,
        expiration: ExpirationRule = .required,
        leeway: Duration = .seconds(30), maximumAge: Duration? = nil, requiredClaims: [String] = [],
        maximumTokenByteCount: Int = 16_384, clock: TimeSource = .system
    ) throws(TokenError) {
        self.issuer = issuer
        self.audience = audience
        self.type = type
        self.expiration = expiration
        leewaySeconds = leeway.inSeconds
        maximumAgeSeconds = maximumAge?.inSeconds
        self.requiredClaims = requiredClaims
        self.maximumTokenByteCount = maximumTokenByteCount
        self.clock = clock
        try validate()
    }

    /// The most that a limit for a token's size may be, in bytes.
    package static let tokenByteCountCeiling = 262_144
    /// The least that such a limit may be: the header and signature of HS256 alone take more.
    private static let minimumTokenByteCountLimit = 64

    /// Refuses a policy that no token could pass, and values out of range.
    private func validate() throws(TokenError) {
        switch issuer {
        case .exactly(let name):
            if name.isEmpty { throw Self.invalid("The issuer is empty.") }
        case .anyOf(let names):
            if names.isEmpty || names.contains("") {
                throw Self.invalid("The list of issuers is empty, or holds an empty issuer.")
            }
        case .notChecked: break
        }
        if case .anyOf(let names) = audience, names.isEmpty || names.contains("") {
            throw Self.invalid(
                "The list of audiences is empty, or holds an empty audience: no token would match."
            )
        }
        switch type {
        case .exactly(let name), .jwtOr(let name):
            // Without `application/`, which a media type may lack.
            if Self.mediaType(name.utf8).isEmpty { throw Self.invalid("The type is empty.") }
        case .jwt, .notChecked: break
        }
        guard leewaySeconds >= 0, leewaySeconds <= Self.maximumLeewaySeconds else {
            throw Self.invalid("The leeway is 0 to 300 s: fix clocks that differ by more.")
        }
        if let maximumAgeSeconds, maximumAgeSeconds <= 0 {
            throw Self.invalid("The maximum age is not positive.")
        }
        guard maximumTokenByteCount >= Self.minimumTokenByteCountLimit,
            maximumTokenByteCount <= Self.tokenByteCountCeiling
        else {
            throw Self.invalid(
                "The limit for a token's size must be 64 to 262,144 bytes, not \(maximumTokenByteCount)."
            )
        }
    }

    private static func invalid(_ message: ErrorMessage) -> TokenError {
        TokenError(.invalidPolicy, message)
    }
}
