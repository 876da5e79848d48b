// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetJOSE

/// The server at which a person signs in, and the program's client there.
public struct LoginServer: Sendable, Redacted {
    /// The settings of an account at this server.
    package enum Settings: Sendable {
        case openID(AccountSettings.OpenID)
        case supabase(AccountSettings.Supabase)
    }

    package let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    /// An OpenID Connect server, whose endpoints are found by discovery at a sign-in and kept.
    ///
    /// - Parameters:
    ///   - issuer: exactly as its metadata have it, with its final slash, if any.
    ///   - clientID: the program's client there. For a browser, register the redirect URI
    ///     `http://127.0.0.1/callback`.
    ///   - clientSecret: a secret, if the server gives one to programs on a person's machine.
    ///   - algorithms: what it signs ID tokens with.
    ///   - scopes: the scopes besides `openid`; nil asks for `email`, `profile` and, unless the
    ///     server lists its scopes without it, `offline_access`.
    ///   - trustedAudiences: audiences that an ID token may name besides the client.
    public static func openID(
        issuer: String, clientID: String, clientSecret: String? = nil,
        algorithms: [SignatureAlgorithm] = [.rs256], scopes: [String]? = nil,
        trustedAudiences: [String] = []
    ) -> LoginServer {
        LoginServer(
            .openID(
                AccountSettings.OpenID(
                    issuer: issuer, clientID: clientID, clientSecret: clientSecret,
                    algorithms: algorithms.map(\.name), scopes: scopes,
                    trustedAudiences: trustedAudiences)))
    }

    /// A Supabase project, which sends one-time codes.
    ///
    /// - Parameters:
    ///   - url: the project's address, without `/auth/v1`.
    ///   - publishableKey: its publishable key, which is not secret. A secret key is refused.
    public static func supabase(url: String, publishableKey: String) -> LoginServer {
        LoginServer(.supabase(AccountSettings.Supabase(url: url, key: publishableKey)))
    }
}

extension LoginServer {
    /// Whether the settings of an account name this server, and the same client.
    func isServer(of account: AccountSettings) -> Bool {
        switch settings {
        case .openID(let openID): account.openID.map { openID.isSameClient(as: $0) } ?? false
        case .supabase(let project):
            account.supabase?.url.utf8.elementsEqual(project.url.utf8) ?? false
        }
    }
}
