// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetSignIn

/// What an identity provider answers.
extension FuzzTarget {
    /// Metadata that are read name the issuer that was asked, and encrypted endpoints.
    static let metadata = FuzzTarget(
        "metadata",
        seeds: [
            #"{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys"}"#,
            """
            {"issuer":"https://idp.example","jwks_uri":"https://[::1]:8443/keys?a=b",\
            "token_endpoint":"https://t.example/token","authorization_endpoint":"http://x.example",\
            "end_session_endpoint":"https://a.example:1/%41","userinfo_endpoint":null,\
            "id_token_signing_alg_values_supported":["RS256","none"],"scopes_supported":["a"],\
            "code_challenge_methods_supported":["S256"],"revocation_endpoint":"https://1.2.3.4/",\
            "token_endpoint_auth_methods_supported":[],"introspection_endpoint":"https://a/../b",\
            "authorization_response_iss_parameter_supported":true}
            """,
        ]
    ) { input in
        guard let issuer = try? EndpointURL("https://idp.example"),
            let metadata = try? ProviderMetadata(input, issuer: issuer)
        else { return false }
        try hold(metadata.issuer.utf8.elementsEqual(issuer.text.utf8), "the issuer")
        let endpoints = [
            metadata.jwksURI, metadata.authorizationEndpoint, metadata.tokenEndpoint,
            metadata.userInfoEndpoint, metadata.endSessionEndpoint, metadata.revocationEndpoint,
            metadata.deviceAuthorizationEndpoint, metadata.introspectionEndpoint,
        ]
        for endpoint in endpoints.compactMap(\.self) {
            try hold(endpoint.text.utf8.starts(with: "https://".utf8), "an endpoint is encrypted")
            try hold((try? EndpointURL(endpoint.text)) == endpoint, "an endpoint reads back")
        }
        return true
    }

    /// A status as the first byte, then the body. No error and no description has the request's
    /// secret or a token.
    static let token = FuzzTarget(
        "token",
        seeds: [
            #"0{"access_token":"a1","token_type":"Bearer","expires_in":3600,"scope":"openid x"}"#,
            #"0{"id_token":"e.e.e","refresh_token":"r1","expires_in":"60","scope":["a","b"]}"#,
            #"1{"error":"invalid_grant","error_description":"the code s3cret-of-the-request"}"#,
            #"2{"error":"temporarily_unavailable"}"#, #"0{"error":"","access_token":"a1"}"#,
        ]
    ) { input in
        let answer = TokenEndpointAnswer(response(input), secrets: [requestSecret])
        switch Result(catching: { try answer.tokens() }) {
        case .success(let tokens):
            try hold(tokens.accessToken != nil || tokens.idToken != nil, "there is a token")
            try hold((0...315_360_000).contains(tokens.expiresIn ?? 0), "the lifetime")
            let printable = [tokens.accessToken, tokens.idToken, tokens.refreshToken].allSatisfy {
                $0?.utf8.allSatisfy { (0x20...0x7e).contains($0) } ?? true
            }
            try hold(printable, "a token is printable")
            return true
        case .failure(let error):
            try holdSilent(error)
            return false
        }
    }

    /// The same of a device authorization: a person is sent to encrypted addresses alone.
    static let device = FuzzTarget(
        "device",
        seeds: [
            """
            0{"device_code":"d1","user_code":"ABCD-EFGH","verification_uri":"https://d.example/",\
            "verification_uri_complete":"https://d.example/?c=1","expires_in":600,"interval":5}
            """,
            """
            0{"device_code":"d1","user_code":"A","verification_url":"https://d.example",\
            "expires_in":1e3,"interval":0.5}
            """, #"1{"error":"invalid_client","error_description":"x"}"#,
        ]
    ) { input in
        let answer = response(input)
        let device = try hold("a device flow is made") {
            let token = try TokenEndpoint(
                url: EndpointURL("https://idp.example/token"), clientID: "c1",
                authentication: .clientSecretPost(requestSecret),
                transport: CannedTransport { _ in answer })
            return try DeviceAuthorization(
                endpoint: EndpointURL("https://idp.example/device"), token: token,
                clock: .fixed(secondsSince1970: 1_700_000_000))
        }
        switch await outcome({ try await device.begin() }) {
        case .success(let code):
            try hold(!code.userCode.isEmpty, "there is a code")
            for address in [
                code.verificationURI, code.completeVerificationURI ?? code.verificationURI,
            ] {
                try hold(address.text.utf8.starts(with: "https://".utf8), "an encrypted address")
            }
            try hold((.seconds(1) ... .seconds(3_600)).contains(code.lifetime), "the lifetime")
            try hold((.seconds(1) ... .seconds(60)).contains(code.interval), "the interval")
            return true
        case .failure(let error):
            try holdSilent(error)
            return false
        }
    }

    private static let requestSecret = "s3cret-of-the-request"
    private static let statuses = [200, 400, 503, 429, 201, 401, 302, 204]

    private static func response(_ input: [UInt8]) -> TransportResponse {
        let status = statuses[Int(input.first ?? 0) % statuses.count]
        return TransportResponse(
            status: status, fields: [.init(name: "Content-Type", value: "application/json")],
            body: Array(input.dropFirst()))
    }

    private static func holdSilent(_ error: any Error) throws {
        let secret = Array(requestSecret.utf8)
        for text in ["\(error)", String(reflecting: error)] {
            let text = Array(text.utf8)
            let isThere = text.indices.contains { text[$0...].starts(with: secret) }
            try hold(!isThere, "an error has no secret of the request")
        }
    }
}
