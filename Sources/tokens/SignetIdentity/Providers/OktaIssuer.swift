// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An authorization server of Okta, and the location of its keys.
struct OktaIssuer {
    let text: String
    let keys: String

    /// - Parameter server: the authorization server's identifier; nil for the organization's own
    ///   server.
    init(_ domain: String, server: String?) throws(IdentityConfigurationError) {
        let host = try Identifier.domain(domain)
        guard let server else {
            text = "https://\(host)"
            keys = "https://\(host)/oauth2/v1/keys"
            return
        }
        text =
            "https://\(host)/oauth2/\(try Identifier.pathSegment(server, as: "authorization server"))"
        keys = text + "/v1/keys"
    }
}
