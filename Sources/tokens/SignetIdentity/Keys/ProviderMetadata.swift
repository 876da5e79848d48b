// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// An OpenID provider's metadata (OpenID Connect Discovery 1.0, section 3): where its keys and
/// endpoints are, and what they support. A JSON document at a fixed address below the issuer's:
///
/// `{"issuer": "https://idp.example", "jwks_uri": "https://idp.example/keys", …}`
///
/// To read it: `try await ProviderMetadata.fetch(issuer: url, over: transport)`.
///
/// Checked: strict JSON; `issuer` is the requested issuer, octet for octet (section 4.3), or an
/// issuer that the caller expects; `jwks_uri` is present; every endpoint is an ``EndpointURL``, and
/// https if the document is. An issuer in a private network (``EndpointURL``) may name http
/// endpoints on its own origin only. **Not** checked: that the endpoints are on the issuer's host,
/// which the standard does not require.
public struct ProviderMetadata: Sendable {
    /// `issuer`, which the caller has named: the `iss` of the provider's tokens. Only documents of
    /// ``fetch(at:expecting:over:options:)`` may differ from the tokens (Entra's template, Apple's
    /// newer name); ``IdentityProvider`` knows the differences.
    public let issuer: String
    /// `jwks_uri`: the address of the keys.
    public let jwksURI: EndpointURL
    /// `authorization_endpoint`; nil if absent, or if Signet would not connect to it.
    public let authorizationEndpoint: EndpointURL?
    /// `token_endpoint`; nil as for ``authorizationEndpoint``.
    public let tokenEndpoint: EndpointURL?
    /// `userinfo_endpoint`; nil as for ``authorizationEndpoint``.
    public let userInfoEndpoint: EndpointURL?
    /// `end_session_endpoint`; nil as for ``authorizationEndpoint``.
    public let endSessionEndpoint: EndpointURL?
    /// `device_authorization_endpoint` (RFC 8628); nil as for ``authorizationEndpoint``.
    public let deviceAuthorizationEndpoint: EndpointURL?
    /// `revocation_endpoint` (RFC 8414, for RFC 7009); nil as for ``authorizationEndpoint``.
    public let revocationEndpoint: EndpointURL?
    /// `introspection_endpoint` (RFC 8414, for RFC 7662); nil as for ``authorizationEndpoint``.
    public let introspectionEndpoint: EndpointURL?
    /// `id_token_signing_alg_values_supported`; a verifier's own policy decides what it accepts.
    public let idTokenSigningAlgs: [String]
    /// `code_challenge_methods_supported` (RFC 8414); empty if the provider does not say.
    public let codeChallengeMethods: [String]
    /// `token_endpoint_auth_methods_supported`; `client_secret_basic` if the provider does not say.
    public let tokenEndpointAuthMethods: [String]
    /// `scopes_supported`; empty if the provider does not say, or not as a list of strings. The
    /// provider may support further scopes (section 3).
    public let supportedScopes: [String]
    /// `authorization_response_iss_parameter_supported` (RFC 9207): authorization responses name
    /// the issuer.
    public let sendsIssuerInResponse: Bool

    /// Reads the metadata of `issuer`.
    ///
    /// - Throws: `invalidDocument`, `issuerMismatch`, `tooLarge` (over 524,288 bytes).
    public init(_ json: [UInt8], issuer: EndpointURL) throws(KeySourceError) {
        try self.init(json, at: issuer, expecting: [issuer.text])
    }

