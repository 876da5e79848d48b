// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetJOSE
internal import SignetMemory

/// Issues and verifies an application's own session tokens: JWTs with `iss`, `aud`, `sub`, `sid`,
/// `jti`, `iat`, `nbf` and `exp`.
///
/// ```swift
/// let ring = try SessionKeyRing(SigningKey.generate(.es256))
/// let sessions = try SessionTokenIssuer(
///     issuer: "https://api.example", audience: "session", keys: ring,
///     lifetime: .seconds(30 * 86_400))
/// let issued = try sessions.issue(subject: "user-1093", claims: ["role": "admin"])
/// ```
///
/// The user is `sub`, the session `sid`, and each token has an identifier of its own, `jti`. The
/// header's `kid` names the key of the ring that signed.
///
/// An issuer makes a single kind of token. If an application has several kinds (access and refresh,
/// users and machines), give each kind its own audience and, if possible, its own `typ`. Then no
/// kind is taken for another, even with a shared key ring (RFC 8725, sections 3.11 and 3.12).
///
/// An issuer is a value: when the keys rotate, ``using(_:)`` makes the next issuer, and existing
/// tokens stay valid.
public struct SessionTokenIssuer: Sendable {
    /// `iss`.
    public let issuer: String
    /// `aud`: the audience of issued tokens, and the only accepted audience.
    public let audience: String
    /// The header's `typ`.
    public let type: String
    /// How long tokens are valid, in whole seconds from `iat` to `exp`.
    public let lifetime: Duration
    /// The keys.
    public let keys: SessionKeyRing
    /// What happens to a token that is bound to its sender (`cnf`).
    public let sender: SenderRule
    /// The longest token to issue or read, in bytes. A cookie holds about 4,000.
    public static let maximumTokenByteCount = 16_384

    /// The allowed lifetimes of a token, in seconds.
    public static let lifetimeSeconds: ClosedRange<Int64> = 60...2_592_000

    private let leeway: Duration
    private let clock: TimeSource
    private let signer: JWSSigner
    private let verifier: TokenVerifier

