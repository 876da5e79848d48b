// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import Hummingbird
    internal import SignetIdentity
    internal import SignetJOSE

    /// The document that clients read first: where the endpoints are, and what they take (RFC
    /// 8414).
    struct ServerMetadata {
        /// Where the document is: the well-known name before the path of the issuer (section 3.1).
        let path: RouterPath
        let document: String

        /// - Parameters:
        ///   - issuer: `iss` of the access tokens, an address without a query.
        ///   - endpoints: the path of the endpoints, at the issuer's origin.
        /// - Throws: `invalidURL` for an issuer that is no address.
        init(
            issuer: String, endpoints: RouterPath, keySet: RouterPath
        ) throws(IdentityConfigurationError) {
            let url = try EndpointURL(issuer)
            guard url.query == nil else {
                throw IdentityConfigurationError(
                    .invalidURL, "The issuer is an address with a query: expected one without.")
            }
            // The router ignores a final slash, which section 3.1 drops.
            path = RouterPath("/.well-known/oauth-authorization-server" + url.path)
            let octets = url.text.utf8.dropLast(url.path.utf8.count)
            let origin = String(decoding: octets, as: UTF8.self)
            func address(_ path: RouterPath) -> JSONValue { .string(origin + path.description) }
            let members: [String: JSONValue] = [
                "issuer": .string(issuer),
                "token_endpoint": address(endpoints.appendingPath("token")),
                "revocation_endpoint": address(endpoints.appendingPath("revoke")),
                "userinfo_endpoint": address(endpoints.appendingPath("userinfo")),
                "jwks_uri": address(keySet),
                "grant_types_supported": ["refresh_token"],
                "response_types_supported": [],
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"],
            ]
            do throws(JSONError) {
                document = String(
                    decoding: try StrictJSON.encode(JSONValue.object(members)), as: UTF8.self)
            } catch {
                throw IdentityConfigurationError(
                    .invalidURL, underlying: error, "The metadata do not encode.")
            }
        }
    }
#endif
