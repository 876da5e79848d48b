// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
public import SignetJOSE

/// Reads the sessions of your own website that signs people in with Auth.js (NextAuth.js), from the
/// encrypted cookie that it keeps them in.
///
/// ```swift
/// let sessions = try AuthJSSessions(
///     .v5, secrets: AuthJSSessions.secrets(environment: environment), clock: clock)
/// let session = try sessions.verify(sessions.token(cookies: cookies))
/// ```
///
/// The cookie holds an encrypted token (JWE) with claims about the person, such as
/// `{"sub": "user-7"}`. Its key is derived from a secret of the website (`AUTH_SECRET`), and named
/// in the token's header as `kid`. Any holder of the secret can make such cookies: give it to the
/// website and this server only.
///
/// Checked: `dir` with the version's only content encryption, the key by the header's `kid`, the
/// tag, strict JSON, `exp` and `sub`, which are required, `nbf` and `iat`, with 15 seconds of
/// tolerance. **Not** checked: `iss` and `aud`, which Auth.js does not write and which may be of any
/// type, and whether the person has signed out, of which Auth.js keeps no list. Browsers also send
/// the cookie with requests from other sites' pages; use `SiteOrigins` to reject requests that
/// change anything.
public struct AuthJSSessions: Sendable, Redacted {
    /// The versions of Auth.js, which differ in keys, names and algorithms.
    public enum Version: Sendable, Hashable {
        /// `@auth/core` and what stands on it, such as `next-auth` 5: A256CBC-HS512, and a key of
        /// its own for each cookie name.
        case v5
        /// `next-auth` 4: A256GCM, and one secret.
        case v4
    }

    /// How the website has named its cookie.
    public enum CookieName: Sendable, Hashable {
        /// The default of an https site: `__Secure-authjs.session-token`, in version 4
        /// `__Secure-next-auth.session-token`.
        case secure
        /// The default of an http site, for development: the same without `__Secure-`.
        case unencrypted
        /// The name in the website's option `cookies.sessionToken.name`: 1 to 128 characters that
        /// the name of a cookie may have (RFC 6265, section 4.1.1).
        case custom(String)
    }

    /// Which lengths of secrets are accepted.
    public enum SecretLength: Sendable, Hashable {
        /// 32 to 4,096 bytes.
        case atLeast32Bytes
        /// 1 to 4,096 bytes, as Auth.js does: for a website whose secret is there already. From one
        /// cookie anybody can search for a short secret, and then sign in as everybody.
        case notChecked
    }

    /// The version of Auth.js.
    public let version: Version
    /// The cookie's name. A long token is in several cookies: this name with `.0`, `.1` and so on.
    public let cookieName: String
    /// The most secrets, which is as many as Auth.js reads from the environment.
    public static let maximumSecretCount = 4

    let keys: [AuthJSKey]
    private let policy: TokenPolicy

    /// Reads cookies with a secret, or with several while the website changes its secret.
    ///
    /// The keys are derived here, once. A secret is the **text** as the website has it: a secret
    /// that looks like base64 is not decoded, and a line feed at its end counts.
    /// ``SessionSecret/base64(_:keyID:algorithm:)-(String,_,_)``, which decodes, gives a different
    /// key from the same setting.
    ///
    /// - Parameters:
    ///   - version: the website's version of Auth.js.
    ///   - secrets: 1 to 4 in the website's order, the newest first. A token that does not name its
    ///     key is opened with the first only.
    ///   - cookieName: the cookie's name. In version 5 the keys depend on it.
    ///   - secretLength: whether a secret may be short.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `invalidSecret` for no secret, for more than four, and for a length out of range;
    ///   `contradiction` for several secrets in version 4; `invalidIdentifier` for a name that no
    ///   cookie has; `unsupported` if libcrypto cannot derive the keys.
    public init(
        _ version: Version, secrets: [String], cookieName: CookieName = .secure,
        secretLength: SecretLength = .atLeast32Bytes, clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        try self.init(
            version, secrets: secrets.map { SecretKey(copying: $0.utf8) }, cookieName: cookieName,
            secretLength: secretLength, clock: clock)
    }

