// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetCrypto
internal import SignetJOSE

/// `POST /token`: an ID token for a code and the verifier of its challenge.
struct TokenRoute {
    let provider: ProviderState

    func add(to router: Router<BasicRequestContext>) {
        router.post("token") { request, context -> Response in
            let form: Form
            do {
                form = try await URLEncodedFormDecoder().decode(
                    Form.self, from: request, context: context)
            } catch {
                throw ProviderError.invalidRequest(
                    "The body is a form with grant_type, code, redirect_uri, client_id and code_verifier."
                )
            }
            guard form.grantType == "authorization_code" else {
                throw ProviderError(
                    error: "unsupported_grant_type",
                    description: "grant_type is authorization_code.")
            }
            guard let grant = provider.codes.take(form.code), grant.clientID == form.clientID,
                grant.redirectURI == form.redirectURI,
                try Self.challenge(of: form.verifier) == grant.challenge
            else {
                throw ProviderError(
                    error: "invalid_grant",
                    description: "The code is unknown, used, over, or another's.")
            }
            let wish = MintRequest(
                person: provider.configuration.person, audience: grant.clientID, nonce: grant.nonce)
            return try JSONText.response(
                Answer(
                    idToken: try provider.idToken(wish),
                    accessToken: Base64URL.encode(try SecureRandom.bytes(count: 16))))
        }
    }

    private struct Form: Decodable {
        let grantType: String
        let code: String
        let redirectURI: String
        let clientID: String
        let verifier: String

        private enum CodingKeys: String, CodingKey {
            case grantType = "grant_type"
            case code
            case redirectURI = "redirect_uri"
            case clientID = "client_id"
            case verifier = "code_verifier"
        }
    }

    private struct Answer: Encodable {
        let idToken: String
        let accessToken: String
        let tokenType = "Bearer"
        let expiresIn = 3_600

        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case accessToken = "access_token"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
        }
    }

    private static func challenge(of verifier: String) throws -> String {
        Base64URL.encode(try MessageDigest.digest(verifier.utf8, using: .sha256))
    }
}
