// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import SignetIdentity
    import SignetJOSE
    import SignetBase
    import SignetSignIn
    import TestSupport

    /// A provider in the process: metadata, keys, and a token endpoint that redeems each code once.
    final class StubProvider: IdentityTransport {
        static let issuer = "https://accounts.example"
        static let client = "client"

        private let key: SigningKey
        private let nonces = Locked([String: String]())
        private let isOut = Locked(false)

        init() throws { key = try SigningKey.generate(.es256, keyID: "one") }

        /// Whether it is unreachable.
        func setOut(_ value: Bool) { isOut.withLock { $0 = value } }

        /// The person says yes: the query of the callback.
        func signIn(_ url: String, code: String = "code-1") -> String {
            let parameters = Self.parameters(url.split(separator: "?").last ?? "")
            nonces.withLock { $0[code] = parameters["nonce"] }
            return "code=\(code)&state=\(parameters["state"] ?? "")"
        }

        /// The person says no.
        func refuse(_ url: String) -> String {
            let parameters = Self.parameters(url.split(separator: "?").last ?? "")
            return "error=access_denied&state=\(parameters["state"] ?? "")"
        }

        func exchange(_ request: TransportRequest) async throws(TransportFailure)
            -> TransportResponse
        {
            guard !isOut.withLock({ $0 }) else { throw TransportFailure(.unreachable, "") }
            do {
                switch request.url.path {
                case "/.well-known/openid-configuration": return json(200, Self.metadata)
                case "/keys": return json(200, try KeySet([key.verificationKey]).jwksJSON())
                default: return try redeem(request)
                }
            } catch { throw TransportFailure(.invalidResponse, "") }
        }

        private static let metadata = """
            {"issuer":"\(issuer)","jwks_uri":"\(issuer)/keys","token_endpoint":"\(issuer)/token",\
            "authorization_endpoint":"\(issuer)/authorize"}
            """

        private func redeem(_ request: TransportRequest) throws -> TransportResponse {
            let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
            let code = Self.parameters(body[...])["code"] ?? ""
            guard let nonce = nonces.withLock({ $0.removeValue(forKey: code) }) else {
                return json(400, #"{"error":"invalid_grant"}"#)
            }
            let token = try TokenSigner(key: key, clock: .still).sign(
                ["iss": Self.issuer, "aud": Self.client, "sub": "ada", "nonce": nonce],
                lifetime: .seconds(3_600))
            return json(
                200, #"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#)
        }

        private static func parameters(_ text: Substring) -> [String: String] {
            var parameters: [String: String] = [:]
            for pair in text.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                if parts.count == 2 { parameters[parts[0]] = parts[1] }
            }
            return parameters
        }

        private func json(_ status: Int, _ body: String) -> TransportResponse {
            TransportResponse(
                status: status, fields: [.init(name: "Content-Type", value: "application/json")],
                body: Array(body.utf8))
        }
    }
#endif
