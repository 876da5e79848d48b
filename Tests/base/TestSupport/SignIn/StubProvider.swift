// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase
package import SignetIdentity
package import SignetJOSE
import SignetSignIn
import Testing

/// A provider in the process, so that a test can go wrong at each step: metadata, keys, and a token
/// endpoint that redeems each code once and checks the verifier. Real ones are in the tests
/// of other implementations (SignetIdentityTests/Interop).
package final class StubProvider: IdentityTransport {
    package struct Claims: Encodable {
        let iss: String
        let aud: String
        let sub: String
        let nonce: String?

        package init(iss: String, aud: String, sub: String, nonce: String?) {
            (self.iss, self.aud, self.sub, self.nonce) = (iss, aud, sub, nonce)
        }
    }

    package struct State {
        package var codes: [String: (challenge: String?, nonce: String?)] = [:]
        package var requests: [String: Int] = [:]
        package var outages: Set<String> = []
        package var idToken: (@Sendable (StubProvider, String?) throws -> String?)?
        package var metadata = ""
        /// Where the token endpoint is.
        package var tokenPath = "/token"
        /// What other paths answer; 404 where none is named.
        package var answers: [String: TransportResponse] = [:]
    }

    package static let issuer = "https://accounts.example"
    package static let client = "client"
    package static let redirectURI = "https://app.example/callback"
    package let key: SigningKey
    package let state = Locked(State())

    private let issuer: String

    /// - Parameter metadata: further members, each after a comma.
    package init(issuer: String = StubProvider.issuer, metadata: String = "") throws {
        self.issuer = issuer
        key = try SigningKey.generate(.es256, keyID: "one")
        state.withLock { $0.metadata = metadata }
    }

    /// The browser's part: the person says yes, and is sent back. The query of the callback.
    package func signIn(_ url: String, code: String = "code-1") throws -> String {
        let query = try #require(url.split(separator: "?").last)
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            parameters[parts[0]] = parts[1]
        }
        #expect(url.hasPrefix(Self.issuer + "/authorize?") && parameters["response_type"] == "code")
        let (challenge, nonce) = (parameters["code_challenge"], parameters["nonce"])
        state.withLock { $0.codes[code] = (challenge, nonce) }
        return "code=\(code)&state=\(try #require(parameters["state"]))"
    }

    package func token(nonce: String?, subject: String = "user") throws -> String {
        try TokenSigner(key: key, clock: .still).sign(
            Claims(iss: Self.issuer, aud: Self.client, sub: subject, nonce: nonce),
            lifetime: .seconds(3_600))
    }

    package func requests(_ path: String) -> Int { state.withLock { $0.requests[path] ?? 0 } }

    package func exchange(_ request: TransportRequest) async throws(TransportFailure)
        -> TransportResponse
    {
        let path = request.url.path
        let isOut = state.withLock {
            $0.requests[path, default: 0] += 1
            return $0.outages.contains(path)
        }
        if isOut { throw TransportFailure(.unreachable, "") }
        do {
            switch path {
            case "/.well-known/openid-configuration": return json(200, metadata)
            case "/keys": return json(200, try KeySet([key.verificationKey]).jwksJSON())
            case state.withLock { $0.tokenPath }: return try redeem(request)
            default: return state.withLock { $0.answers[path] } ?? json(404, "{}")
            }
        } catch {
            throw TransportFailure(.invalidResponse, "")
        }
    }

    private var metadata: String {
        let base = Self.issuer
        let (more, token) = state.withLock { ($0.metadata, $0.tokenPath) }
        return "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(base)/keys\","
            + "\"authorization_endpoint\":\"\(base)/authorize\",\"token_endpoint\":\"\(base)\(token)\"\(more)}"
    }

    private func redeem(_ request: TransportRequest) throws -> TransportResponse {
        guard request.method == .post, let bytes = request.body?.bytes else {
            return json(405, "{}")
        }
        var parameters: [String: String] = [:]
        for pair in String(decoding: bytes, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            parameters[parts[0]] = parts[1]
        }
        let code = parameters["code"] ?? ""
        let known = state.withLock { $0.codes.removeValue(forKey: code) }
        let proof = try parameters["code_verifier"].map { try PKCE(verifier: $0).challenge }
        guard let known, known.challenge == proof else {
            return json(400, "{\"error\":\"invalid_grant\"}")
        }
        let make =
            state.withLock { $0.idToken } ?? { provider, nonce in try provider.token(nonce: nonce) }
        let idToken = try make(self, known.nonce).map { ",\"id_token\":\"\($0)\"" } ?? ""
        return json(200, "{\"access_token\":\"at-secret\",\"token_type\":\"Bearer\"\(idToken)}")
    }

    private func json(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            status: status, fields: [.init(name: "Content-Type", value: "application/json")],
            body: Array(body.utf8))
    }
}
