// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
package import SignetBase
internal import SignetCrypto
internal import SignetIdentity
public import SignetSignIn

/// The options of a service.
public struct GoTrueOptions: Sendable {
    /// The accepted values of `apikey`, 16 to 1,024 bytes each. They are not secrets: they
    /// distinguish projects. If the list is empty, the service does not check `apikey`, for
    /// instance because a gateway does.
    public var publishableKeys: [String] = []
    /// Whether new people get an account. If not, only people with an account can sign in.
    public var allowsSignUp = true
    /// Whether people may be guests, with only a session.
    public var allowsGuests = false
    /// Which guests ``GoTrueService/sweep()`` deletes; nil for none.
    public var guestRetention: GuestRetention?
    /// Whether codes go to mailboxes.
    public var allowsEmail = true
    /// Whether codes go to phones.
    public var allowsPhone = true
    /// Hashes passwords; nil disables them.
    public var passwords: PasswordHasher?
    /// The addresses that a browser may return to. Nil disables sign-in by browser.
    ///
    /// Compared octet for octet. For `http://127.0.0.1` and `http://[::1]` a program may add a
    /// query, and, with `RedirectURIs.LoopbackPorts.any`, use any port.
    public var redirects: RedirectURIs?
    /// The page that the link of an e-mail leads to, one of ``redirects``; nil for e-mails without
    /// links. A request may name another one of them as `redirect_to`; instead of one that is not on
    /// https, such as an app's, the link leads to this page. The page posts the link's `token_hash`
    /// and `type` to `/verify`, when the person presses a button.
    public var linkPage: String?
    /// How long sessions last.
    public var sessions = RefreshTokenOptions()
    /// How codes are made.
    public var codes = CodePolicy.standard
    /// How many requests a client may make.
    public var limits: GoTrueLimits
    /// How long after a sign-in the session alone may change the password, number or address; after
    /// that it needs a code of `/reauthenticate`. 10 minutes; 1 minute to a day.
    public var freshness = Duration.seconds(600)
    /// Checks a client's `captcha_token` and address; nil requires none. Called before a code is
    /// sent, an account made, or a password checked.
    public var captcha: (@Sendable (_ response: String?, _ client: ClientAddress?) async -> Bool)?
    /// The decisions of the program about passwords, sessions, claims and changes.
    public var hooks = GoTrueHooks()
    /// Receives, for a log, each error that was answered with a 5xx status, and once
    /// `noClientAddress`, if requests have no `client`. An error of a sign-in by browser or of an
    /// ID token arrives as the `underlying` error of `unavailable`. A reached limit and a
    /// provider's outage are not reported.
    public var report: @Sendable (AccountError) -> Void = { _ in }
    /// Counts the second for which `/health` repeats its answer; a test passes a `ManualClock`'s
    /// source.
    package var healthClock = TimeSource.system

    /// Codes to phones and mailboxes, and providers; no guests and no passwords.
    public init() throws(AccountError) { limits = try GoTrueLimits() }

    func check() throws(AccountError) {
        try hooks.check()
        guard (.seconds(60) ... .seconds(86_400)).contains(freshness) else {
            throw AccountError(
                .invalidParameter,
                "The freshness is \(freshness) instead of 60 s to 86,400 s.")
        }
        guard linkPage.map({ redirects?.allows($0) == true }) ?? true else {
            throw AccountError(.invalidParameter, "The linkPage is none of the redirects.")
        }
        for key in publishableKeys where !(16...1_024).contains(key.utf8.count) {
            throw AccountError(
                .invalidParameter,
                "A publishable key has \(key.utf8.count) bytes instead of 16 to 1,024.")
        }
    }

    /// Whether a request's key is accepted. The time of the comparison reveals no key.
    func accepts(_ key: String?) -> Bool {
        guard !publishableKeys.isEmpty else { return true }
        guard let key else { return false }
        return publishableKeys.reduce(false) { $0 || ConstantTime.areEqual($1.utf8, key.utf8) }
    }

    /// Whether a browser may return to an address.
    func allowsRedirect(_ address: String) -> Bool {
        guard let redirects else { return false }
        if redirects.allows(address) { return true }
        // A program that listens on loopback keeps its state in the query: GoTrue keeps none for
        // it.
        guard let url = try? EndpointURL(address), url.scheme == "http",
            url.host == "127.0.0.1" || url.host == "[::1]", let query = url.query
        else { return false }
        return redirects.allows(
            String(decoding: address.utf8.dropLast(query.utf8.count + 1), as: UTF8.self))
    }
}
