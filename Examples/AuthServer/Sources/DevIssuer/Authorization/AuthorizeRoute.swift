// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import SignetSignIn

/// `GET /authorize`: consents for the configured person and sends the browser back with a code (RFC
/// 6749, section 4.1; PKCE with S256 is required, RFC 7636).
struct AuthorizeRoute {
    let provider: ProviderState

    func add(to router: Router<BasicRequestContext>) {
        router.get("authorize") { request, _ -> Response in
            let query = Self.form(request.uri).queryParameters
            func parameter(_ name: String) throws(ProviderError) -> String? {
                let values = query.getAll(name)
                guard values.count <= 1 else { throw .invalidRequest("\(name) is there twice.") }
                return values.first
            }
            // Before client and redirect URI are known to be good, the browser is sent nowhere.
            guard let clientID = try parameter("client_id"),
                provider.configuration.clientIDs.contains(clientID)
            else {
                throw ProviderError.invalidRequest(
                    "client_id is none of: \(provider.configuration.clientIDs.joined(separator: ", "))."
                )
            }
            guard let redirectURI = try parameter("redirect_uri"),
                Self.allows(redirectURI, provider.configuration.redirectURIs)
            else {
                throw ProviderError.invalidRequest(
                    "redirect_uri is none of those that were configured (--redirect-uri).")
            }
            guard try parameter("response_type") == "code" else {
                throw ProviderError.invalidRequest("response_type is code.")
            }
            guard let challenge = try parameter("code_challenge"), challenge.utf8.count == 43,
                try parameter("code_challenge_method") == "S256"
            else {
                throw ProviderError.invalidRequest(
                    "PKCE with code_challenge_method S256 is required.")
            }
            guard (try parameter("scope") ?? "").split(separator: " ").contains("openid") else {
                throw ProviderError.invalidRequest("scope holds openid.")
            }
            let code = try provider.codes.add(
                clientID: clientID, redirectURI: redirectURI, challenge: challenge,
                nonce: try parameter("nonce"))
            guard let code else { throw ProviderError.invalidRequest("Too many codes wait.") }
            let location = Self.location(
                redirectURI,
                [("code", code), ("state", try parameter("state")), ("iss", provider.issuer)])
            return Response(
                status: .found, headers: [.location: location, .cacheControl: "no-store"])
        }
    }

    private static func allows(_ uri: String, _ allowed: [String]) -> Bool {
        (try? RedirectURIs(allowed, loopbackPorts: .any))?.allows(uri) == true
    }

    /// The same address with `%20` for a space: clients write `+`, as in forms, which Hummingbird
    /// does not decode.
    private static func form(_ uri: URI) -> URI {
        URI("/authorize?" + (uri.query ?? "").replacing("+", with: "%20"))
    }

    /// The redirect URI with further parameters after its own.
    private static func location(_ uri: String, _ parameters: [(String, String?)]) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let text = parameters.compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: allowed).map { "\(name)=\($0)" }
        }.joined(separator: "&")
        return uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + text
    }
}
