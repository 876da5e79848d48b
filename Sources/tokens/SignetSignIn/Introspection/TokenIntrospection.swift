// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// Asks the server that issued an access token whether it is active (RFC 7662): for opaque tokens,
/// which hold no claims of their own, and if a revoked token must be rejected at once. The answer
/// has the claims: `{"active": true, "sub": "user-7", "scope": "read"}`.
///
/// ```swift
/// let introspection = try TokenIntrospection(
///     AccessTokenProfile(issuer: issuer, audience: .anyOf(["https://api.example"])),
///     at: EndpointURL("https://idp.example/introspect"), clientID: "api",
///     authentication: authentication, transport: .curl)
///
/// func read(
///     _ presented: BearerToken
/// ) async throws(IdentityError) -> VerifiedAccessToken.Principal {
///     try await introspection.verify(presented.exposedText, scopes: ["read"]).principal
/// }
/// ```
///
/// A `TokenIntrospection` can replace an `AccessTokenVerifier`, and returns the same type. Each
/// call sends one request. Nothing is cached, so a revocation takes effect with the next request; a
/// cache of yours may keep a result until `VerifiedAccessToken.reusableUntil` at most. Limit the
/// requests per address, because anyone can make this server ask.
///
/// Checked: the token's form; `active`; the claims as an `AccessTokenVerifier` with this profile
/// checks them, but `iss`, `exp`, `iat` and `jti` may be absent, and `aud` where the profile does
/// not check it. `sub` is required unless the profile says otherwise, and so are the claims that a
/// preset requires (`client_id` of `.rfc9068`), except `jti` and `iat`. A refresh or ID token is
/// rejected, if the server names the kind of the token. An answer with `cnf` (RFC 8705, section
/// 3.2) or the `token_type` `DPoP` is `senderBound`, unless the profile's `sender` says otherwise.
/// **Not** checked: the profile's `typ`, a signature, and which client presents the token.
public struct TokenIntrospection: Sendable, CustomStringConvertible, CustomReflectable {
    private let endpoint: EndpointURL
    private let client: EndpointClient
    private let rules: IntrospectionRules

    /// - Parameters:
    ///   - profile: the issuing server's profile. Use `.boundByIssuer` or `.boundByClient` for a
    ///     server that names no `aud`.
    ///   - endpoint: `introspection_endpoint` of the issuing server's metadata. It receives every
    ///     token.
    ///   - clientID: this server's client identifier at the issuing server.
    ///   - authentication: how this server authenticates.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for an exchange, up to 60 s.
    ///   - options: leeway, limits and the clock.
    /// - Throws: `contradiction` for a client without authentication (section 2.1), and for
    ///   Microsoft Entra; `invalidIdentifier`, `invalidSecret`, `outOfRange`; errors of the
    ///   profile or the options.
    public init(
        _ profile: AccessTokenProfile, at endpoint: EndpointURL, clientID: String,
        authentication: ClientAuthentication, transport: some IdentityTransport,
        timeout: Duration = .seconds(5),
        options: TokenVerificationOptions = TokenVerificationOptions()
    ) throws(IdentityConfigurationError) {
        guard authentication.method != .none else {
            throw IdentityConfigurationError(
                .contradiction, "An introspection endpoint answers no client that proves nothing.")
        }
        rules = try IntrospectionRules(profile, options: options)
        client = try EndpointClient(
            clientID, authentication: authentication, transport: transport, timeout: timeout,
            maximumByteCount: Self.maximumByteCount)
        self.endpoint = endpoint
    }

    /// The longest answer, which holds the claims of one token.
    private static let maximumByteCount = 131_072

    /// Asks about an access token, and checks the answer against the profile.
    ///
    /// - Parameters:
    ///   - accessToken: the compact or opaque token, without `Bearer`.
    ///   - scopes: the token must have all of them.
    /// - Throws: `IdentityError`, as for `AccessTokenVerifier`. `inactive` if the server says so
    ///   (401); `introspectionUnavailable` in an outage, and for a cancelled caller (503);
    ///   `introspectionFailed` if it rejects this server as its client, or its answer cannot be
    ///   read (500).
    public func verify(
        _ accessToken: some StringProtocol, scopes: [String] = []
    ) async throws(IdentityError) -> VerifiedAccessToken {
        let answer = try await answer(about: try Self.token(accessToken))
        guard let active = answer.member("active")?.boolValue else {
            throw IdentityError(
                .introspectionFailed,
                "The introspection endpoint's answer has no \"active\" that is true or false.")
        }
        guard active else {
            throw IdentityError(
                .inactive, "The issuing server says that the token is not active.")
        }
        return try rules.token(answer, scopes: scopes)
    }

    /// The endpoint and the client, nothing secret.
    public var description: String {
        "TokenIntrospection(\(endpoint), \(client.authentication))"
    }

    /// Only the endpoint and the client.
    public var customMirror: Mirror {
        Mirror(self, children: ["endpoint": endpoint.text, "clientID": client.clientID])
    }

    /// Asks once, and reads the answer's form.
    private func answer(about token: BearerToken) async throws(IdentityError) -> JSONNode {
        let text = token.exposedText
        do {
            // Errors name the endpoint by `from:`, and leave out each of `secrets:`. `root` is the
            // JSON object of the answer.
            return try await client.ask(
                [("token", text), ("token_type_hint", "access_token")], at: endpoint,
                from: "introspection endpoint", secrets: [text]
            ).root()
        } catch {
            throw Self.failure(error)
        }
    }

    /// The token, if it has the form of a Bearer token: printable and not too long.
    private static func token(
        _ text: some StringProtocol
    ) throws(IdentityError) -> BearerToken {
        do {
            return try BearerToken(text)
        } catch {
            throw IdentityError(
                error.code == .tooLarge ? .tooLarge : .malformed, underlying: error,
                "\(messageOf: error)")
        }
    }

    /// A failure between the two servers is not the token's fault.
    private static func failure(_ error: AuthorizationError) -> IdentityError {
        switch error.code {
        case .unavailable, .cancelled:
            IdentityError(
                .introspectionUnavailable,
                retryAfterSeconds: error.retryAfter.map { Int($0.wholeSeconds) },
                underlying: error, "\(messageOf: error)")
        case .refused:
            IdentityError(
                .introspectionFailed,
                underlying: error,
                "The introspection endpoint refuses this server as its client "
                    + "(\(shown: error.refusal?.registeredError ?? "other")).")
        // An answer that does not follow the specification.
        default: IdentityError(.introspectionFailed, underlying: error, "\(messageOf: error)")
        }
    }
}
