// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import SignetSupabase
import TestSupport
import Testing

/// Each way in which Signet takes a token.
enum TokenReader: String, CaseIterable, CustomTestStringConvertible {
    case accessToken, accessTokenInHand, introspection, supabase, supabaseLegacy
    case session, rotatedRing, cookie, goTrue

    private static let issuer = "https://idp.example"
    private static let key = Result { try SigningKey.generate(.es256, keyID: "one") }
    private static let secret = Result { try HMACKey.generate(.hs256, keyID: "two") }
    private static let project = "https://project.example"

    var testDescription: String { rawValue }

    /// The code with which it refuses a bound token. GoTrue has its own for every bad token.
    var refusal: String { self == .goTrue ? "bad_jwt" : "senderBound" }

    /// Reads a token that is good but for its `cnf`.
    ///
    /// - Returns: the code of the refusal; nil where the token was accepted.
    func refusal(of shape: ConfirmationShape, _ sender: SenderRule) async throws -> String? {
        do {
            switch self {
            case .accessToken:
                _ = try await Self.verifier(sender).verify(Self.accessToken(shape))
            case .accessTokenInHand:
                let token = try Self.verifier(sender).verifyWithKeysInHand(Self.accessToken(shape))
                #expect(token != nil)
            case .introspection: try await Self.introspect(shape, sender)
            case .supabase:
                let verifier = try SupabaseTokenVerifier(
                    SupabaseProject(url: EndpointURL(Self.project)),
                    keys: .inHand(KeySet([Self.key.get().verificationKey])), sender: sender,
                    options: .still)
                _ = try await verifier.verify(
                    TokenSigner(key: Self.key.get(), clock: .still)
                        .sign(Self.supabaseClaims(shape), lifetime: .seconds(60)))
            case .supabaseLegacy:
                let verifier = try SupabaseTokenVerifier(
                    SupabaseProject(url: EndpointURL(Self.project)),
                    legacySecret: Self.secret.get(),
                    sender: sender, options: .still)
                _ = try await verifier.verify(
                    TokenSigner(hmacKey: Self.secret.get(), clock: .still)
                        .sign(Self.supabaseClaims(shape), lifetime: .seconds(60)))
            case .session:
                let sessions = try Self.sessions(sender)
                _ = try sessions.verify(
                    sessions.issue(subject: "ada", claims: shape.added(to: [:])).token)
            case .rotatedRing:
                let earlier = try Self.sessions(sender)
                let token = try earlier.issue(subject: "ada", claims: shape.added(to: [:])).token
                let sessions = RotatingSessionIssuer(earlier)
                try sessions.use(earlier.keys.rotated(to: SigningKey.generate(.es256)))
                _ = try sessions.verify(BearerToken(token))
            case .cookie:
                let sessions = try Self.sessions(sender)
                let issued = try sessions.issue(subject: "ada", claims: shape.added(to: [:]))
                let cookie = try SessionCookie()
                let presented = try cookie.token(
                    authorization: [], cookies: ["\(cookie.name)=\(issued.token)"])
                _ = try sessions.verify(presented.token)
            case .goTrue: return try await Self.goTrueAnswer(shape, sender)
            }
            return nil
        } catch let error as IdentityError {
            #expect(HTTPRefusal(error) == .invalidToken && error.claim == "cnf")
            return error.code.rawValue
        } catch let error as TokenError {
            #expect(HTTPRefusal(error) == .invalidToken && error.claim == "cnf")
            return error.code.rawValue
        }
    }

    private static func profile(_ sender: SenderRule) throws -> AccessTokenProfile {
        var profile = try AccessTokenProfile(
            issuer: issuer, audience: .anyOf(["api"]), algorithms: [.es256])
        profile.sender = sender
        return profile
    }

    private static func verifier(_ sender: SenderRule) throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            profile(sender), keys: .inHand(KeySet([key.get().verificationKey])), options: .still)
    }

    private static func accessToken(_ shape: ConfirmationShape) throws -> String {
        try TokenSigner(key: key.get(), clock: .still).sign(
            shape.added(to: ["iss": .string(issuer), "aud": "api", "sub": "ada"]),
            lifetime: .seconds(60))
    }

    private static func introspect(_ shape: ConfirmationShape, _ sender: SenderRule) async throws {
        let now = Int64(TokenVerificationOptions.still.clock.now().secondsSince1970)
        let answer = try shape.added(to: [
            "active": true, "aud": "api", "sub": "ada", "iat": .integer(now),
            "exp": .integer(now + 60), "token_type": "Bearer",
        ])
        let text = String(
            decoding: try JSONTokenEncoder().encode(JSONValue.object(answer)), as: UTF8.self)
        let introspection = try TokenIntrospection(
            profile(sender), at: EndpointURL(issuer + "/introspect"), clientID: "api",
            authentication: .clientSecretBasic("s3cret"),
            transport: FakeTransport(.body(text, ["Content-Type": "application/json"])),
            options: .still)
        _ = try await introspection.verify("opaque")
    }

    private static func supabaseClaims(
        _ shape: ConfirmationShape
    ) throws -> [String: JSONValue] {
        try shape.added(to: [
            "iss": .string(project + "/auth/v1"), "aud": "authenticated", "role": "authenticated",
            "sub": "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10",
        ])
    }

    private static func sessions(_ sender: SenderRule) throws -> SessionTokenIssuer {
        try SessionTokenIssuer(
            issuer: "https://api.example", audience: "session",
            keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600),
            sender: sender,
            clock: .still)
    }

    private static func goTrueAnswer(
        _ shape: ConfirmationShape, _ sender: SenderRule
    ) async throws -> String? {
        let scene = try await Scene(sender: sender)
        let grant = try await scene.signIn()
        let issuer = scene.service.sessions.issuer
        let session = try issuer.verify(grant.accessToken)
        let token = try issuer.issue(
            subject: session.subject, sessionID: session.sessionID, claims: shape.added(to: [:]))
        let answer = try await scene.call("GET /user", bearer: token.token)
        #expect(answer.status == (answer.code == nil ? 200 : 403))
        return answer.code
    }
}
