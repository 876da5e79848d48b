// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetAccounts
package import SignetEmail
package import SignetIdentity
internal import SignetSMTP
package import SignetSignIn

/// Everything that the server is told when it starts. Mistakes are found here, before the first
/// request.
package struct ServerConfiguration: Sendable {
    /// A provider, and how the server authenticates to it, if browsers sign in with it.
    package typealias Provider = (provider: IdentityProvider, authentication: ClientAuthentication?)

    /// The providers that sign people in. The first one is Google, or in its place the issuer for
    /// development.
    package let providers: [Provider]
    /// `iss` of session tokens, and where browsers find this server.
    package let issuer: String
    /// Opens the cookies of the website where browsers sign in, with Auth.js 5; nil if they do so
    /// here, or not at all.
    package let website: AuthJSSessions?
    /// Whose pages may change something with a cookie: those of the website, or of this server.
    package let origins: SiteOrigins
    /// Whose e-mail addresses may sign in; nil for all.
    package let emailPolicy: BusinessEmailPolicy?
    /// An SQLite file, or the address of a PostgreSQL server.
    package let database: String
    package let vault: VaultAccess
    /// For development: an issuer on this machine.
    package let developmentIssuer: EndpointURL?
    /// Sends codes; nil if no codes can be sent.
    package let sender: SenderByDestination?
    /// The proxies that the server believes about a client's address.
    package let proxies: TrustedProxies
    package let host: String
    package let port: Int
    /// The clock, and how long the providers' keys are kept.
    package let verification: TokenVerificationOptions
    /// How long a connection may be idle; a request has half of it to arrive whole.
    package var idle = Duration.seconds(30)
    /// How long a rotation of the signing keys may go unnoticed.
    package var keyReadingPause = Duration.seconds(60)

    /// - Throws: the first problem, with what to change.
    package init(_ settings: Settings, verification: TokenVerificationOptions = .init()) throws {
        self.verification = verification
        try settings.checkNames()
        _ = try settings.required("GOOGLE_CLIENT_ID", "the OAuth clients of accepted ID tokens")
        // It must be on this machine: someone who can set an environment variable must not be able
        // to let a foreign issuer sign people in.
        let development = try settings.read("AUTH_DEV_ISSUER") { text in
            let issuer = try EndpointURL(text)
            if issuer.scheme == "http" { return issuer }
            throw ConfigurationProblem("AUTH_DEV_ISSUER", "is for an issuer on this machine.")
        }
        developmentIssuer = development
        let first = try Self.provider("GOOGLE", settings) { ids in
            guard let development else { return try .google(clientIDs: ids) }
            var provider = try IdentityProvider.openID(issuer: development, clientIDs: ids)
            // As for Google, whose SDKs send a nonce of their own, which this server is not told.
            provider.allowsUnsolicitedNonce = true
            return provider
        }
        let apple = try Self.provider("APPLE", settings) { try .apple(clientIDs: $0) }
        let other = try Self.provider("OIDC", settings) {
            try .openID(issuer: EndpointURL(settings["OIDC_ISSUER"] ?? ""), clientIDs: $0)
        }
        providers = [first, apple, other].compactMap(\.self)
        let issuer = try settings.required("AUTH_ISSUER", "this server's address, https://…")
        self.issuer = issuer
        let own = try settings.checked("AUTH_ISSUER") { try SiteOrigins([issuer]) }
        let secrets = AuthJSSessions.secrets(environment: settings.values)
        if !secrets.isEmpty { _ = try settings.required("AUTH_WEBSITE", "AUTH_SECRET's website") }
        origins = try settings.read("AUTH_WEBSITE") { try SiteOrigins([$0]) } ?? own
        website = try settings["AUTH_WEBSITE"].map { site in
            // Auth.js chooses the name in the same way.
            let name: AuthJSSessions.CookieName = site.hasPrefix("https:") ? .secure : .unencrypted
            return try settings.checked("AUTH_SECRET") {
                try AuthJSSessions(
                    .v5, secrets: secrets, cookieName: name, clock: verification.clock)
            }
        }
        // An empty text is what is left of a variable that was not set: it lets no one in.
        let domains = settings.values["AUTH_ALLOWED_DOMAINS"].map(EmailDomainRule.rules)
        emailPolicy = try settings.checked("AUTH_ALLOWED_DOMAINS") {
            try domains.map { try BusinessEmailPolicy(allowing: $0) }
        }
        database = try settings.required("AUTH_DATABASE", "the path of the SQLite file")
        vault = try VaultAccess(settings)
        let file = settings["AUTH_CODES_FILE"].map { FileMessageSender(path: $0) }
        let mail: (any MessageSender)? = try Self.mail(settings) ?? file
        sender = mail.map { SenderByDestination(phone: file, email: $0) }
        let ranges = settings["AUTH_PROXIES"]?.split(whereSeparator: ", ".contains).map(String.init)
        proxies = try settings.checked("AUTH_PROXIES") { try TrustedProxies(ranges ?? []) }
        host = settings["AUTH_HOST"] ?? "127.0.0.1"
        guard let port = UInt16(settings["AUTH_PORT"] ?? "8080") else {
            throw ConfigurationProblem("AUTH_PORT", "is a number of 0 to 65535, 8080 without it.")
        }
        self.port = Int(port)
    }

    /// A provider, if its client identifiers are given; for browsers, its secret must be given,
    /// too.
    private static func provider(
        _ prefix: String, _ settings: Settings, _ make: ([String]) throws -> IdentityProvider
    ) throws -> Provider? {
        let ids = "\(prefix)_CLIENT_ID"
        let provider = try settings.read(ids) { try make(IdentityProvider.clientIDs(fromList: $0)) }
        guard let provider else { return nil }
        let file = "\(prefix)_CLIENT_SECRET_FILE"
        let secret = try settings.secret(file)
        let website = settings["AUTH_WEBSITE"]
        guard secret == nil || website == nil else {
            throw ConfigurationProblem(file, "is for browsers, but they sign in at AUTH_WEBSITE.")
        }
        // An issuer for development has no client secrets.
        let isOpen = prefix == "GOOGLE" && settings["AUTH_DEV_ISSUER"] != nil && website == nil
        return (provider, isOpen ? ClientAuthentication.none : secret.map { .clientSecretPost($0) })
    }

    /// The sender of codes by e-mail, if a mail server is given.
    private static func mail(_ settings: Settings) throws -> SMTPMessageSender? {
        try settings.read("AUTH_SMTP") { address in
            let from = try settings.required("AUTH_SMTP_FROM", "the address that codes come from")
            let mailbox = try settings.checked("AUTH_SMTP_FROM") { try Mailbox(from) }
            let user = settings["AUTH_SMTP_USER"]
            let file = "AUTH_SMTP_PASSWORD_FILE"
            // A user signs in at the mail server, with a password.
            if user != nil { _ = try settings.required(file, "AUTH_SMTP_USER's password file") }
            let password = try settings.secret(file)
            var server = try SMTPServer(address: address)
            if let password { server = server.signingIn(as: user ?? from, password: password) }
            return try SMTPMessageSender(server, from: mailbox) { message throws(AccountError) in
                let text = "\(message.code.exposedText) signs you in. Give it to no one.\n"
                return try MessageText(subject: "Your code", body: text)
            }
        }
    }
}
