// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Synchronization

/// A sign-in with a known key, at a provider that always gives the same ID token.
struct SignInFixture: Sendable {
    static let shared = Result { try SignInFixture() }
    static let nonce = "n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj"
    private static let issuer = "https://idp.example"
    private static let redirect = "https://app.example/callback"

    let signIn: SignIn
    /// The last body that the token endpoint got.
    let sent: Sent
    private let key = SecretKey(copying: [UInt8](repeating: 7, count: 32))

    final class Sent: Sendable {
        private let body = Mutex<[UInt8]?>(nil)

        func withLock<Value: Sendable>(_ use: (inout sending [UInt8]?) -> sending Value) -> Value {
            body.withLock(use)
        }
    }

    private init() throws {
        let clock = TimeSource.fixed(secondsSince1970: 1_700_000_000)
        let signing = try SigningKey.generate(.es256, keyID: "k1")
        let claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": "c1", "sub": "u1", "nonce": .string(Self.nonce),
        ]
        let token = try TokenSigner(key: signing, clock: clock).sign(
            claims, lifetime: .seconds(3_600))
        let answers = [
            "openid-configuration": """
            {"issuer":"\(Self.issuer)","jwks_uri":"\(Self.issuer)/keys",\
            "authorization_endpoint":"\(Self.issuer)/begin",\
            "token_endpoint":"\(Self.issuer)/token"}
            """,
            "keys": try KeySet([signing.verificationKey]).jwksJSON(),
            "token": "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"\(token)\"}",
        ]
        let sent = Sent()
        self.sent = sent
        let transport = CannedTransport { request in
            if let body = request.body { sent.withLock { $0 = body.bytes } }
            let name = request.url.path.split(separator: "/").last.map(String.init) ?? ""
            return TransportResponse(
                status: 200, fields: [.init(name: "Content-Type", value: "application/json")],
                body: Array((answers[name] ?? "").utf8))
        }
        var options = TokenVerificationOptions()
        options.clock = clock
        options.keySet.clock = clock
        signIn = try SignIn(
            .openID(issuer: Self.issuer, clientIDs: ["c1"], algorithms: [.es256]),
            authentication: .clientSecretPost("secret"), redirectURI: Self.redirect,
            keeping: .cookie(sealedWith: key), transport: transport, options: options)
    }

    /// A ticket with these lines, as SignIn seals its own.
    func sealed(_ lines: [UInt8]) throws -> String {
        let context = "signet sign-in\n\(Self.issuer)\nc1\n\(Self.redirect)"
        return Base64URL.encode(
            try XAES256GCM.seal(lines, using: key, authenticating: Array(context.utf8)))
    }
}
