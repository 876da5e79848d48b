// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetLogin
import TestSupport

/// An OpenID provider in the process, and an API for its tokens. It has a device flow, ends a
/// session whose refresh token comes twice, and can be down or move.
final class StubIssuer: IdentityTransport {
    static let issuer = "https://idp.example"
    static let lifetime = Duration.seconds(60)

    struct State {
        var isDown = false
        /// Whether the person declines.
        var declines = false
        /// The members that the answer with tokens lacks.
        var leavesOut: Set<String> = []
        /// Where the token endpoint is; the other places answer 404.
        var tokenPath = "/token"
        var requests: [String: Int] = [:]
        /// How many tokens have been given; the newest is good.
        var tokenCount = 0
        fileprivate var refreshTokens: Set<String> = []
    }

    private struct Claims: Encodable {
        let iss: String
        let aud = "notes"
        let sub = "user-1"
        let email = "ada@company.example"
        let emailVerified = true

        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, email
            case emailVerified = "email_verified"
        }
    }

    let state = Locked(State())
    private let key: SigningKey
    private let clock: TimeSource
    private let base: String

    init(clock: TimeSource, issuer: String = StubIssuer.issuer) throws {
        key = try SigningKey.generate(.es256, keyID: "one")
        self.clock = clock
        base = issuer
    }

    /// A transport that reaches this provider, and everything else at the other one.
    func beside(_ other: StubIssuer) -> FakeTransport {
        FakeTransport { [self] request in
            let isHere = request.url.text.hasPrefix(base + "/")
            do throws(TransportFailure) {
                return .success(try await (isHere ? self : other).exchange(request))
            } catch {
                return .failure(error)
            }
        }
    }

    func requests(_ path: String) -> Int { state.withLock { $0.requests[path] ?? 0 } }

    /// How many sessions it knows.
    var sessionCount: Int { state.withLock { $0.refreshTokens.count } }

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let path = request.url.path
        let tokenPath = state.withLock { $0.tokenPath }
        let isDown = state.withLock { state in
            state.requests[path, default: 0] += 1
            return state.isDown
        }
        if isDown { throw TransportFailure(.unreachable, "It is down.") }
        do {
            switch path {
            case "/.well-known/openid-configuration": return Self.json(200, metadata(tokenPath))
            case "/keys": return Self.json(200, try KeySet([key.verificationKey]).jwksJSON())
            case "/device":
                return Self.json(
                    200,
                    #"{"device_code":"device-1","user_code":"WDJB-MJHT","expires_in":600,"#
                        + #""interval":1,"verification_uri":"https://idp.example/activate"}"#)
            case tokenPath: return try tokens(Self.form(request))
            case "/revoke":
                let token = Self.form(request)["token"] ?? ""
                state.withLock { _ = $0.refreshTokens.remove(token) }
                return Self.json(200, "")
            case "/me":
                let isGood = state.withLock {
                    request.authorization == "Bearer at-\($0.tokenCount)"
                }
                return isGood ? Self.json(200, #"{"name":"Ada"}"#) : Self.json(401, "{}")
            default: return Self.json(404, "{}")
            }
        } catch {
            throw TransportFailure(.invalidResponse, "")
        }
    }

    private func metadata(_ tokenPath: String) -> String {
        return "{\"issuer\":\"\(base)\",\"jwks_uri\":\"\(base)/keys\","
            + "\"authorization_endpoint\":\"\(base)/authorize\","
            + "\"token_endpoint\":\"\(base)\(tokenPath)\","
            + "\"device_authorization_endpoint\":\"\(base)/device\","
            + "\"revocation_endpoint\":\"\(base)/revoke\"}"
    }

    private func tokens(_ form: [String: String]) throws -> TransportResponse {
        let refreshToken = form["refresh_token"]
        let refusal = state.withLock { state -> String? in
            guard let refreshToken else { return state.declines ? "access_denied" : nil }
            return state.refreshTokens.remove(refreshToken) == nil ? "invalid_grant" : nil
        }
        if let refusal { return Self.json(400, "{\"error\":\"\(refusal)\"}") }
        let (number, absent) = state.withLock { state in
            state.tokenCount += 1
            if !state.leavesOut.contains("refresh_token") {
                state.refreshTokens.insert("rt-\(state.tokenCount)")
            }
            return (state.tokenCount, state.leavesOut)
        }
        let idToken = try TokenSigner(key: key, clock: clock).sign(
            Claims(iss: base), lifetime: .seconds(3_600))
        let tokens = [
            "access_token": "at-\(number)", "refresh_token": "rt-\(number)",
            "id_token": "\(idToken)",
        ]
        let members = tokens.filter { !absent.contains($0.key) }
            .map { "\"\($0.key)\":\"\($0.value)\"," }.joined()
        return Self.json(200, "{\(members)\"token_type\":\"Bearer\",\"expires_in\":60}")
    }

    private static func form(_ request: TransportRequest) -> [String: String] {
        var form: [String: String] = [:]
        for pair in String(decoding: request.body?.bytes ?? [], as: UTF8.self).split(separator: "&")
        {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            form[String(parts[0])] = String(parts[1])
        }
        return form
    }

    private static func json(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            status: status, fields: [.init(name: "Content-Type", value: "application/json")],
            body: Array(body.utf8))
    }
}
