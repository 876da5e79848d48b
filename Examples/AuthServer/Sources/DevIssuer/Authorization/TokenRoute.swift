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
                form = try await URLEncodedFormDecoder().decode(Form.self, from: request, context: context)
            } catch {
                throw ProviderError.invalidRequest(
                    "The body is a form with grant_type, code, redirect_uri, client_id and code_verifier.")
            }
            guard form.grant_type == "authorization_code" else {
                throw ProviderError(
                    error: "unsupported_grant_type", description: "grant_type is authorization_code.")
            }
            guard let grant = provider.codes.take(form.code), grant.clientID == form.client_id,
                grant.redirectURI == form.redirect_uri,
                try Self.challenge(of: form.code_verifier) == grant.challenge
            else {
                throw ProviderError(
                    error: "invalid_grant", description: "The code is unknown, used, over, or another's.")
            }
            let wish = MintRequest(
                person: provider.configuration.person, audience: grant.clientID, nonce: grant.nonce)
            return try JSONText.response(
                Answer(
                    id_token: try provider.idToken(wish),
                    access_token: Base64URL.encode(try SecureRandom.bytes(count: 16))))
        }
    }

    private struct Form: Decodable {
        let grant_type: String
        let code: String
        let redirect_uri: String
        let client_id: String
        let code_verifier: String
    }

    private struct Answer: Encodable {
        let id_token: String
        let access_token: String
        let token_type = "Bearer"
        let expires_in = 3_600

        private enum CodingKeys: CodingKey {
            case id_token, access_token, token_type, expires_in
        }
    }

    private static func challenge(of verifier: String) throws -> String {
        Base64URL.encode(try MessageDigest.digest(verifier.utf8, using: .sha256))
    }
}
