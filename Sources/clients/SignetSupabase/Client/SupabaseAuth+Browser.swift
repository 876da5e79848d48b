// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// The authorization-code flow with PKCE, through a browser or the link of an e-mail.
extension SupabaseAuth {
    /// The address for the browser, and the sign-in that waits for its return.
    ///
    /// - Parameters:
    ///   - provider: a provider that the project has enabled.
    ///   - redirectURI: where the browser returns to, without a query: `http://127.0.0.1:PORT/…`
    ///     for a program that listens, or an address on the project's list of redirect URLs
    ///     (``SupabaseSignIn/allowListEntry``). GoTrue replaces any other address by the project's
    ///     site, and nothing comes back here.
    ///   - schemes: schemes without a dot that `redirectURI` may have: `["app"]` for
    ///     `app://callback`. A scheme with a dot needs no naming.
    ///   - scopes: the provider's scopes to request, besides the scopes that GoTrue requests.
    ///   - additional: parameters that GoTrue passes to the provider, such as `prompt`.
    /// - Throws: `invalidInput`.
    public func authorization(
        provider: SupabaseProvider, redirectTo redirectURI: String, schemes: [String] = [],
        scopes: [String] = [],
        additional: [(name: String, value: String)] = []
    ) throws(SupabaseError) -> (url: String, signIn: SupabaseSignIn) {
        try Self.check(provider)
        let signIn = try SupabaseSignIn(redirectTo: redirectURI, schemes: schemes)
        var call = SupabaseCall(method: .get, path: "authorize")
        call.query = [("provider", provider.name), ("redirect_to", signIn.redirectTo)]
        if !scopes.isEmpty { call.query.append(("scopes", scopes.joined(separator: " "))) }
        call.query += SupabaseCall.challenge(signIn.pkce)
        let own = call.query.map(\.name) + ["scopes", "state", "invite_token"]
        guard !additional.contains(where: { own.contains($0.name) }) else {
            throw SupabaseError(.invalidInput, "A parameter is set by the request itself.")
        }
        call.query += additional
        return (try call.url(below: project.authURL).text, signIn)
    }

    /// Sends an e-mail with a sign-in link, which returns to `redirectURI` with a code, like a
    /// provider's sign-in.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - redirectURI: where the link returns to, by the rules of
    ///     ``authorization(provider:redirectTo:schemes:scopes:additional:)``. A loopback address
    ///     works only on the machine where the mail is read.
    ///   - schemes: schemes without a dot that `redirectURI` may have.
    ///   - createsUser: whether a new user gets an account.
    ///   - captcha: the answer to the project's CAPTCHA, if it has one.
    public func sendLink(
        to email: Mailbox, redirectTo redirectURI: String, schemes: [String] = [],
        createsUser: Bool = true, captcha: String? = nil
    ) async throws(SupabaseError) -> SupabaseSignIn {
        let signIn = try SupabaseSignIn(redirectTo: redirectURI, schemes: schemes)
        var call = SupabaseCall(
            method: .post, path: "otp", query: [("redirect_to", signIn.redirectTo)])
        call.members = [
            "email": .string(email.text), "create_user": .bool(createsUser),
            "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        for (name, value) in SupabaseCall.challenge(signIn.pkce) {
            call.members[name] = .string(value)
        }
        try await send(call)
        return signIn
    }

    /// Redeems the code in a callback address. Forget the sign-in afterwards, whatever the outcome.
    ///
    /// - Throws: `invalidCallback`; `signInRefused` with GoTrue's error; `refused` for a code that
    ///   has expired, or belongs to another sign-in.
    public func exchange(
        url: String, of signIn: SupabaseSignIn
    ) async throws(SupabaseError) -> SessionGrant {
        try await redeem(try signIn.code(url: url), for: signIn)
    }

    /// Redeems the code in a callback's query, the part after the question mark, which a listener
    /// receives. The address is **not** checked; all further checks and the errors are those of
    /// ``exchange(url:of:)``.
    public func exchange(
        query: String, of signIn: SupabaseSignIn
    ) async throws(SupabaseError) -> SessionGrant {
        try await redeem(try signIn.code(query: query), for: signIn)
    }

    private func redeem(
        _ code: AuthorizationCode, for signIn: SupabaseSignIn
    ) async throws(SupabaseError) -> SessionGrant {
        try await send(
            .grant(
                "pkce",
                members: [
                    "auth_code": .string(code.exposedText),
                    "code_verifier": .string(signIn.pkce.exposedVerifier),
                ])
        ).grant()
    }
}
