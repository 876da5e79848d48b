// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetCrypto
internal import SignetJOSE

/// `POST /token`: tokens for a code and the verifier of its challenge, for a refresh token, or for
/// a device whose code was entered.
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
                    "The body is a form with grant_type, client_id and what the grant needs.")
            }
            return try JSONText.response(try answer(to: form))
        }
    }

    private func answer(to form: Form) throws -> Answer {
        switch form.grantType {
        case "authorization_code":
            let code = try Self.member("code", form.code)
            guard let grant = provider.codes.take(code), grant.clientID == form.clientID,
                grant.redirectURI == form.redirectURI,
                try Self.challenge(of: form.verifier ?? "") == grant.challenge
            else { throw Self.invalid("The code is unknown, used, over, or another's.") }
            return try signedIn(form.clientID, nonce: grant.nonce)
        case "refresh_token":
            let next = provider.refreshTokens.exchange(
                try Self.member("refresh_token", form.refreshToken), clientID: form.clientID)
            guard let next else { throw Self.invalid("The token is unknown, used, or another's.") }
            return try answer(nil, next)
        case "urn:ietf:params:oauth:grant-type:device_code":
            let code = try Self.member("device_code", form.deviceCode)
            switch provider.devices.take(code, clientID: form.clientID) {
            case .approved: return try signedIn(form.clientID, nonce: nil)
            case .pending:
                throw ProviderError(
                    error: "authorization_pending", description: "The code was not entered yet.")
            case .unknown:
                throw ProviderError(
                    error: "expired_token", description: "The code is unknown, used or over.")
            }
        default:
            throw ProviderError(
                error: "unsupported_grant_type",
                description: "grant_type is authorization_code, refresh_token or device_code.")
        }
    }

    private func signedIn(_ clientID: String, nonce: String?) throws -> Answer {
        let wish = MintRequest(
            person: provider.configuration.person, audience: clientID, nonce: nonce)
        guard let refreshToken = try provider.refreshTokens.begin(clientID: clientID) else {
            throw ProviderError.invalidRequest("Too many are signed in.")
        }
        return try answer(try provider.idToken(wish), refreshToken)
    }

    private func answer(_ idToken: String?, _ refreshToken: String) throws -> Answer {
        Answer(
            idToken: idToken, accessToken: Base64URL.encode(try SecureRandom.bytes(count: 16)),
            refreshToken: refreshToken, expiresIn: provider.configuration.tokenLifetime)
    }

    /// Clients end a session on `invalid_grant`, so a damaged form is another error.
    private static func member(_ name: String, _ value: String?) throws(ProviderError) -> String {
        guard let value else { throw .invalidRequest("The form has no \(name).") }
        return value
    }

    private static func invalid(_ description: String) -> ProviderError {
        ProviderError(error: "invalid_grant", description: description)
    }

    private struct Form: Decodable {
        let grantType: String
        let code: String?
        let redirectURI: String?
        let clientID: String
        let verifier: String?
        let refreshToken: String?
        let deviceCode: String?

        private enum CodingKeys: String, CodingKey {
            case grantType = "grant_type"
            case code
            case redirectURI = "redirect_uri"
            case clientID = "client_id"
            case verifier = "code_verifier"
            case refreshToken = "refresh_token"
            case deviceCode = "device_code"
        }
    }

    private struct Answer: Encodable {
        let idToken: String?
        let accessToken: String
        let refreshToken: String
        let tokenType = "Bearer"
        let expiresIn: Int

        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
        }
    }

    private static func challenge(of verifier: String) throws -> String {
        Base64URL.encode(try MessageDigest.digest(verifier.utf8, using: .sha256))
    }
}
