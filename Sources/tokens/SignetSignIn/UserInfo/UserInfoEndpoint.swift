// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A provider's userinfo endpoint: claims about the signed-in person beyond the ID token (OpenID
/// Connect Core 1.0, section 5.3).
///
/// ``SignIn/userInfo(of:expecting:)`` asks this endpoint after a sign-in. Checked: the form, which
/// is exactly the expected ``Form``; at most 128 KiB, and for a token the verifier's limit; strict
/// JSON; that `sub` is the ID token's, byte for byte. Otherwise an injected access token would
/// assign another person's data to this one (section 5.3.2).
///
/// A signed answer is verified with the provider's keys and algorithms. It must have `iss` and
/// `aud`: the issuer is the ID token's, and `aud` names a client of the program that the ID token
/// is also for. `exp`, `nbf` and `iat` are checked where they are present, and `iat` is required if
/// the options have a `maximumAge`. An encrypted answer is decrypted first, and holds a signed one.
///
/// **Not** checked: further audiences, and what else the provider signed the token for. The
/// provider's own ID token about the same person, for the same client, would pass.
public struct UserInfoEndpoint: Sendable {
    /// The form of the answers. The client's registration at the provider decides it (OpenID
    /// Connect Dynamic Client Registration 1.0, section 2), and an answer in another form is
    /// rejected: a signature that the sender may leave out proves nothing.
    public enum Form: Sendable {
        /// JSON, which TLS alone protects: the client is registered for neither of the two below.
        case json
        /// A signed token: the client is registered with `userinfo_signed_response_alg`.
        case signed
        /// A signed token inside an encrypted one: the client is registered with
        /// `userinfo_encrypted_response_alg` as well. The keys are those of
        /// `IDTokenVerifier.Decryption`, `.offered` or `.required`.
        case encrypted
    }

    private static let maximumByteCount = 131_072
    private static let name = "userinfo endpoint"

    let form: Form
    private let url: EndpointURL
    private let provider: IdentityProvider
    /// Nil for JSON.
    private let tokens: UserInfoTokenVerifier?
    private let transport: any IdentityTransport
    private let timeout: Duration

    /// - Parameters:
    ///   - url: `userinfo_endpoint` of the provider's metadata. It receives the access token.
    ///   - verifier: verified the ID token. It has the provider, whose rules say what its e-mail
    ///     addresses are worth, and the keys, limits and clock for signed and encrypted answers.
    ///   - form: the form that the client is registered for.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for an exchange, up to 60 s.
    /// - Throws: `outOfRange`; `contradiction` for `.encrypted` with a verifier that does not
    ///   decrypt, and for Microsoft Entra, which answers with JSON only.
    public init(
        url: EndpointURL, verifier: IDTokenVerifier, expecting form: Form = .json,
        transport: some IdentityTransport, timeout: Duration = .seconds(10)
    ) throws(IdentityConfigurationError) {
        try TransportRequest.checkTimeout(timeout)
        self.form = form
        self.url = url
        provider = verifier.provider
        switch form {
        case .json: tokens = nil
        case .signed: tokens = try UserInfoTokenVerifier(verifier, isEncrypted: false)
        case .encrypted: tokens = try UserInfoTokenVerifier(verifier, isEncrypted: true)
        }
        self.transport = transport
        self.timeout = timeout
    }

    /// Gets the provider's claims about the person of an ID token.
    ///
    /// - Parameters:
    ///   - identity: from the ID token that came with the access token.
    ///   - accessToken: the compact or opaque token, without `Bearer`.
    /// - Throws: `subjectMismatch`; `formMismatch` for an answer in another form than expected;
    ///   `refused` with `invalid_token` if the access token has expired or been revoked, and with
    ///   `insufficient_scope` if it lacks `openid`; `unavailable`, also without the keys to verify
    ///   a token; `invalidResponse`, whose `underlying` says why a token was rejected (an
    ///   `IdentityError`); `cancelled`, `libraryFailure`; `malformed` for a malformed access token.
    public func userInfo(
        of identity: VerifiedIdentity, accessToken: String
    ) async throws(AuthorizationError) -> UserInfo {
        let token: BearerToken
        do throws(BearerTokenError) { token = try BearerToken(accessToken) } catch {
            throw AuthorizationError(
                .malformed, underlying: error, "An access token has RFC 6750's characters.")
        }
        // Errors are JSON, whatever the form.
        let request = TransportRequest(
            url: url,
            accept: form == .json ? "application/json" : "application/jwt, application/json",
            authorization: "Bearer " + token.exposedText,
            maximumBodyByteCount: Self.maximumByteCount, timeout: timeout)
        let response = try await EndpointExchange.response(
            to: request, from: Self.name, over: transport)
        switch response.status {
        case 401: throw Self.refusal("invalid_token")
        case 403: throw Self.refusal("insufficient_scope")
        default: break
        }
        let answer = TokenEndpointAnswer(
            response, from: Self.name, secrets: [token.exposedText])
        if let tokens { return try await userInfo(in: answer, of: identity, verifiedBy: tokens) }
        return try userInfo(in: answer, of: identity)
    }

    /// The claims of an answer in JSON.
    private func userInfo(
        in answer: TokenEndpointAnswer, of identity: VerifiedIdentity
    ) throws(AuthorizationError) -> UserInfo {
        guard answer.compactToken == nil else { throw mismatch(.token) }
        let root = try answer.root()
        do {
            return try UserInfo(root, of: identity, by: provider)
        } catch {
            throw rejection(error)
        }
    }

    /// The error, by the status (RFC 6750, section 3.1). `WWW-Authenticate` is not read.
    private static func refusal(_ error: String) -> AuthorizationError {
        AuthorizationError(
            .refused, refusal: ProviderRefusal(error: error),
            "The userinfo endpoint does not accept the access token.")
    }
}
