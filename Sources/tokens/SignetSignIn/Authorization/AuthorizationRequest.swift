// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// The address that sends a browser to sign in: an authorization code request (RFC 6749, section
/// 4.1.1; RFC 7636; OpenID Connect Core 1.0, section 3.1.2.1).
///
/// ```swift
/// let request = try AuthorizationRequest(
///     provider: metadata, clientID: "web", redirectURI: "https://app.example/callback",
///     state: state, nonce: .used(nonce), pkce: .used(pkce))
/// ```
///
/// Here `request.url` is `https://idp.example/authorize?response_type=code&client_id=web&…`. After
/// the sign-in the browser comes back to the redirect URI with a code, which is exchanged for
/// tokens.
///
/// - `state`, a random text, comes back with the code, and shows which browser began the sign-in.
/// - The nonce, a random text, comes back in the ID token, and shows that it is of this sign-in.
/// - PKCE sends the hash of a secret. Only a program that has the secret can exchange the code.
///
/// `state` is always sent; PKCE and the nonce are sent unless you leave them out by name.
/// `response_type=code` and `code_challenge_method=S256` are fixed. ``url`` holds `state` and
/// `nonce`: send it to the browser, do not log it.
public struct AuthorizationRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest address, in bytes.
    public static var maximumByteCount: Int { 8_192 }

    /// The address, percent-encoded.
    public let url: String
    private let endpoint: String

    /// A request to `endpoint`.
    ///
    /// - Parameters:
    ///   - endpoint: `authorization_endpoint` of the provider's metadata.
    ///   - clientID: the client's identifier at the provider.
    ///   - redirectURI: the target of the response, exactly as registered; ``RedirectURIs`` says
    ///     which are allowed.
    ///   - scopes: the scopes to request; `openid` for an ID token.
    ///   - state: binds the response to this browser; new for each sign-in.
    ///   - nonce: the nonce, or the reason for sending none.
    ///   - pkce: PKCE, or the name under which it is left out. Pass the same to the exchange.
    ///   - responseMode: how the response comes back.
    ///   - schemes: schemes without a dot that `redirectURI` may have, as for ``RedirectURIs``.
    ///   - additional: further parameters, such as `prompt`, `login_hint` or `hd`, in order.
    /// - Throws: `invalidIdentifier` for a client or a scope that is empty or not printable ASCII;
    ///   `invalidURL` for an impossible redirect URI; `contradiction` if nonce, PKCE and scopes do
    ///   not fit together (see ``PKCE/Use`` and ``AuthorizationNonce/Use``), and for a parameter of
    ///   `additional` or of the endpoint's query that is repeated, is set here, or replaces all
    ///   parameters (`request`, `request_uri`); `outOfRange` over 8,192 bytes.
    public init(
        endpoint: EndpointURL, clientID: String, redirectURI: String, scopes: [String] = ["openid"],
        state: AuthorizationState, nonce: AuthorizationNonce.Use, pkce: PKCE.Use,
        responseMode: CodeFlow.ResponseMode = .query, schemes: [String] = [],
        additional: [(name: String, value: String)] = []
    ) throws(IdentityConfigurationError) {
        try Identifier.checkClient(clientID)
        try Identifier.checkScopes(scopes)
        try RedirectURIs.check(redirectURI, schemes: schemes)
        try Self.checkBinding(
            nonce, pkce: pkce,
            asksForIDToken: scopes.contains { $0.utf8.elementsEqual("openid".utf8) })
        try EndpointQuery.checkNames(endpoint, reserved: Self.reserved, additional: additional)
        var parameters: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
        ]
        if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
        parameters.append(("state", state.exposedText))
        if case .used(let value) = nonce { parameters.append(("nonce", value.exposedText)) }
        if case .used(let value) = pkce {
            parameters += [
                ("code_challenge", value.challenge), ("code_challenge_method", PKCE.method),
            ]
        }
        // The default of every provider, so it is not sent.
        if responseMode != .query { parameters.append(("response_mode", responseMode.rawValue)) }
        url = EndpointQuery.address(endpoint, parameters: parameters + additional)
        self.endpoint = endpoint.text
        guard url.utf8.count <= Self.maximumByteCount else {
            throw IdentityConfigurationError(
                .outOfRange,
                "The address has \(url.utf8.count) bytes instead of at most \(Self.maximumByteCount)."
            )
        }
    }

    /// A request to the authorization endpoint of a provider's metadata.
    ///
    /// - Throws: the errors of the initialiser with an endpoint, and `contradiction` if the
    ///   provider names no authorization endpoint; if PKCE is used and the provider lists methods
    ///   without `S256`; if PKCE is left out and `S256` is listed (RFC 9700, section 2.1.1).
    public init(
        provider: ProviderMetadata, clientID: String, redirectURI: String,
        scopes: [String] = ["openid"],
        state: AuthorizationState, nonce: AuthorizationNonce.Use, pkce: PKCE.Use,
        responseMode: CodeFlow.ResponseMode = .query, schemes: [String] = [],
        additional: [(name: String, value: String)] = []
    ) throws(IdentityConfigurationError) {
        guard let endpoint = provider.authorizationEndpoint else {
            throw IdentityConfigurationError(
                .contradiction, "The provider names no authorization endpoint that may be used.")
        }
        try Self.checkMethods(provider.codeChallengeMethods, pkce: pkce)
        try self.init(
            endpoint: endpoint, clientID: clientID, redirectURI: redirectURI, scopes: scopes,
            state: state,
            nonce: nonce, pkce: pkce, responseMode: responseMode, schemes: schemes,
            additional: additional)
    }

    /// The endpoint, without the parameters.
    public var description: String { "AuthorizationRequest(\(endpoint), parameters redacted)" }

    /// Only the endpoint.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    /// Names that only this type sets: `request` and `request_uri` would replace all parameters
    /// (RFC 9101).
    private static let reserved = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "request", "request_uri",
    ]

    /// Checks that PKCE or the nonce of an ID token binds the code to this sign-in (RFC 9700,
    /// section 2.1.1), or that the request leaves out both by the name `notUsedNorNonce`. The scope
    /// `openid` asks for an ID token.
    ///
    /// | PKCE | nonce | accepted |
    /// |---|---|---|
    /// | `used` | `used`, `notUsed` | yes |
    /// | `notUsed` | `used` | with `openid`: without an ID token, no nonce comes back |
    /// | `notUsed` | `notUsed`, `noIDToken` | no: nothing binds the code |
    /// | `notUsedNorNonce` | `used` | no: the name says that there is no nonce |
    /// | `notUsedNorNonce` | `notUsed` | yes |
    /// | `used`, `notUsedNorNonce` | `noIDToken` | without `openid` |
    private static func checkBinding(
        _ nonce: AuthorizationNonce.Use, pkce: PKCE.Use, asksForIDToken: Bool
    ) throws(IdentityConfigurationError) {
        if asksForIDToken, case .noIDToken = nonce {
            throw IdentityConfigurationError(
                .contradiction,
                "The scope \"openid\" requests an ID token: give the request a nonce.")
        }
        switch pkce {
        case .used: return
        case .notUsed:
            if asksForIDToken, case .used = nonce { return }
            throw IdentityConfigurationError(
                .contradiction,
                "Without PKCE the code needs the nonce of an ID token, or the name `notUsedNorNonce`."
            )
        case .notUsedNorNonce:
            guard case .used = nonce else { return }
            throw IdentityConfigurationError(
                .contradiction, "`notUsedNorNonce` has a nonce: say `notUsed`, or use PKCE.")
        }
    }

    /// Checks PKCE against the methods that the provider lists; an empty list says nothing.
    static func checkMethods(
        _ methods: [String], pkce: PKCE.Use
    ) throws(IdentityConfigurationError) {
        let takesS256 = methods.contains { $0.utf8.elementsEqual(PKCE.method.utf8) }
        if case .used = pkce {
            guard takesS256 || methods.isEmpty else {
                throw IdentityConfigurationError(
                    .contradiction, "The provider does not support PKCE with S256.")
            }
        } else if takesS256 {
            throw IdentityConfigurationError(
                .contradiction, "The provider supports PKCE with S256: do not leave it out.")
        }
    }
}
