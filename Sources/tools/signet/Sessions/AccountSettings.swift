// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetIdentity
internal import SignetSession
internal import SignetSignIn
internal import SignetSupabase
internal import SignetVault

/// The settings that `signet login` keeps of an account besides its session: which server to ask,
/// and as which client.
struct AccountSettings: Codable, Sendable {
    /// A server that speaks OpenID Connect.
    struct OpenID: Codable, Sendable {
        var issuer: String
        var algorithms: [String]
        var clientID: String
        /// The client's secret, if the provider gives a secret to native programs.
        var clientSecret: String?
        var scopes: [String]
        /// Whether `--scope` named the scopes, so that none is left out.
        var asksForAllScopes: Bool?
        /// The audiences that `aud` may name besides the client.
        var trustedAudiences: [String]?
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
    /// When the user signed in, in seconds since 1970 by this machine's clock. If two vaults have
    /// the account, the later sign-in counts.
    var signedInAt: Double?

    /// How long a request to the server may take.
    fileprivate static let requestTimeout = Duration.seconds(20)

    /// The server that vouches for the user.
    var issuer: String { openID?.issuer ?? supabase?.url ?? "" }

    /// The backend that exchanges and revokes the account's tokens.
    ///
    /// - Parameter moved: called when the server's endpoint was found at a new address.
    func backend(
        moved: @escaping @Sendable (OpenID) -> Void = { _ in }
    ) throws -> any SessionBackend {
        if let openID { return try OpenIDBackend(openID, moved: moved) }
        if let supabase { return try supabase.auth(over: CurlTransport.curl) }
        throw CommandFailure.refused("corrupt", "The account has no server.")
    }
}

extension AccountSettings.Supabase {
    func auth(over transport: some IdentityTransport) throws -> SupabaseAuth {
        try SupabaseAuth(
            SupabaseProject(url: EndpointURL(url)), publishableKey: key,
            transport: transport, timeout: AccountSettings.requestTimeout)
    }
}

extension AccountSettings.OpenID {
    func backend(over transport: some IdentityTransport) throws -> OAuthBackend {
        let token = try TokenEndpoint(
            url: EndpointURL(tokenEndpoint), clientID: clientID, authentication: authentication,
            transport: transport, timeout: AccountSettings.requestTimeout)
        let revocation = try revocationEndpoint.map(EndpointURL.init(_:))
        let subject = subject
        return OAuthBackend(token, revocation: revocation, user: { _ in subject })
    }

    var authentication: ClientAuthentication {
        clientSecret.map { .clientSecretPost($0) } ?? .none
    }

    /// The scopes that login asks for unless `--scope` names others.
    static let usualScopes = ["openid", "email", "profile", offlineAccess]

    private static let offlineAccess = "offline_access"

    /// The scopes to ask for at a server that lists its supported scopes; an empty list says
    /// nothing.
    ///
    /// Google and GitLab refuse a sign-in with `offline_access`, which they do not list.
    func scopes(supported: [String]) -> [String] {
        guard asksForAllScopes != true, scopes == Self.usualScopes, !supported.isEmpty,
            !supported.contains(where: { $0.utf8.elementsEqual(Self.offlineAccess.utf8) })
        else { return scopes }
        return scopes.filter { $0 != Self.offlineAccess }
    }
}
