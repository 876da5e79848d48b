// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The address that a browser is sent to for signing in: an authorization code request with PKCE (RFC 6749, section 4.1.1; RFC 7636; OpenID
/// Connect Core 1.0, section 3.1.2.1).
///
/// `response_type=code` and `code_challenge_method=S256` are fixed. ``url`` holds `state` and `nonce`: it goes to the browser and not into
/// a log.
public struct AuthorizationRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// How the provider sends its answer.
    public enum ResponseMode: String, Sendable, Hashable {
        /// As the query of the redirect URI: the default, and not named in the request.
        case query
        /// As the body of a POST. Apple asks for it when a name or an e-mail address is in the scope.
        case formPost = "form_post"
    }

    /// The longest address that is made, in bytes.
    public static var maximumByteCount: Int { 8_192 }

    /// The address, percent-encoded.
    public let url: String
    private let endpoint: String

    /// A request to `endpoint`.
    ///
    /// - Parameters:
    ///   - redirectURI: where the answer goes, exactly as it is registered; see ``RedirectURIs`` for what may be one.
    ///   - nonce: nil only where no ID token is asked for.
    ///   - additional: other parameters, `prompt`, `login_hint` or `hd` for example, in order.
    /// - Throws: `invalidIdentifier` for a client or a scope that is empty or not printable ASCII; `invalidURL` for an impossible redirect
    ///   URI; `contradiction` for the scope `openid` without a nonce, and for a parameter that is there twice, is set here, or replaces all
    ///   others (`request`, `request_uri`), in `additional` or in the endpoint's own query; `outOfRange` over 8 192 bytes.
    public init(
        endpoint: EndpointURL, clientID: String, redirectURI: String, scopes: [String] = ["openid"],
        state: AuthorizationState, nonce: AuthorizationNonce?, pkce: PKCE,
        responseMode: ResponseMode = .query,
        additional: [(name: String, value: String)] = []
    ) throws(IdentityConfigurationError) {
        try TokenEndpoint.checkClient(clientID)
        try TokenEndpoint.checkScopes(scopes)
        try RedirectURIs.check(redirectURI)
        guard nonce != nil || !scopes.contains(where: { $0.utf8.elementsEqual("openid".utf8) }) else {
            throw IdentityConfigurationError(
                .contradiction, "The scope \"openid\" asks for an ID token: give the request a nonce.")
        }
        var parameters: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
        ]
        if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
        parameters.append(("state", state.exposedText))
        if let nonce { parameters.append(("nonce", nonce.exposedText)) }
        parameters.append(("code_challenge", pkce.challenge))
        parameters.append(("code_challenge_method", PKCE.method))
        if responseMode != .query { parameters.append(("response_mode", responseMode.rawValue)) }
        try Self.checkNames(endpoint, own: parameters, additional)
        let query = FormEncoding.encode(parameters + additional)
        let separator = endpoint.query.map { $0.isEmpty ? "" : "&" } ?? "?"
        url = endpoint.text + separator + query
        self.endpoint = endpoint.text
        guard url.utf8.count <= Self.maximumByteCount else {
            throw IdentityConfigurationError(
                .outOfRange, "The address is longer than \(Self.maximumByteCount) bytes.")
        }
    }

    /// A request to the authorization endpoint of a provider's metadata.
    ///
    /// - Throws: as the other form, and `contradiction` when the provider names no authorization endpoint, or names methods of PKCE and
    ///   `S256` is not among them (RFC 9700, section 2.1.1).
    public init(
        provider: ProviderMetadata, clientID: String, redirectURI: String, scopes: [String] = ["openid"],
        state: AuthorizationState, nonce: AuthorizationNonce?, pkce: PKCE,
        responseMode: ResponseMode = .query,
        additional: [(name: String, value: String)] = []
    ) throws(IdentityConfigurationError) {
        guard let endpoint = provider.authorizationEndpoint else {
            throw IdentityConfigurationError(
                .contradiction, "The provider names no authorization endpoint that may be used.")
        }
        let methods = provider.codeChallengeMethods
        guard methods.isEmpty || methods.contains(where: { $0.utf8.elementsEqual(PKCE.method.utf8) }) else {
            throw IdentityConfigurationError(.contradiction, "The provider does not take PKCE with S256.")
        }
        try self.init(
            endpoint: endpoint, clientID: clientID, redirectURI: redirectURI, scopes: scopes, state: state,
            nonce: nonce, pkce: pkce, responseMode: responseMode, additional: additional)
    }

    /// The endpoint, without the parameters.
    public var description: String { "AuthorizationRequest(\(endpoint), parameters redacted)" }

    /// Shows the endpoint only.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    /// Names that nobody sets but this type: `request` and `request_uri` would replace what is set here (RFC 9101).
    private static let reserved = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "request", "request_uri",
    ]

    /// RFC 6749, section 3.1: no parameter more than once, the endpoint's own among them.
    private static func checkNames(
        _ endpoint: EndpointURL, own: [(name: String, value: String)],
        _ additional: [(name: String, value: String)]
    ) throws(IdentityConfigurationError) {
        var others = additional.map { ReceivedText($0.name) }
        if let query = endpoint.query, !query.isEmpty {
            guard let present = FormEncoding.decode(query) else {
                throw IdentityConfigurationError(
                    .invalidURL, "The endpoint's query is not one of parameters.")
            }
            others += present.map(\.name)
        }
        var seen = reserved.map { ReceivedText($0) }
        for name in others {
            guard !name.isEmpty, !seen.contains(where: name.isEqual) else {
                throw IdentityConfigurationError(
                    .contradiction,
                    "A parameter has no name, is there twice, or is set by the request itself.")
            }
            seen.append(name)
        }
    }
}
