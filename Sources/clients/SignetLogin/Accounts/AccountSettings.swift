// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE
internal import SignetSession
internal import SignetSignIn
internal import SignetSupabase

/// The settings that are kept of an account besides its session: which server to ask,
/// and as which client.
package struct AccountSettings: Codable, Sendable {
    /// A server that speaks OpenID Connect.
    package struct OpenID: Codable, Sendable {
        package var issuer: String
        package var algorithms: [String]
        package var clientID: String
        /// The client's secret, if the provider gives a secret to native programs.
        package var clientSecret: String?
        package var scopes: [String]
        /// Whether the program named the scopes, so that none is left out.
        var asksForAllScopes: Bool?
        /// The audiences that `aud` may name besides the client.
        package var trustedAudiences: [String]?
        var tokenEndpoint = ""
        var revocationEndpoint: String?
        var subject = ""

        /// - Parameter scopes: the scopes besides `openid`, without which there is no ID token; nil
        ///   for the usual ones.
        package init(
            issuer: String, clientID: String, clientSecret: String?, algorithms: [String],
            scopes: [String]?, trustedAudiences: [String]
        ) {
            self.issuer = issuer
            self.algorithms = algorithms
            self.clientID = clientID
            self.clientSecret = clientSecret
            let openID = "openid"
            self.scopes =
                scopes.map { $0.contains(openID) ? $0 : [openID] + $0 } ?? Self.usualScopes
            asksForAllScopes = scopes == nil ? nil : true
            self.trustedAudiences = trustedAudiences.isEmpty ? nil : trustedAudiences
        }
    }

    /// A Supabase project.
    package struct Supabase: Codable, Sendable {
        var url: String
        /// The project's publishable key.
        var key: String

        package init(url: String, key: String) {
            self.url = url
            self.key = key
        }
    }

    package var version = 1
    /// Exactly one of `openID` and `supabase` is set.
    package var openID: OpenID?
    package var supabase: Supabase?
    /// The name under which the account is shown.
    package var user: String
    /// The address at which the server deletes the account.
    package var deletionURL: String?
    /// When the person signed in, in seconds since 1970 by this machine's clock. If two vaults have
    /// the account, the later sign-in counts.
    var signedInAt: Double?

    /// How long a request to the server may take.
    fileprivate static let requestTimeout = Duration.seconds(20)

    /// The server that vouches for the person.
    package var issuer: String { openID?.issuer ?? supabase?.url ?? "" }

    /// Whether sessions with either settings are of the same person, at the same server and as the
    /// same client.
    func hasSameOwner(as other: AccountSettings) -> Bool {
        if let openID, let others = other.openID {
            return openID.isSameClient(as: others)
                && openID.subject.utf8.elementsEqual(others.subject.utf8)
        }
        guard let supabase, let others = other.supabase else { return false }
        return supabase.url.utf8.elementsEqual(others.url.utf8)
            && supabase.key.utf8.elementsEqual(others.key.utf8)
            && user.utf8.elementsEqual(other.user.utf8)
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
    func backend(over transport: any IdentityTransport) throws -> OAuthBackend {
        let token = try TokenEndpoint(
            url: EndpointURL(tokenEndpoint), clientID: clientID, authentication: authentication,
            transport: transport, timeout: AccountSettings.requestTimeout)
        let revocation = try revocationEndpoint.map(EndpointURL.init(_:))
        let subject = subject
        return OAuthBackend(token, revocation: revocation, user: { _ in subject })
    }

    /// Whether it is the same client at the same server.
    func isSameClient(as other: Self) -> Bool {
        issuer.utf8.elementsEqual(other.issuer.utf8)
            && clientID.utf8.elementsEqual(other.clientID.utf8)
    }

    var authentication: ClientAuthentication {
        clientSecret.map { .clientSecretPost($0) } ?? .none
    }

    /// The provider's rules for an ID token of this sign-in.
    func provider() throws -> IdentityProvider {
        var provider = try IdentityProvider.openID(
            issuer: issuer, clientIDs: [clientID],
            algorithms: algorithms.compactMap(SignatureAlgorithm.init(name:)))
        provider.trustedAudiences = trustedAudiences ?? []
        provider.codeFlow?.scopes = scopes
        return provider
    }

    /// The scopes that a sign-in asks for unless the program names others.
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