    /// - Parameter url: the address of the document or of its issuer.
    init(_ json: [UInt8], at url: EndpointURL, expecting issuers: [String]) throws(KeySourceError) {
        let root = try Self.object(json)
        guard let named = root.member("issuer")?.text else {
            throw Self.invalid("has no \"issuer\" that is a string")
        }
        guard let issuer = issuers.first(where: { named.isEqual(to: $0) }) else {
            throw KeySourceError(
                .issuerMismatch,
                "The provider's metadata name another issuer than \(shown: issuers.joined(separator: " or ")): "
                    + "set the issuer exactly as they do, or do not trust it."
            )
        }
        guard let jwksURI = Self.endpoint("jwks_uri", in: root, from: url) else {
            throw Self.invalid("has no \"jwks_uri\" that is an https address")
        }
        self.issuer = issuer
        self.jwksURI = jwksURI
        authorizationEndpoint = Self.endpoint("authorization_endpoint", in: root, from: url)
        tokenEndpoint = Self.endpoint("token_endpoint", in: root, from: url)
        userInfoEndpoint = Self.endpoint("userinfo_endpoint", in: root, from: url)
        endSessionEndpoint = Self.endpoint("end_session_endpoint", in: root, from: url)
        deviceAuthorizationEndpoint = Self.endpoint(
            "device_authorization_endpoint", in: root, from: url)
        revocationEndpoint = Self.endpoint("revocation_endpoint", in: root, from: url)
        introspectionEndpoint = Self.endpoint("introspection_endpoint", in: root, from: url)
        idTokenSigningAlgs =
            try Self.strings("id_token_signing_alg_values_supported", in: root) ?? []
        codeChallengeMethods = try Self.strings("code_challenge_methods_supported", in: root) ?? []
        tokenEndpointAuthMethods =
            try Self.strings("token_endpoint_auth_methods_supported", in: root) ?? [
                "client_secret_basic"
            ]
        // The scopes only inform, so a provider that writes them wrongly is not rejected.
        supportedScopes = (try? Self.strings("scopes_supported", in: root)) ?? []
        sendsIssuerInResponse =
            try Self.flag("authorization_response_iss_parameter_supported", in: root) ?? false
    }

    /// Fetches the metadata of `issuer` from `issuer` + `/.well-known/openid-configuration`.
    /// - Parameters:
    ///   - issuer: the address that the document must name as its `issuer`.
    ///   - transport: sends the requests.
    ///   - options: the limits on size, time and redirects, and the clock; the rest is ignored.
    /// - Throws: ``KeySourceError``; `cancelled` if the task is.
    public static func fetch(
        issuer: EndpointURL, over transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) async throws(KeySourceError) -> ProviderMetadata {
        try await fetch(
            at: try location(of: issuer), expecting: [issuer.text], over: transport,
            options: options)
    }

    /// Fetches the metadata of an OAuth server that is no OpenID provider (RFC 8414, section 3.1),
    /// from `/.well-known/oauth-authorization-server` at the issuer's origin, followed by the
    /// issuer's path.
    /// - Parameters:
    ///   - issuer: the address that the document must name as its `issuer`.
    ///   - transport: sends the requests.
    ///   - options: the limits on size, time and redirects, and the clock; the rest is ignored.
    /// - Throws: ``KeySourceError``; `cancelled` if the task is.
    public static func fetch(
        authorizationServer issuer: EndpointURL, over transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) async throws(KeySourceError) -> ProviderMetadata {
        guard let url = try? issuer.wellKnown("oauth-authorization-server") else {
            throw invalid("cannot be asked for: the issuer has a query")
        }
        return try await fetch(at: url, expecting: [issuer.text], over: transport, options: options)
    }

    /// Fetches the metadata at `url`, for a provider whose document names a different issuer than
    /// its address or its tokens do. Documentation/IDENTITY.md has the addresses and issuers of
    /// Microsoft Entra for several tenants, Apple and Azure AD B2C.
    ///
    /// The document's `issuer` must be in `issuers`, octet for octet. `{tenantid}` in Entra's
    /// template is compared as it is.
    ///
    /// - Parameters:
    ///   - url: the address of the document.
    ///   - issuers: the accepted issuers; an empty list accepts none.
    ///   - transport: sends the requests.
    ///   - options: the limits on size, time and redirects, and the clock; the rest is ignored.
    /// - Throws: ``KeySourceError``: `issuerMismatch` for an issuer that is not in the list;
    ///   `cancelled` if the task is.
    public static func fetch(
        at url: EndpointURL, expecting issuers: [String], over transport: some IdentityTransport,
        options: KeySetOptions = KeySetOptions()
    ) async throws(KeySourceError) -> ProviderMetadata {
        let fetcher = DocumentFetcher(transport: transport, options: options)
        do {
            let document = try await fetcher.document(at: url)
            return try ProviderMetadata(document.body, at: url, expecting: issuers)
        } catch {
            guard !Task.isCancelled else {
                throw KeySourceError(
                    .cancelled, underlying: error, "The task was cancelled while it waited.")
            }
            throw error
        }
    }

