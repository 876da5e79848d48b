// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetEmail
package import SignetIdentity

/// Everything that the server is told when it starts. Whatever is wrong is found here, before the first request.
package struct ServerConfiguration: Sendable {
    /// Where it listens. TLS is the business of the proxy in front, so that the default is this machine alone.
    package var host: String
    package var port: Int
    /// Who signs people in: Google, or an issuer for development on this machine.
    package var provider: IdentityProvider
    /// The issuer for development, where there is one.
    package var developmentIssuer: String?
    /// `iss` of session tokens: this server's own address.
    package var issuer: String
    /// `aud` of session tokens.
    package var audience: String
    /// Whose e-mail addresses may sign in; nil for everybody whom the provider knows.
    package var emailPolicy: BusinessEmailPolicy?
    /// The SQLite file with people, sessions and visits.
    package var databasePath: String
    /// The file vault with the signing keys, and what opens it.
    package var vaultPath: String
    package var vaultKey: VaultKey
    /// How often the running server looks whether the keys were rotated. SIGHUP makes it look at once.
    package var keyRereadSeconds: Int
    /// How many connections are open at a time; more wait in the backlog.
    package var maximumConnectionCount: Int
    /// How long a connection may be idle, in seconds; a request has half of it to arrive whole.
    package var idleSeconds: Int
    /// Adds two routes that answer the same, one with and one without a token: for measuring.
    package var hasBenchmarkRoutes: Bool

    /// Reads and checks the settings.
    ///
    /// - Throws: the first problem, with what to change.
    package init(_ settings: Settings) throws(ConfigurationProblem) {
        let clientIDs = try Self.clientIDs(settings)
        developmentIssuer = settings.text("AUTH_DEV_ISSUER")
        provider = try Self.provider(clientIDs, developmentIssuer: developmentIssuer)
        issuer = try settings.required(
            "AUTH_ISSUER", "this server's own address, https://auth.company.example for example")
        do throws(IdentityConfigurationError) {
            _ = try EndpointURL(issuer)
        } catch {
            throw ConfigurationProblem("AUTH_ISSUER", error.message)
        }
        audience = settings.text("AUTH_AUDIENCE") ?? "\(issuer)/session"
        emailPolicy = try Self.emailPolicy(settings)
        databasePath = try settings.required("AUTH_DATABASE", "the path of the SQLite file")
        vaultPath = try settings.required("AUTH_VAULT", "the path of the vault file")
        vaultKey = try Self.vaultKey(settings)
        host = settings.text("AUTH_HOST") ?? "127.0.0.1"
        port = try settings.number("AUTH_PORT", default: 8080, in: 0...65_535)
        keyRereadSeconds = try settings.number(
            "AUTH_KEY_REREAD_SECONDS", default: 60, in: 1...86_400)
        maximumConnectionCount = try settings.number(
            "AUTH_MAX_CONNECTIONS", default: 1_000, in: 1...100_000)
        idleSeconds = try settings.number("AUTH_IDLE_SECONDS", default: 30, in: 2...3_600)
        hasBenchmarkRoutes =
            try settings.number("AUTH_BENCHMARK_ROUTES", default: 0, in: 0...1) == 1
    }

    private static func clientIDs(_ settings: Settings) throws(ConfigurationProblem) -> [String] {
        let text = try settings.required(
            "GOOGLE_CLIENT_ID",
            "the OAuth client identifiers whose ID tokens are accepted (iOS, Android, web), with commas between them"
        )
        do throws(IdentityConfigurationError) {
            return try IdentityProvider.clientIDs(fromList: text)
        } catch {
            throw ConfigurationProblem("GOOGLE_CLIENT_ID", error.message)
        }
    }

    /// Google, unless an issuer for development takes its place. That one may be on this machine only: whoever can set an environment
    /// variable must not be able to let a stranger's issuer sign people in.
    private static func provider(
        _ clientIDs: [String], developmentIssuer: String?
    ) throws(ConfigurationProblem) -> IdentityProvider {
        let setting = developmentIssuer == nil ? "GOOGLE_CLIENT_ID" : "AUTH_DEV_ISSUER"
        do throws(IdentityConfigurationError) {
            guard let developmentIssuer else { return try .google(clientIDs: clientIDs) }
            guard try EndpointURL(developmentIssuer).scheme == "http" else {
                throw IdentityConfigurationError(
                    .invalidURL,
                    "is for development, with an issuer on this machine: http://127.0.0.1:PORT. Leave it out for Google."
                )
            }
            var provider = try IdentityProvider.openID(
                issuer: developmentIssuer, clientIDs: clientIDs)
            // As Google's: its SDKs send a nonce of their own, which this server is not told.
            provider.allowsUnsolicitedNonce = true
            return provider
        } catch {
            throw ConfigurationProblem(setting, error.message)
        }
    }

    /// `company.example, *.partner.example`: the star allows subdomains.
    private static func emailPolicy(_ settings: Settings) throws(ConfigurationProblem)
        -> BusinessEmailPolicy?
    {
        let name = "AUTH_ALLOWED_DOMAINS"
        // Only one that is not there means everybody: an empty one is what a variable that was not set leaves behind.
        guard !settings.isEmpty(name) else {
            throw ConfigurationProblem(
                name, "is empty: name the domains, or leave the variable out to let everybody in.")
        }
        let rules = try settings.list(name).map { (member: String) -> EmailDomainRule in
            member.hasPrefix("*.")
                ? .includeSubdomains(String(member.dropFirst(2))) : .exact(member)
        }
        guard !rules.isEmpty else { return nil }
        do throws(EmailPolicyError) {
            return try BusinessEmailPolicy(allowing: rules)
        } catch {
            throw ConfigurationProblem(name, error.message)
        }
    }

    /// Exactly one: with two of them, nobody knows which one guards the keys.
    package static func vaultKey(_ settings: Settings) throws(ConfigurationProblem) -> VaultKey {
        let given: [VaultKey] = [
            settings.text("AUTH_VAULT_KEY_FILE").map { .file(path: $0) },
            settings.text("AUTH_VAULT_CREDENTIAL").map { .credential(name: $0) },
            settings.text("AUTH_VAULT_PASSPHRASE").map { .passphrase($0) },
        ].compactMap(\.self)
        guard let key = given.first, given.count == 1 else {
            throw ConfigurationProblem(
                "AUTH_VAULT_KEY_FILE",
                "set exactly one of AUTH_VAULT_KEY_FILE (a path), AUTH_VAULT_CREDENTIAL (a systemd credential's name) and AUTH_VAULT_PASSPHRASE."
            )
        }
        return key
    }
}
