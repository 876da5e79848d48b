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
            JSONText.response(bytes: Array(try provider.keys.publicSet().utf8), cacheControl: "max-age=60")
        }
    }

    private struct Metadata: Encodable {
        let issuer: String
        let jwks_uri: String
        let authorization_endpoint: String
        let token_endpoint: String
        let response_types_supported = ["code"]
        let subject_types_supported = ["public"]
        let id_token_signing_alg_values_supported = ["RS256"]
        let code_challenge_methods_supported = ["S256"]
        let token_endpoint_auth_methods_supported = ["none"]
        let authorization_response_iss_parameter_supported = true

        private enum CodingKeys: CodingKey {
            case issuer, jwks_uri, authorization_endpoint, token_endpoint, response_types_supported,
                subject_types_supported, id_token_signing_alg_values_supported,
                code_challenge_methods_supported,
                token_endpoint_auth_methods_supported, authorization_response_iss_parameter_supported
        }

        init(issuer: String) {
            self.issuer = issuer
            jwks_uri = "\(issuer)/jwks"
            authorization_endpoint = "\(issuer)/authorize"
            token_endpoint = "\(issuer)/token"
        }
    }
}
