// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Verifies JSON Web Tokens in compact form (RFC 7519). Synchronous, on any number of threads.
///
/// ```swift
/// let keys = try KeySet(jwks: jwks)
/// let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
/// let verifier = TokenVerifier(keys: keys, policy: policy)
/// let token = try verifier.verify(compact, as: Session.self)
/// ```
///
/// Checked, in this order: size; three parts; the header (strict JSON, no `crit`, a known `alg`);
/// the key by `kid` and its algorithm against `alg`; the signature; then the policy on the strictly
/// parsed claims: `typ`, `iss`, `aud`, `exp`, `nbf`, `iat` and required claims. **Not** checked:
/// revocation, replay (`jti`) and claims that the policy does not name. To detect replays, store
/// `jti`, not the token's bytes: for every ECDSA signature (r, s), (r, n - s) also verifies.
public struct TokenVerifier: Sendable {
    /// The policy.
    public let policy: TokenPolicy
    private let checker: SignatureChecker

    /// Verifies with a set of public keys.
    public init(keys: KeySet, policy: TokenPolicy) { self.init(keys.ring, policy: policy) }

    /// Verifies with a public key. A key without an identifier accepts any `kid`.
    public init(key: VerificationKey, policy: TokenPolicy) {
        self.init(KeyRing(key.checking), policy: policy)
    }

    /// Verifies with a secret. A key without an identifier accepts any `kid`.
    ///
    /// - Throws: `operationNotAllowed` if the key's `key_ops` do not allow verifying.
    public init(hmacKey: HMACKey, policy: TokenPolicy) throws(KeyError) {
        self.init(KeyRing(try hmacKey.checkedForVerifying().checking), policy: policy)
    }

    /// Verifies with a ring of secrets.
    ///
    /// - Throws: `operationNotAllowed` if the `key_ops` of a secret do not allow verifying.
    public init(hmacKeys: HMACKeySet, policy: TokenPolicy) throws(KeyError) {
        self.init(try hmacKeys.checkedForVerifying().ring, policy: policy)
    }

    /// Verifies with the keys of a single issuer. Keys for algorithms that are not listed count as
    /// unusable.
    package init(
        keys: KeySet, algorithms: [SignatureAlgorithm], requiresKeyID: Bool, policy: TokenPolicy
    ) {
        self.init(
            keys.ring, policy: policy,
            rule: HeaderRule(algorithms: algorithms, requiresKeyID: requiresKeyID))
    }

    private init(
        _ keys: KeyRing, policy: TokenPolicy,
        rule: HeaderRule = HeaderRule(algorithms: nil, requiresKeyID: false)
    ) {
        self.policy = policy
        checker = SignatureChecker(
            keys: keys, maximumByteCount: policy.maximumTokenByteCount, rule: rule)
    }

    /// Verifies a token and decodes its claims as a type of yours.
    ///
    /// - Throws: ``TokenError``; `claimInvalid` with a path if the claims do not fit the type,
    ///   `unsupportedType` if the type has a `Date`, `URL`, `Data` or `Decimal`. ``HTTPRefusal``
    ///   gives the server's answer.
    public func verify<Claims: Decodable>(
        _ compact: String, as type: Claims.Type
    ) throws(TokenError) -> VerifiedToken<Claims> { try check(compact.utf8.span).decoded(as: type) }

    /// Verifies a token in a part of a text, without copying it.
    public func verify<Claims: Decodable>(
        _ compact: Substring, as type: Claims.Type
    ) throws(TokenError) -> VerifiedToken<Claims> { try check(compact.utf8.span).decoded(as: type) }

    /// Verifies a token given as bytes.
    public func verify<Claims: Decodable>(
        _ compact: some Collection<UInt8>, as type: Claims.Type
    ) throws(TokenError) -> VerifiedToken<Claims> { try check(compact).decoded(as: type) }

    /// Verifies a token and gives its registered claims only.
    ///
    /// - Throws: ``TokenError``.
    public func verify(_ compact: String) throws(TokenError) -> VerifiedToken<RegisteredClaims> {
        try check(compact.utf8.span).undecoded
    }

    /// Verifies a token in a part of a text, without copying it.
    public func verify(_ compact: Substring) throws(TokenError) -> VerifiedToken<RegisteredClaims> {
        try check(compact.utf8.span).undecoded
    }

    /// Verifies a token given as bytes.
    public func verify(
        _ compact: some Collection<UInt8>
    ) throws(TokenError) -> VerifiedToken<RegisteredClaims> {
        try check(compact).undecoded
    }

    private func check(_ token: some Collection<UInt8>) throws(TokenError) -> CheckedToken {
        try checker.checkSize(token.count)
        return try withSpan(of: token) { (token) throws(TokenError) in try check(token) }
    }

    /// Checks the signature first, then the claims.
    private func check(_ token: Span<UInt8>) throws(TokenError) -> CheckedToken {
        let checked = try checker.check(token)
        let claims = try RegisteredClaims(
            payload: checked.payload, nullIsAbsent: policy.nullIsAbsent)
        try policy.check(checked.header, claims: claims)
        return CheckedToken(registered: claims, header: checked.header, keyID: checked.keyID)
    }
}

/// The parts of a verified token that do not depend on its claims' type: only this file makes one.
private struct CheckedToken {
    let registered: RegisteredClaims
    let header: TokenHeader
    let keyID: String?

    var undecoded: VerifiedToken<RegisteredClaims> {
        VerifiedToken(claims: registered, checked: self)
    }

    @inline(__always)
    func decoded<Claims: Decodable>(
        as type: Claims.Type
    ) throws(TokenError) -> VerifiedToken<Claims> {
        do {
            let claims = try JSONTokenDecoder().decode(type, from: registered.root)
            return VerifiedToken(claims: claims, checked: self)
        } catch {
            throw TokenError(decoding: error)
        }
    }
}

/// A token whose signature and claims have been checked. Only a ``TokenVerifier`` makes it.
public struct VerifiedToken<Claims> {
    private let checked: CheckedToken
    /// The claims as the caller's type, decoded from the checked parse.
    public let claims: Claims
    /// The registered claims.
    public var registered: RegisteredClaims { checked.registered }
    /// The protected header.
    public var header: TokenHeader { checked.header }
    /// The identifier of the key that verified; nil if the key has none.
    public var keyID: String? { checked.keyID }

    fileprivate init(claims: Claims, checked: CheckedToken) {
        self.claims = claims
        self.checked = checked
    }

    /// The same token, with its claims as the given type.
    package func decoded<Other: Decodable>(
        as type: Other.Type
    ) throws(TokenError) -> VerifiedToken<Other> { try checked.decoded(as: type) }
}

extension VerifiedToken: Sendable where Claims: Sendable {}
