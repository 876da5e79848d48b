// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetJOSE

/// `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0) and `GET /jwks`.
struct DiscoveryRoutes {
    let provider: ProviderState

    func add(to router: Router<BasicRequestContext>) {
        router.get(".well-known/openid-configuration") { _, _ -> Response in
            try JSONText.response(Metadata(issuer: provider.issuer), cacheControl: "max-age=60")
        }
        router.get("jwks") { _, _ -> Response in
            JSONText.response(
                bytes: Array(try provider.keys.publicSet().utf8), cacheControl: "max-age=60")
        }
    }

    private struct Metadata: Encodable {
        let issuer: String
        let keys: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        let deviceEndpoint: String
        let revocationEndpoint: String
        let responseTypes = ["code"]
        let subjectTypes = ["public"]
        let algorithms = ["RS256"]
        let challengeMethods = ["S256"]
        let authenticationMethods = ["none"]
        let namesIssuerInAnswers = true

        private enum CodingKeys: String, CodingKey {
            case issuer
            case keys = "jwks_uri"
            case authorizationEndpoint = "authorization_endpoint"
            case tokenEndpoint = "token_endpoint"
            case deviceEndpoint = "device_authorization_endpoint"
            case revocationEndpoint = "revocation_endpoint"
            case responseTypes = "response_types_supported"
            case subjectTypes = "subject_types_supported"
            case algorithms = "id_token_signing_alg_values_supported"
            case challengeMethods = "code_challenge_methods_supported"
            case authenticationMethods = "token_endpoint_auth_methods_supported"
            case namesIssuerInAnswers = "authorization_response_iss_parameter_supported"
        }

        init(issuer: String) {
            self.issuer = issuer
            keys = "\(issuer)/jwks"
            authorizationEndpoint = "\(issuer)/authorize"
            tokenEndpoint = "\(issuer)/token"
            deviceEndpoint = "\(issuer)/device_authorization"
            revocationEndpoint = "\(issuer)/revoke"
        }
    }
}