    /// Reads cookies with secrets from a vault: the UTF-8 of each text.
    ///
    /// - Throws: the errors of the initialiser that takes texts.
    public init(
        _ version: Version, secrets: [SecretKey], cookieName: CookieName = .secure,
        secretLength: SecretLength = .atLeast32Bytes, clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        try Self.check(secrets, version: version, length: secretLength)
        let name = cookieName.text(in: version)
        guard (1...Self.maximumNameByteCount).contains(name.utf8.count),
            name.utf8.allSatisfy(FieldText.isToken)
        else {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "The name of a cookie has 1 to 128 characters, without blanks, \";\" and \"=\"."
            )
        }
        self.version = version
        self.cookieName = name
        do {
            policy = try TokenPolicy(
                issuer: .notChecked, audience: .notChecked, type: .notChecked,
                leeway: .seconds(Self.toleranceSeconds),
                // next-auth before 4.24.5 encrypts other cookies with the key of its sessions
                // (CVE-2023-48309). Their tokens have no subject.
                requiredClaims: ["sub"], clock: clock)
            var keys: [AuthJSKey] = []
            for secret in secrets {
                keys.append(try AuthJSKey(deriving: secret, version: version, cookieName: name))
            }
            self.keys = keys
        } catch {
            throw IdentityConfigurationError(
                .unsupported, underlying: error,
                "libcrypto could not derive the keys of Auth.js's cookies.")
        }
    }

    private static let maximumNameByteCount = 128
    /// How far Auth.js lets the clocks differ.
    private static let toleranceSeconds = 15
    private static let maximumSecretByteCount = 4_096

    /// The secrets that Auth.js reads from a program's environment, in its order: `AUTH_SECRET_3`,
    /// `AUTH_SECRET_2`, `AUTH_SECRET_1` and `AUTH_SECRET`. Empty ones are left out.
    ///
    /// `next-auth` 4 reads `NEXTAUTH_SECRET` before `AUTH_SECRET`, and no other: pass that text.
    public static func secrets(environment: [String: String]) -> [String] {
        ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"]
            .compactMap { environment[$0] }.filter { !$0.isEmpty }
    }

    /// Checks the number and the lengths of the secrets.
    private static func check(
        _ secrets: [SecretKey], version: Version, length: SecretLength
    ) throws(IdentityConfigurationError) {
        guard (1...maximumSecretCount).contains(secrets.count) else {
            throw IdentityConfigurationError(
                .invalidSecret,
                secrets.isEmpty
                    ? "There is no secret of Auth.js: set AUTH_SECRET in the environment of this program to the text that the website has there or in NEXTAUTH_SECRET."
                    : "Auth.js has 1 to \(maximumSecretCount) secrets, not \(secrets.count)."
            )
        }
        guard version == .v5 || secrets.count == 1 else {
            throw IdentityConfigurationError(
                .contradiction, "next-auth 4 has one secret, not \(secrets.count).")
        }
        let minimum = length == .notChecked ? 1 : SessionSecret.minimumByteCount
        // The message does not give the length that was found, which is part of the secret.
        guard
            secrets.allSatisfy({ (minimum...maximumSecretByteCount).contains($0.byteCount) })
        else {
            throw IdentityConfigurationError(
                .invalidSecret,
                "A secret of Auth.js does not have \(minimum) to 4,096 bytes: take what `openssl rand -base64 33` prints."
            )
        }
    }

    /// Reads the token that a request's cookies hold.
    ///
    /// It is in the cookie ``cookieName``, or in parts, in cookies of this name with `.0` to `.7`.
    /// Names are compared byte by byte. Cookies of other names, and empty ones, are ignored.
    ///
    /// - Parameter fields: the values of all of a request's `Cookie` fields.
    /// - Throws: `missing` without such a cookie; `repeated` for two cookies of a name, even equal
    ///   cookies, and for a whole token beside parts; `malformed` for a missing part or a number
    ///   like `.00`; `tooLarge` for more than 8 parts, a token of more than 32 KiB, or more than 64
    ///   KiB of cookies.
    public func token(cookies fields: [String]) throws(BearerTokenError) -> AuthJSToken {
        try AuthJSToken(cookies: fields, named: cookieName)
    }

    /// Opens a token and checks its claims.
    ///
    /// - Throws: `TokenError`. `malformed` for anything but a compact JWE, such as a signed token;
    ///   `noMatchingKey` for a `kid` of no secret's; `algorithmNotAllowed`, `decryptionFailed`,
    ///   `expired`, `notYetValid`, `claimMissing`, `claimInvalid`. Answer every error alike.
    public func verify(_ token: AuthJSToken) throws(TokenError) -> AuthJSSession {
        let claims = try RegisteredClaims(payload: open(token), partiesAreUsed: false)
        try policy.check(claims)
        return try AuthJSSession(claims)
    }

    /// Opens a token with the key that its header names, else with the first.
    private func open(_ token: AuthJSToken) throws(TokenError) -> [UInt8] {
        for key in keys {
            do {
                // A token without `kid` is for any key, so the first opens or refuses it.
                return try key.decrypter.decrypt(token.bytes).payload
            } catch {
                guard error.code == .noMatchingKey else { throw error }
            }
        }
        throw TokenError(
            .noMatchingKey,
            "The cookie was made with none of these secrets, or for another cookie name.")
    }
}

extension AuthJSSessions.CookieName {
    /// The name in a version.
    fileprivate func text(in version: AuthJSSessions.Version) -> String {
        switch (self, version) {
        case (.custom(let name), _): name
        case (.secure, .v5): "__Secure-authjs.session-token"
        case (.unencrypted, .v5): "authjs.session-token"
        case (.secure, .v4): "__Secure-next-auth.session-token"
        case (.unencrypted, .v4): "next-auth.session-token"
        }
    }
}
