// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetIdentity
internal import SignetSession
internal import SignetSignIn
internal import SignetVault

/// What `signet login` keeps of an account besides its session: where to ask, and as which client.
struct AccountSettings: Codable, Sendable {
    /// A server that speaks OpenID Connect.
    struct OpenID: Codable, Sendable {
        var issuer: String
        var algorithms: [String]
        var clientID: String
        /// Of a provider that gives native programs one.
        var clientSecret: String?
        var scopes: [String]
        var tokenEndpoint: String
        var revocationEndpoint: String?
        var subject: String
    }

    var version = 1
    var openID: OpenID
    /// Whom it is shown as.
    var user: String
    /// Where the server deletes the account.
    var deletionURL: String?

    /// Who vouches for the user.
    var issuer: String { openID.issuer }

    /// What exchanges and ends the account's tokens.
    func backend() throws -> any SessionBackend {
        let revocation = try openID.revocationEndpoint.map { text in try EndpointURL(text) }
        let subject = openID.subject
        return OAuthBackend(
            try tokenEndpoint(), revocation: revocation, user: { _ in subject })
    }

    func tokenEndpoint() throws -> TokenEndpoint {
        try TokenEndpoint(
            url: EndpointURL(openID.tokenEndpoint), clientID: openID.clientID,
            authentication: openID.authentication, transport: CurlTransport.curl,
            timeout: .seconds(20))
    }
}

extension AccountSettings.OpenID {
    var authentication: ClientAuthentication {
        clientSecret.map { .clientSecretPost($0) } ?? .none
    }
}
