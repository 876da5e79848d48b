// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetIdentity
public import SignetJOSE

/// How a client authenticates to a provider's endpoints (RFC 6749, section 2.3.1; RFC 7523).
/// Printing shows nothing of the secret.
public struct ClientAuthentication: Sendable, CustomStringConvertible, CustomReflectable {
    enum Method: String {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
    }

    /// The client's part of a request.
    struct Proof {
        var parameters: [(name: String, value: String)] = []
        var authorization: String?
        /// Texts that must not appear in an error.
        var secrets: [String] = []
    }

    let method: Method
    private let secret: SecretKey
    private let assertion: ClientAssertion?

    /// No authentication: for a native or browser app, which cannot keep a secret. PKCE binds its
    /// code and cannot be left out.
    public static let none = ClientAuthentication(.none, secret: "")

    /// A secret in `Authorization`, which every provider supports. The secret is form-encoded first
    /// (RFC 6749, section 2.3.1), which some servers do not undo: for a secret with characters
    /// besides letters, digits and `-._~` prefer ``clientSecretPost(_:)``.
    public static func clientSecretBasic(_ secret: String) -> ClientAuthentication {
        ClientAuthentication(.basic, secret: secret)
    }

    /// A secret in the body, for example for Apple, whose secret is a signed token of at most six
    /// months.
    public static func clientSecretPost(_ secret: String) -> ClientAuthentication {
        ClientAuthentication(.post, secret: secret)
    }

    /// A token that the client signs for each request (`private_key_jwt`; RFC 7523, OpenID Connect
    /// Core 1.0, section 9). The server has the public key, and no secret crosses the wire.
    ///
    /// The token has the client as `iss` and `sub`, the key's `kid`, a random `jti`, and `audience`
    /// as its only `aud`. You name the audience here; it never comes from a server's metadata.
    /// Otherwise a hostile server could name an honest server's endpoint in its metadata and use
    /// the token itself (audience injection, CVE-2025-27370). **Not** checked: that the endpoint
    /// belongs to the audience. A separate key for each server keeps the servers' tokens apart
    /// anyway.
    ///
    /// - Parameters:
    ///   - key: the client's private key, whose `kid` the provider knows.
    ///   - audience: the server's issuer, as in its metadata. If a server accepts only the address
    ///     of its token endpoint, give that address.
    ///   - lifetime: 1 to 300 s; a server whose clock is ahead by more rejects the token.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    public static func privateKeyJWT(
        _ key: SigningKey, audience: String, lifetime: Duration = .seconds(60),
        clock: TimeSource = .system
    ) -> ClientAuthentication {
        ClientAuthentication(
            .privateKeyJWT, secret: "",
            assertion: ClientAssertion(
                key: key, audience: audience, lifetime: lifetime, clock: clock))
    }

    private init(_ method: Method, secret: String, assertion: ClientAssertion? = nil) {
        self.method = method
        self.secret = SecretKey(copying: secret.utf8)
        self.assertion = assertion
    }

    /// - Throws: `invalidIdentifier`, `outOfRange`, `invalidSecret`.
    func check() throws(IdentityConfigurationError) {
        try assertion?.check()
        guard method == .none || assertion != nil || (1...8_192).contains(secret.byteCount) else {
            throw IdentityConfigurationError(
                .invalidSecret, "A client secret has 1 to 8,192 bytes.")
        }
    }

    /// What a request sends to show that it is this client's.
    func proof(of clientID: String) throws(AuthorizationError) -> Proof {
        if let assertion {
            let token = try assertion.token(for: clientID)
            return Proof(
                parameters: [
                    ("client_id", clientID), ("client_assertion_type", ClientAssertion.type),
                    ("client_assertion", token),
                ], secrets: [token])
        }
        let secret = exposedSecret
        switch method {
        case .none, .privateKeyJWT: return Proof(parameters: [("client_id", clientID)])
        case .basic:
            // RFC 6749, section 2.3.1: identifier and secret are encoded before they are joined, so
            // that a colon in either does not move the border.
            let pair = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret)
            let credentials = Base64Standard.encode(pair.utf8)
            return Proof(
                authorization: "Basic " + credentials, secrets: [secret, credentials])
        case .post:
            return Proof(
                parameters: [("client_id", clientID), ("client_secret", secret)],
                secrets: [secret])
        }
    }

    private var exposedSecret: String {
        secret.withExposedBytes { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
    }

    /// The method, nothing of the secret.
    public var description: String { "ClientAuthentication(\(method.rawValue), redacted)" }

    /// Only the method.
    public var customMirror: Mirror { Mirror(self, children: ["method": method.rawValue]) }
}
