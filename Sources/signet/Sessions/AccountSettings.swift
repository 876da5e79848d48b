// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetIdentity
internal import SignetSession
internal import SignetSignIn
internal import SignetSupabase
internal import SignetVault

/// What `signet login` keeps of an account besides its session: which server to ask, and as which
/// client.
struct AccountSettings: Codable, Sendable {
    /// A server that speaks OpenID Connect.
    struct OpenID: Codable, Sendable {
        var issuer: String
        var algorithms: [String]
        var clientID: String
        /// The client's secret, if the provider gives native programs one.
        var clientSecret: String?
        var scopes: [String]
        var tokenEndpoint: String
        var revocationEndpoint: String?
        var subject: String
    }

    /// A Supabase project.
    struct Supabase: Codable, Sendable {
        var url: String
        /// The project's publishable key.
        var key: String
    }

    var version = 1
    /// Exactly one of `openID` and `supabase` is set.
    var openID: OpenID?
    var supabase: Supabase?
    /// The name under which the account is shown.
    var user: String
    /// The address at which the server deletes the account.
    var deletionURL: String?

    /// The server that vouches for the user.
    var issuer: String { openID?.issuer ?? supabase?.url ?? "" }

    /// The backend that exchanges and revokes the account's tokens.
    func backend() throws -> any SessionBackend {
        if let openID { return try openID.backend() }
        if let supabase { return try supabase.auth(over: CurlTransport.curl) }
        throw CommandFailure.refused("corrupt", "The account has no server.")
    }
}

extension AccountSettings.Supabase {
    func auth(over transport: some IdentityTransport) throws -> SupabaseAuth {
        try SupabaseAuth(
            SupabaseProject(url: EndpointURL(url)), publishableKey: key,
            transport: transport, timeout: .seconds(20))
    }
}

extension AccountSettings.OpenID {
    fileprivate func backend() throws -> OAuthBackend {
        let token = try TokenEndpoint(
            url: EndpointURL(tokenEndpoint), clientID: clientID, authentication: authentication,
            transport: CurlTransport.curl, timeout: .seconds(20))
        let revocation = try revocationEndpoint.map { text in try EndpointURL(text) }
        let subject = subject
        return OAuthBackend(token, revocation: revocation, user: { _ in subject })
    }

    var authentication: ClientAuthentication {
        clientSecret.map { .clientSecretPost($0) } ?? .none
    }
}
