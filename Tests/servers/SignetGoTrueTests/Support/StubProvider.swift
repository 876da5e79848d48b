// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// A provider in the process: metadata, keys, and a token endpoint that redeems each code once.
final class StubProvider: IdentityTransport {
    static let issuer = "https://accounts.example"
    static let client = "shop"

    let key: SigningKey
    private let redirectURI: String
    /// Whether the tokens of a browser's sign-in lack the name, as Apple's do.
    let hidesNames = Locked(false)
    private let nonces = Locked([String: (challenge: String, nonce: String, subject: String)]())

    init(redirectURI: String) throws {
        self.redirectURI = redirectURI
        key = try SigningKey.generate(.es256, keyID: "one")
    }

    func signIn(
        refusesHeldBackKeys: Bool = false, store: (any SignInStore)? = nil
    ) throws -> SignIn {
        var options = TokenVerificationOptions.still
        options.keySet.refusesHeldBackKeys = refusesHeldBackKeys
        let rules = try IdentityProvider.openID(
            issuer: Self.issuer, clientIDs: [Self.client], algorithms: [.es256])
        let sealed = SignIn.Keeping.cookie(
            sealedWith: SecretKey(copying: [UInt8](repeating: 7, count: 32)))
        return try SignIn(
            rules, authentication: .clientSecretPost("secret"), redirectURI: redirectURI,
            keeping: store.map { .store($0) } ?? sealed,
            transport: self, options: options)
    }

    /// An ID token as an app gets it.
    func idToken(
        _ subject: String, audience: String = client, nonce: String? = nil,
        email: String = Scene.email, with other: [String: JSONValue?] = [:]
    ) throws -> String {
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": .string(audience), "sub": .string(subject),
            "email": .string(email), "email_verified": true, "name": "Ann Example",
        ]
        claims["nonce"] = nonce.map { .string($0) }
        for (name, value) in other { claims[name] = value }
        return try TokenSigner(key: key, clock: .still).sign(claims, lifetime: .seconds(3_600))
    }

    /// The browser's part: the person says yes, and is sent back. The query of the callback.
    func visit(_ url: String, subject: String, code: String = "code-1") throws -> String {
        var parameters: [String: String] = [:]
        for pair in try #require(url.split(separator: "?").last).split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            parameters[parts[0]] = parts[1]
        }
        let challenge = try #require(parameters["code_challenge"])
        let nonce = try #require(parameters["nonce"])
        nonces.withLock { $0[code] = (challenge, nonce, subject) }
        return "code=\(code)&state=\(try #require(parameters["state"]))"
    }

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        do {
            switch request.url.path {
            case "/.well-known/openid-configuration": return json(200, Self.metadata)
            case "/keys": return json(200, try KeySet([key.verificationKey]).jwksJSON())
            case "/token": return try redeem(request)
            default: return json(404, "{}")
            }
        } catch {
            throw TransportFailure(.invalidResponse, "")
        }
    }

    private static let metadata = """
        {"issuer":"\(issuer)","jwks_uri":"\(issuer)/keys","token_endpoint":"\(issuer)/token",\
        "authorization_endpoint":"\(issuer)/authorize"}
        """

    private func redeem(_ request: TransportRequest) throws -> TransportResponse {
        var parameters: [String: String] = [:]
        for pair in String(decoding: request.body?.bytes ?? [], as: UTF8.self).split(separator: "&")
        {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            parameters[parts[0]] = parts[1]
        }
        let known = nonces.withLock { $0.removeValue(forKey: parameters["code"] ?? "") }
        let proof = try parameters["code_verifier"].map { try PKCE(verifier: $0).challenge }
        guard let known, known.challenge == proof else {
            return json(400, "{\"error\":\"invalid_grant\"}")
        }
        let other: [String: JSONValue?] = hidesNames.withLock { $0 } ? ["name": nil] : [:]
        let token = try idToken(known.subject, nonce: known.nonce, with: other)
        return json(
            200, "{\"access_token\":\"at\",\"token_type\":\"Bearer\",\"id_token\":\"\(token)\"}")
    }

    private func json(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            status: status, fields: [.init(name: "Content-Type", value: "application/json")],
            body: Array(body.utf8))
    }
}