    /// The address of an issuer's metadata (section 4: a final slash is dropped first).
    static func location(of issuer: EndpointURL) throws(KeySourceError) -> EndpointURL {
        guard let url = try? issuer.appending(path: "/.well-known/openid-configuration") else {
            throw invalid("cannot be asked for: the issuer has a query")
        }
        return url
    }

    /// The longest document.
    private static let maximumByteCount = 524_288

    /// The document, which must be a strict JSON object. An error says what else it seems to be.
    private static func object(_ json: [UInt8]) throws(KeySourceError) -> JSONNode {
        var limits = JSONDocument.Limits()
        limits.maximumByteCount = maximumByteCount
        do {
            let root = try JSONDocument(json, limits: limits).root
            if root.kind == .object { return root }
        } catch {
            if error.code == .tooLarge {
                throw KeySourceError(.tooLarge, underlying: error, "The metadata are too large.")
            }
            // Another kind of document, such as an HTML page, is named if its bytes tell.
            if let shape = InputShape(of: json.span), !shape.isJSON, !shape.isAlphabet {
                throw invalid(shape.finding)
            }
            throw invalid("is not strict JSON (\(error.fault))")
        }
        throw invalid("is not a JSON object")
    }

    /// The address of an endpoint; nil if it is absent, or if Signet would not connect to it.
    private static func endpoint(_ name: String, in root: JSONNode, from base: EndpointURL)
        -> EndpointURL?
    {
        // Checked before a text of any length becomes a string.
        guard let text = root.member(name)?.text, text.byteCount <= EndpointURL.maximumByteCount,
            let url = base.named(text.swiftString())  // Nil for an address that must not be used.
        else { return nil }
        // An issuer elsewhere must not direct requests to services on this machine.
        let isIssuerHere = base.scheme == "http" && !base.isInPrivateNetwork
        let mayBeUsed = url.scheme == "https" || url.isInPrivateNetwork || isIssuerHere
        return mayBeUsed ? url : nil
    }

    /// An array of strings of at most 1,024 bytes each; nil if absent.
    private static func strings(_ name: String, in root: JSONNode) throws(KeySourceError)
        -> [String]?
    {
        guard let member = root.member(name), !member.isNull else { return nil }
        let texts = member.elements.compactMap(\.text)
        guard member.kind == .array, texts.count == member.count else {
            throw invalid("has a member \"\(shown: name)\" that is not an array of strings")
        }
        guard texts.allSatisfy({ $0.byteCount <= ReceivedText.maximumUnverifiedByteCount }) else {
            throw invalid(
                "has a member \"\(shown: name)\" with a name over "
                    + "\(ReceivedText.maximumUnverifiedByteCount) bytes")
        }
        return texts.map { $0.swiftString() }
    }

    /// A boolean; nil if absent or null. Any other type is an error: to read it as absent would
    /// turn a check off.
    private static func flag(_ name: String, in root: JSONNode) throws(KeySourceError) -> Bool? {
        guard let member = root.member(name), !member.isNull else { return nil }
        guard let value = member.boolValue else {
            throw invalid("has a member \"\(shown: name)\" that is neither true nor false")
        }
        return value
    }

    private static func invalid(_ what: ErrorMessage) -> KeySourceError {
        KeySourceError(.invalidDocument, "The provider's metadata document \(what).")
    }
}