    /// An issuer of a single kind of token.
    ///
    /// - Parameters:
    ///   - issuer: the application's name for itself, usually its https address.
    ///   - audience: the name of this kind of token, different for every kind.
    ///   - keys: the ring that signs and verifies.
    ///   - lifetime: how long each token is valid: 60 s to 30 days. A fraction of a second is
    ///     dropped. One hour is usual beside a refresh token. With less than a minute, slightly
    ///     different clocks would reject tokens. NIST SP 800-63B asks for a new sign-in after 30
    ///     days (AAL1), and a token cannot be revoked: a stolen token works until it expires.
    ///   - type: the header's `typ`.
    ///   - leeway: how far the servers' clocks may differ: 0 to 300 s.
    ///   - sender: whether tokens with `cnf` are accepted. An application that writes this claim
    ///     and checks the binding itself passes `.bindingNotChecked`.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `invalidIdentifier` if issuer, audience or type is empty or over 1,024 bytes,
    ///   `outOfRange` for a lifetime or leeway outside its range.
    public init(
        issuer: String, audience: String, keys: SessionKeyRing, lifetime: Duration,
        type: String = "JWT", leeway: Duration = .seconds(30), sender: SenderRule = .bearerOnly,
        clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        let counts = [issuer, audience, type].map(\.utf8.count)
        if let count = counts.first(where: { !(1...1_024).contains($0) }) {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "Issuer, audience and type have 1 to 1,024 bytes each, not \(count).")
        }
        let seconds = lifetime.wholeSeconds
        guard Self.lifetimeSeconds.contains(seconds) else {
            throw IdentityConfigurationError(
                .outOfRange,
                "The lifetime of a session token is 60 s to 2,592,000 s (30 days), not \(lifetime)."
            )
        }
        self.issuer = issuer
        self.audience = audience
        self.type = type
        self.lifetime = .seconds(seconds)
        self.keys = keys
        self.leeway = leeway
        self.sender = sender
        self.clock = clock
        do {
            let policy = try TokenPolicy(
                issuer: issuer, audience: [audience], type: .exactly(type), leeway: leeway,
                requiredClaims: ["sub", "sid", "jti", "iat", "nbf", "exp"],
                maximumTokenByteCount: Self.maximumTokenByteCount, clock: clock)
            (signer, verifier) = try Self.signerAndVerifier(keys, policy: policy, type: type)
        } catch {
            // Names and lifetime are checked above, so only the leeway makes a policy invalid.
            throw IdentityConfigurationError(
                error.code == .invalidPolicy ? .outOfRange : .invalidKeys, underlying: error,
                "\(messageOf: error)")
        }
    }

    private static func signerAndVerifier(
        _ keys: SessionKeyRing, policy: TokenPolicy, type: String
    ) throws(TokenError) -> (JWSSigner, TokenVerifier) {
        do {
            return (try keys.signer(type: type), try keys.verifier(policy))
        } catch {
            throw TokenError(.signingFailed, underlying: error, "\(messageOf: error)")
        }
    }

    /// The same issuer with a new key ring, for example after a rotation.
    ///
    /// - Throws: the errors of the initialiser.
    public func using(_ keys: SessionKeyRing) throws(IdentityConfigurationError)
        -> SessionTokenIssuer
    {
        try SessionTokenIssuer(
            issuer: issuer, audience: audience, keys: keys, lifetime: lifetime, type: type,
            leeway: leeway, sender: sender, clock: clock)
    }

    /// Issues a token.
    ///
    /// - Parameters:
    ///   - subject: your application's identifier of the user, 1 to 255 bytes. Do not use an e-mail
    ///     address: it may pass to another person.
    ///   - sessionID: the session to continue, 1 to 255 bytes; nil begins a new session with 128
    ///     random bits.
    /// - Throws: `signingFailed` if the subject or the session is not 1 to 255 bytes long, or if
    ///   libcrypto fails.
    public func issue(subject: String, sessionID: String? = nil) throws(TokenError)
        -> IssuedSessionToken
    {
        try issue(subject: subject, sessionID: sessionID, claims: [String: String]())
    }

    /// Issues a token with your own claims. The token is not encrypted: its user can read the
    /// claims.
    ///
    /// - Parameters:
    ///   - subject: your application's identifier of the user: `sub`.
    ///   - sessionID: the session to continue: `sid`; nil begins a new session.
    ///   - claims: encodes as a JSON object without the claims that the issuer sets.
    /// - Throws: `signingFailed` if the subject or the session is not 1 to 255 bytes long, if the
    ///   claims contain a claim that the issuer sets, do not encode or make the token too long
    ///   (its `underlying` error is `tooLarge` then), or if libcrypto fails; `unsupportedType` for
    ///   a `Date`, `URL`, `Data` or `Decimal` in them.
    public func issue(
        subject: String, sessionID: String? = nil, claims: some Encodable
    ) throws(TokenError) -> IssuedSessionToken {
        try Self.checkName(subject, claim: "sub")
        if let sessionID { try Self.checkName(sessionID, claim: "sid") }
        // NumericDate bounds the clock, so the sum stays far inside 64 bits.
        guard let now = Int64(exactly: clock.now().secondsSince1970.rounded(.down)),
            now + lifetime.wholeSeconds <= SessionClaims.latest
        else {
            throw TokenError(
                .signingFailed, "The clock is so far ahead that no verifier would accept its time.")
        }
        let session = if let sessionID { sessionID } else { try Self.makeIdentifier() }
        let registered = SessionClaims(
            iss: issuer, aud: audience, sub: subject, sid: session,
            jti: try Self.makeIdentifier(), iat: now, nbf: now, exp: now + lifetime.wholeSeconds)
        let payload = try registered.payload(with: claims)
        let token = try signer.sign(payload)
        guard token.utf8.count <= Self.maximumTokenByteCount else {
            let message: ErrorMessage =
                "The claims make a token of over \(Self.maximumTokenByteCount) bytes."
            throw TokenError(
                .signingFailed, underlying: TokenError(.tooLarge, message), message)
        }
        return IssuedSessionToken(
            token: token, tokenID: registered.jti, sessionID: registered.sid,
            issuedAt: NumericDate(secondsSince1970: Double(now)),
            expiration: NumericDate(secondsSince1970: Double(registered.exp)),
            expiresIn: Int(lifetime.wholeSeconds))
    }

    /// Verifies a token of this kind and returns its session.
    ///
    /// Checked: size, signature with the ring's key that `kid` names (a token without `kid` is
    /// rejected), that key's last moment, `typ`, `iss`, `aud` (exactly this audience), `exp`,
    /// `nbf`, `iat`, that `sub`, `sid` and `jti` are present, and that the token is not bound to a
    /// sender (``sender``). **Not** checked: whether the token or its session was revoked. If you
    /// keep a list, look up ``VerifiedSession/tokenID`` and ``VerifiedSession/sessionID``.
    ///
    /// - Throws: `TokenError`; `noMatchingKey` for a key that is not in the ring; `senderBound`.
    ///   Answer every error alike.
    public func verify(_ compact: some StringProtocol) throws(TokenError) -> VerifiedSession {
        // The size is checked before the text is copied.
        try CompactSerialization.checkSize(
            compact.utf8.count, maximumByteCount: Self.maximumTokenByteCount)
        // Signature, `typ`, `iss`, `aud`, times and required claims.
        let token = try verifier.verify(String(compact))
        // A token without `kid` may verify too, if the ring has one key, but it is rejected here.
        // `token.keyID` is the verifying key's, even if the header names none.
        guard token.header.keyID != nil, let keyID = token.keyID else {
            throw TokenError(.noMatchingKey, "The token does not name its key.")
        }
        if let until = keys.verifiesUntil(keyID: keyID), until <= clock.now() {
            throw TokenError(
                .noMatchingKey, "The last moment of the key that the header names has passed.")
        }
        let claims = token.registered
        // An audience stands for one kind of token: a token for two could pass for either.
        guard claims.audienceTexts.count == 1 else {
            throw TokenError(
                .audienceMismatch, claim: "aud", "The token names other audiences besides this one."
            )
        }
        if let claim = sender.refusedClaim(in: claims.root) {
            throw TokenError(.senderBound, claim: claim, SenderRule.message)
        }
        return VerifiedSession(
            subject: try Self.requireText(claims.subjectText, claim: "sub"),
            sessionID: try Self.requireText(claims.root.member("sid")?.text, claim: "sid"),
            tokenID: try Self.requireText(claims.tokenIDText, claim: "jti"),
            issuedAt: try Self.requireDate(claims.issuedAt, claim: "iat"),
            expiration: try Self.requireDate(claims.expiration, claim: "exp"), keyID: keyID,
            root: claims.root)
    }

    /// Verifies a token that came in `Authorization` or a cookie.
    public func verify(_ token: BearerToken) throws(TokenError) -> VerifiedSession {
        try verify(token.exposedText)
    }

    /// Whether a moment is at most this far away.
    func isWithin(_ distance: Duration, of moment: NumericDate) -> Bool {
        abs(clock.now().secondsSince1970 - moment.secondsSince1970)
            <= Double(distance.wholeSeconds)
    }

    private static let textByteCounts = 1...255
    /// The bytes of a `jti` or `sid` before they are encoded: 128 bits.
    private static let identifierByteCount = 16

    private static func requireText(_ value: ReceivedText?, claim: String) throws(TokenError)
        -> String
    {
        guard let value, textByteCounts.contains(value.byteCount) else {
            throw TokenError(
                .claimInvalid, claim: claim,
                "The claim \"\(shown: claim)\" is not text of 1 to 255 bytes."
            )
        }
        return value.swiftString()
    }

    private static func requireDate(_ value: NumericDate?, claim: String) throws(TokenError)
        -> NumericDate
    {
        guard let value else {
            throw TokenError(
                .claimMissing, claim: claim, "The claim \"\(shown: claim)\" is missing.")
        }
        return value
    }

    private static func checkName(_ value: String, claim: String) throws(TokenError) {
        guard textByteCounts.contains(value.utf8.count) else {
            throw TokenError(
                .signingFailed, claim: claim,
                "\"\(shown: claim)\" takes a text of 1 to 255 bytes, not \(value.utf8.count).")
        }
    }

    /// 128 random bits, so that no two tokens or sessions share an identifier.
    private static func makeIdentifier() throws(TokenError) -> String {
        do throws(CryptographyError) {
            return Base64URL.encode(try SecureRandom.bytes(count: identifierByteCount))
        } catch {
            throw TokenError(.signingFailed, underlying: error, "libcrypto has no randomness.")
        }
    }
}
