// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// `POST /device_authorization` (RFC 8628, section 3.1); `GET /device?user_code=…`, which stands
/// for the person who consents; and `POST /revoke` (RFC 7009).
struct DeviceRoutes {
    let provider: ProviderState

    func add(to router: Router<BasicRequestContext>) {
        router.post("device_authorization") { request, context -> Response in
            let form = try await Self.form(Asked.self, of: request, context)
            guard provider.configuration.clientIDs.contains(form.clientID) else {
                throw ProviderError(error: "invalid_client", description: "Unknown client.")
            }
            guard let codes = try provider.devices.add(clientID: form.clientID) else {
                throw ProviderError.invalidRequest("Too many devices wait.")
            }
            return try JSONText.response(Codes(codes.device, codes.user, provider.issuer))
        }
        router.get("device") { request, _ -> Response in
            guard let code = request.uri.queryParameters["user_code"].map(String.init),
                provider.devices.approve(code)
            else { throw ProviderError.invalidRequest("No device waits for this user_code.") }
            return try JSONText.response(["approved": true])
        }
        router.post("revoke") { request, context -> Response in
            let form = try await Self.form(Revoked.self, of: request, context)
            provider.refreshTokens.revoke(form.token, clientID: form.clientID)
            return try JSONText.response([String: String]())
        }
    }

    private static func form<Form: Decodable>(
        _ type: Form.Type, of request: Request, _ context: BasicRequestContext
    ) async throws -> Form {
        do {
            return try await URLEncodedFormDecoder().decode(type, from: request, context: context)
        } catch {
            throw ProviderError.invalidRequest("The body is a form with client_id.")
        }
    }

    private struct Asked: Decodable {
        let clientID: String

        private enum CodingKeys: String, CodingKey { case clientID = "client_id" }
    }

    private struct Revoked: Decodable {
        let token: String
        let clientID: String

        private enum CodingKeys: String, CodingKey {
            case token
            case clientID = "client_id"
        }
    }

    private struct Codes: Encodable {
        let deviceCode: String
        let userCode: String
        let verificationURI: String
        let complete: String
        let expiresIn = PendingDevices.lifetime
        let interval = 1

        init(_ device: String, _ user: String, _ issuer: String) {
            deviceCode = device
            userCode = user
            verificationURI = "\(issuer)/device"
            complete = "\(issuer)/device?user_code=\(user)"
        }

        private enum CodingKeys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case verificationURI = "verification_uri"
            case complete = "verification_uri_complete"
            case expiresIn = "expires_in"
            case interval
        }
    }
}
