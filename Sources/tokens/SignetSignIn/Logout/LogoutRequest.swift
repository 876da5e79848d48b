// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// The address that sends a browser to sign out at the provider too (OpenID Connect RP-Initiated
/// Logout 1.0, section 2). End your own session first: the person may never arrive.
///
/// ``SignIn/logoutRequest(idToken:returningTo:additional:)`` makes it from the provider's metadata.
/// ``url`` holds the ID token: send it to the browser, do not log it.
public struct LogoutRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest address, in bytes.
    public static var maximumByteCount: Int { 8_192 }

    /// The address, percent-encoded.
    public let url: String
    /// The state that must come back, if there is an address to return to. Bind it to the browser.
    public let state: AuthorizationState?
    private let endpoint: String

    /// A request to `endpoint`.
    ///
    /// - Parameters:
    ///   - endpoint: `end_session_endpoint` of the provider's metadata.
    ///   - clientID: the client's identifier at the provider.
    ///   - idToken: the signed ID token of the sign-in that ends: `VerifiedIdentity.idTokenHint`.
    ///     Without it many providers ask the person first, and return nowhere.
    ///   - returnURI: where the browser returns to, exactly as registered at the provider.
    ///   - state: the state that comes back with the browser, if there is a `returnURI`.
    ///   - schemes: schemes without a dot that `returnURI` may have, as for ``RedirectURIs``.
    ///   - additional: further parameters, such as `ui_locales` or `logout_hint`.
    /// - Throws: `invalidIdentifier` for an impossible client; `invalidURL` for an impossible
    ///   address to return to; `contradiction` for a parameter that is repeated or is set here, and
    ///   for an encrypted ID token, which the provider cannot read; `outOfRange` over 8,192 bytes:
    ///   leave a long ID token out.
    public init(
        endpoint: EndpointURL, clientID: String, idToken: String?, returningTo returnURI: String?,
        state: AuthorizationState, schemes: [String] = [],
        additional: [(name: String, value: String)] = []
    ) throws(IdentityConfigurationError) {
        try Identifier.checkClient(clientID)
        var parameters: [(name: String, value: String)] = []
        if let idToken {
            guard IDTokenVerifier.Decryption.partCount(idToken) != 5 else {
                throw IdentityConfigurationError(
                    .contradiction,
                    "The ID token is encrypted to this program, and the provider cannot read it: give VerifiedIdentity.idTokenHint."
                )
            }
            parameters.append(("id_token_hint", idToken))
        }
        parameters.append(("client_id", clientID))
        if let returnURI {
            try RedirectURIs.check(returnURI, schemes: schemes)
            parameters += [("post_logout_redirect_uri", returnURI), ("state", state.exposedText)]
        }
        try EndpointQuery.checkNames(endpoint, reserved: Self.reserved, additional: additional)
        url = EndpointQuery.address(endpoint, parameters: parameters + additional)
        self.state = returnURI == nil ? nil : state
        self.endpoint = endpoint.text
        guard url.utf8.count <= Self.maximumByteCount else {
            throw IdentityConfigurationError(
                .outOfRange, "The address is longer than \(Self.maximumByteCount) bytes.")
        }
    }

    /// Checks that a returning browser comes from the logout that it began here. The check proves
    /// nothing more: the session here has already ended.
    ///
    /// - Parameters:
    ///   - query: the text after the question mark of the requested address.
    ///   - state: ``state`` of this browser's logout. Forget it now.
    /// - Throws: `stateMissing`, `stateMismatch`; `tooLarge`, `malformed`, `repeatedParameter`.
    public static func checkReturn(
        query: String, state: AuthorizationState
    ) throws(AuthorizationError) {
        try AuthorizationCallback.checkState(
            AuthorizationCallback.parameters(query), against: state)
    }

    /// The endpoint, without the parameters.
    public var description: String { "LogoutRequest(\(endpoint), parameters redacted)" }

    /// Only the endpoint.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    private static let reserved = [
        "id_token_hint", "client_id", "post_logout_redirect_uri", "state",
    ]
}
