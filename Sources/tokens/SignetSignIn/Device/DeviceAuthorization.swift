// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// Signs in a device without a browser (RFC 8628): the person types a code on another device.
///
/// ```swift
/// let device = try DeviceAuthorization(
///     endpoint: EndpointURL("https://idp.example/device"), token: tokens)
///
/// let code = try await device.begin()
/// print("Go to \(code.verificationURI) and type \(code.userCode)")
/// return try await device.tokens(for: code)
/// ```
///
/// The provider gives two codes: the person types the user code, and this program sends the device
/// code with each poll, which asks whether the person has approved.
///
/// **Not** verified: the tokens. Pass an ID token to an ID token verifier that expects no nonce,
/// since this flow has none. Who typed the code is not known either: an attacker who gets another
/// person to enter the attacker's code receives that person's tokens, a weakness of this flow
/// (section 5.4).
public struct DeviceAuthorization: Sendable {
    private let endpoint: EndpointURL
    private let token: TokenEndpoint
    private let scopes: [String]
    private let clock: TimeSource

    /// Makes a way to sign in.
    ///
    /// - Parameters:
    ///   - endpoint: `device_authorization_endpoint` of the provider's metadata.
    ///   - token: the token endpoint of the same provider, with the client that signs in.
    ///   - scopes: without `openid` there is no ID token.
    ///   - clock: the clock for expiry and polling.
    /// - Throws: `invalidIdentifier` for an impossible scope.
    public init(
        endpoint: EndpointURL, token: TokenEndpoint, scopes: [String] = ["openid"],
        clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        try Identifier.checkScopes(scopes)
        self.endpoint = endpoint
        self.token = token
        self.scopes = scopes
        self.clock = clock
    }

    /// Requests the codes.
    ///
    /// - Throws: `refused` with the provider's error, `unavailable`, `invalidResponse` (also for a
    ///   code or address that is unsafe on a terminal), `cancelled`.
    public func begin() async throws(AuthorizationError) -> DeviceCode {
        let start = clock.elapsed()
        let scope = (name: "scope", value: scopes.joined(separator: " "))
        // `from` names the endpoint in errors, which leave out each of `secrets`.
        let answer = try await token.client.ask(
            scopes.isEmpty ? [] : [scope], at: endpoint, from: "device authorization endpoint",
            secrets: [])
        return try DeviceCodeAnswer(try answer.root(), from: endpoint).deviceCode(
            requestedAt: start)
    }

    /// Polls until the person has approved. The pause between polls is ``DeviceCode/interval``. It
    /// grows by 5 s each time that the provider asks for it, by `slow_down` or the status 429
    /// (section 3.5), and doubles, up to a minute, after a request without an answer. A
    /// `Retry-After` is respected. The last poll comes a second before the codes expire.
    ///
    /// - Throws: `expired` if the codes have expired; `refused` with `access_denied` if the person
    ///   declined, or with any further error of the provider; `invalidResponse`, `cancelled`.
    public func tokens(
        for code: DeviceCode
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        var pace = DevicePollingPace(interval: code.interval)
        while let pause = pace.pause(before: code.end - clock.elapsed()) {
            await clock.sleep(for: pause)
            guard !Task.isCancelled else {
                throw AuthorizationError(.cancelled, "The sign-in was cancelled.")
            }
            do {
                return try await poll(with: code)
            } catch {
                try Self.adaptPace(&pace, to: error)
            }
        }
        throw Self.expired
    }

    /// Polls once (section 3.4).
    private func poll(
        with code: DeviceCode
    ) async throws(AuthorizationError) -> TokenEndpointResponse {
        let parameters = [
            (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
            (name: "device_code", value: code.exposedDeviceCode),
        ]
        let secrets = [code.exposedDeviceCode]
        return try await token.client.ask(parameters, at: token.url, secrets: secrets).tokens()
    }

    /// Adapts the pace to a failed poll, or ends the polling by throwing.
    private static func adaptPace(
        _ pace: inout DevicePollingPace, to error: AuthorizationError
    ) throws(AuthorizationError) {
        // The provider's own error, if a specification defines it.
        let name = error.refusal?.registeredError
        let isTooFast = error.code == .unavailable && error.status == 429
        if isTooFast || name == "slow_down" {
            pace.slowDown(retryAfter: error.retryAfter)
            return
        }
        switch (error.code, name) {
        case (.unavailable, _): pace.backOff(retryAfter: error.retryAfter)
        case (.refused, "authorization_pending"): pace.keepPace()
        case (.refused, "expired_token"): throw expired
        // The person declined, or nothing that a later poll would change.
        default: throw error
        }
    }

    private static let expired = AuthorizationError(
        .expired, "The code was not entered in time. Begin a new sign-in.")
}

extension DeviceAuthorization: Redacted {}
