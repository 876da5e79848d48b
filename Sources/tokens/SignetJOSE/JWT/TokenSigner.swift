// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Signs JSON Web Tokens (JWT) in compact form (RFC 7519): `HEADER.PAYLOAD.SIGNATURE`, where the
/// payload is a JSON object of claims.
///
/// ```swift
/// let key = try SigningKey.generate(.es256)
/// let claims = ["iss": "https://idp.example", "aud": "api", "sub": "user-1093"]
/// let compact = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
/// ```
///
/// The payload of this token is `{"iss":"https://idp.example",…,"iat":1767225600,"exp":1767225900}`:
/// with a lifetime, the signer adds when the token was made (`iat`) and when it ends (`exp`), in
/// seconds since 1970.
public struct TokenSigner: Sendable {
    /// Ten years of 365 days.
    package static let maximumLifetimeSeconds: Int64 = 315_360_000

    private let signer: JWSSigner
    private let clock: TimeSource

    /// Signs with a private key.
    ///
    /// - Parameters:
    ///   - key: the key, whose algorithm and `kid` go into the header.
    ///   - type: the header's `typ`; give each kind of token its own.
    ///   - clock: the time; tests pass that of a `ManualClock`.
    public init(key: SigningKey, type: String = "JWT", clock: TimeSource = .system) {
        signer = JWSSigner(key: key, type: type)
        self.clock = clock
    }

    /// Signs with a secret.
    ///
    /// - Throws: `operationNotAllowed` if the key's `key_ops` do not allow signing.
    public init(hmacKey: HMACKey, type: String = "JWT", clock: TimeSource = .system)
        throws(KeyError)
    {
        signer = try JWSSigner(hmacKey: hmacKey, type: type)
        self.clock = clock
    }

    /// Signs claims and adds `iat` (now) and `exp` (now plus `lifetime`). An error in their
    /// `encode(to:)` counts even if the type catches it.
    ///
    /// - Parameters:
    ///   - claims: must encode as a JSON object.
    ///   - lifetime: 1 s to 10 years; a fraction of a second is dropped.
    /// - Throws: `claimInvalid` if the claims already hold `iat` or `exp`, or a registered claim
    ///   has a wrong type; `invalidPolicy` for a lifetime out of range; `signingFailed` if they do
    ///   not encode as a JSON object or the clock is out of range; `unsupportedType` for a `Date`,
    ///   `URL`, `Data` or `Decimal` in them.
    public func sign(_ claims: some Encodable, lifetime: Duration) throws(TokenError) -> String {
        let seconds = lifetime.wholeSeconds
        guard seconds >= 1, seconds <= Self.maximumLifetimeSeconds else {
            throw TokenError(
                .invalidPolicy, "The lifetime of a token is 1 s to 10 years, not \(lifetime).")
        }
        let document = try encodeClaims(claims)
        for name in ["iat", "exp"] where document.root.kind(of: name) != nil {
            throw RegisteredClaims.invalid(
                name, because: "is set by the signer; leave it out or sign without a lifetime")
        }
        // NumericDate bounds the clock to 2^53 s, so the conversion cannot fail, and the sum stays
        // far inside 64 bits.
        let now = Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0
        guard Double(now + seconds) <= NumericDate.limit else {
            throw TokenError(
                .signingFailed, "The clock is so far ahead that no verifier would accept its time.")
        }
        var payload = document.bytes
        // `{"sub":"a"}` becomes `{"sub":"a","iat":…,"exp":…}`.
        payload.removeLast()
        if document.root.count > 0 { payload.append(UInt8(ascii: ",")) }
        payload.append(contentsOf: "\"iat\":\(now),\"exp\":\(now + seconds)}".utf8)
        return try signer.sign(payload.span)
    }

    /// Signs claims as they are. An error in their `encode(to:)` counts even if the type catches
    /// it.
    ///
    /// - Parameters:
    ///   - claims: must encode as a JSON object.
    ///   - expiration: with `required`, the claims must hold `exp`.
    /// - Throws: `claimMissing` without `exp`, `claimInvalid` for a registered claim of a wrong
    ///   type or a time beyond 2^53 s, `signingFailed` if they do not encode as a JSON object,
    ///   `unsupportedType` for a `Date`, `URL`, `Data` or `Decimal` in them.
    public func sign(
        _ claims: some Encodable, expiration: TokenPolicy.ExpirationRule = .required
    ) throws(TokenError) -> String {
        let document = try encodeClaims(claims)
        if case .required = expiration, document.root.kind(of: "exp") == nil {
            throw TokenError(
                .claimMissing, claim: "exp",
                "The claims hold no \"exp\": give the token a lifetime.")
        }
        return try signer.sign(document.bytes.span)
    }

    /// Encodes claims as a JSON object and checks the types and times of the registered claims.
    private func encodeClaims(_ claims: some Encodable) throws(TokenError) -> JSONDocument {
        let document: JSONDocument
        do {
            document = try JSONTokenEncoder().encodeDocument(claims)
        } catch {
            throw TokenError(encoding: error)
        }
        // Not `malformed`: these are the program's claims, and `malformed` would blame a client.
        guard document.root.kind == .object else {
            throw TokenError(.signingFailed, "The claims do not encode as a JSON object.")
        }
        // Throws if a registered claim has a wrong type.
        let registered = try RegisteredClaims(document.root, nullIsAbsent: false)
        try Self.requireInRange(registered.expiration, name: "exp", in: document.root)
        try Self.requireInRange(registered.notBefore, name: "nbf", in: document.root)
        try Self.requireInRange(registered.issuedAt, name: "iat", in: document.root)
        return document
    }

    /// Refuses a time past the limit. Signet's verifiers take it for the limit; verifiers elsewhere
    /// round or refuse it.
    private static func requireInRange(
        _ date: NumericDate?, name: String, in claims: JSONNode
    ) throws(TokenError) {
        // NumericDate cuts to the limit, so the number as written decides.
        guard let date, date.secondsSince1970 >= NumericDate.limit,
            let written = claims.member(name)?.doubleValue, written > NumericDate.limit
        else { return }
        throw RegisteredClaims.invalid(name, because: "is later than 2^53 seconds since 1970")
    }
}
