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
    /// `iss` and `aud` of session tokens, and where browsers find this server.
    package let issuer, audience, origin: String
    /// The website where browsers sign in; nil if they do so here, or not at all.
    package let website: Website?
    /// Whose e-mail addresses may sign in; nil for all.
    package let emailPolicy: BusinessEmailPolicy?
    /// An SQLite file, or the address of a PostgreSQL server.
    package let database: String
    package let vault: VaultAccess
    /// For development: an issuer on this machine.
    package let developmentIssuer: String?
    /// Sends codes; nil if no codes can be sent.
    package let sender: SenderByDestination?
    /// The proxies that the server believes about a client's address.
    package let proxies: TrustedProxies
    package let host: String
    package let port, keyRereadSeconds, maximumConnectionCount: Int
    /// How long a connection may be idle; a request has half of it to arrive whole.
    package let idleSeconds: Int

    /// - Throws: the first problem, with what to change.
    package init(_ settings: Settings) throws {
        _ = try settings.required(
            "GOOGLE_CLIENT_ID", "the OAuth clients of accepted ID tokens (iOS, Android, web)")
        developmentIssuer = settings["AUTH_DEV_ISSUER"]
        // It must be on this machine: someone who can set an environment variable must not be able
        // to let a foreign issuer sign people in.
        let development = try settings.read("AUTH_DEV_ISSUER") { text in
            let issuer = try EndpointURL(text)
            guard issuer.scheme == "http" else {
                throw ConfigurationProblem("AUTH_DEV_ISSUER", "is for an issuer on this machine.")
            }
            return issuer
        }
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
        website = try Website(settings)
        issuer = try settings.required(
            "AUTH_ISSUER", "this server's own address, https://auth.company.example for example")
        origin = settings["AUTH_ORIGIN"] ?? issuer
        for (name, text) in [("AUTH_ISSUER", issuer), ("AUTH_ORIGIN", origin)] {
            try settings.checked(name) { _ = try SiteOrigins([text]) }
        }
        audience = settings["AUTH_AUDIENCE"] ?? "\(issuer)/session"
        // An empty text is what is left of a variable that was not set: it lets no one in.
        emailPolicy = try settings.values["AUTH_ALLOWED_DOMAINS"].map { text in
            try settings.checked("AUTH_ALLOWED_DOMAINS") {
                try BusinessEmailPolicy(allowing: EmailDomainRule.rules(fromList: text))
            }
        }
        database = try settings.required("AUTH_DATABASE", "the path of the SQLite file")
        vault = try VaultAccess(settings)
        let file = settings["AUTH_CODES_FILE"].map { FileMessageSender(path: $0) }
        let mail: (any MessageSender)? = try Self.mail(settings) ?? file
        sender = mail.map { SenderByDestination(phone: file, email: $0) }
        proxies =
            try settings.read("AUTH_PROXIES") { list in
                try TrustedProxies(list.split { $0 == "," || $0 == " " }.map(String.init))
            } ?? .none
        host = settings["AUTH_HOST"] ?? "127.0.0.1"
        port = try settings.number("AUTH_PORT", default: 8080, in: 0...65_535)
        keyRereadSeconds = try settings.number(
            "AUTH_KEY_REREAD_SECONDS", default: 60, in: 1...3_600)
        maximumConnectionCount = try settings.number(
            "AUTH_MAX_CONNECTIONS", default: 1_000, in: 1...100_000)
        idleSeconds = try settings.number("AUTH_IDLE_SECONDS", default: 30, in: 2...3_600)
    }

    /// A provider, if its client identifiers are given; for browsers, its secret must be given,
    /// too.
    private static func provider(
        _ prefix: String, _ settings: Settings, _ make: ([String]) throws -> IdentityProvider
    ) throws -> Provider? {
        guard let list = settings["\(prefix)_CLIENT_ID"] else { return nil }
        let provider = try settings.checked("\(prefix)_CLIENT_ID") {
            try make(IdentityProvider.clientIDs(fromList: list))
        }
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
        guard let address = settings["AUTH_SMTP"] else { return nil }
        let from = try settings.required("AUTH_SMTP_FROM", "the address that codes come from")
        let user = settings["AUTH_SMTP_USER"]
        let file = "AUTH_SMTP_PASSWORD_FILE"
        // If there is a user, the server must sign in at the mail server, so it needs the password.
        if user != nil { _ = try settings.required(file, "the file of AUTH_SMTP_USER's password") }
        let password = try settings.secret(file)
        let mailbox = try settings.checked("AUTH_SMTP_FROM") { try Mailbox(from) }
        return try settings.checked("AUTH_SMTP") {
            var server = try SMTPServer(address: address)
            if let password { server = server.signingIn(as: user ?? from, password: password) }
            return try SMTPMessageSender(server, from: mailbox) { message throws(AccountError) in
                let text = "\(message.code.exposedText) signs you in. Give it to no one.\n"
                return try MessageText(subject: "Your code", body: text)
            }
        }
    }
}
