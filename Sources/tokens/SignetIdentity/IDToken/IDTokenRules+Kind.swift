// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

// A provider signs several kinds of token with the same keys, often with the same `aud`: ID tokens
// (who has signed in), access tokens (what a client may do), logout tokens, refresh tokens. Only an
// ID token may sign a person in, so tokens of other kinds are recognized by their claims: `scp` and
// `appidacr` of Entra's access tokens, `"typ": "Bearer"` of Keycloak's, `"token_use": "access"` of
// Cognito's.

extension IDTokenRules {
    /// Rejects a token of any other kind. Only claims count that the provider never writes into an
    /// ID token.
    func requireIDToken(_ claims: ClaimReader) throws(IdentityError) {
        // RFC 8417, section 4.5, and OpenID Connect Back-Channel Logout 1.0, section 2.4: the claim
        // marks an event, such as a logout.
        guard claims.member("events") == nil else {
            throw Self.otherKind(
                "events", message: "This is a security event or logout token, not an ID token.")
        }
        // Claims that occur together in this provider's access tokens alone; empty if none do.
        let mark = provider.facts.accessTokenMark
        if let last = mark.last, mark.allSatisfy({ claims.member($0) != nil }) {
            throw Self.accessToken(markedBy: last)
        }
        if isEntra {
            try refuseEntraAccessToken(claims)
        } else {
            try refuseNamedKind(claims)
        }
    }

    /// Rejects another client's access token, which names that client. This applies if the
    /// provider's access tokens are not known, and no nonce (a random text of our request, which
    /// comes back in the token) shows that our request led to the token.
    ///
    /// `client_id` (RFC 9068) names a client in every token. `cid` and `appid` may mean something
    /// else, so they count only beside a scope, which makes the token look like an access token for
    /// an API.
    func refuseOtherClients(
        _ claims: ClaimReader, nonce: NonceExpectation
    ) throws(IdentityError) {
        guard provider.facts.hasUnknownAccessTokens, !nonce.isChecked else { return }
        let hasScope = claims.member("scope") != nil || claims.member("scp") != nil
        for name in hasScope ? ["client_id", "cid", "appid"] : ["client_id"] {
            guard let client = try claims.text(name), !provider.accepts(party: client) else {
                continue
            }
            throw IdentityError(
                .azp, claim: name,
                "Without a nonce this may be an access token: \"\(shown: name)\" names another client."
            )
        }
    }

    /// Rejects Microsoft Entra's access tokens for an API, which have the `aud`, issuer and keys of
    /// its ID tokens. `idtyp` names the kind but is optional, so each claim of access tokens
    /// counts, except `roles`, which ID tokens also have. In an application's own token, `sub` and
    /// `oid` both name the application.
    private func refuseEntraAccessToken(_ claims: ClaimReader) throws(IdentityError) {
        for name in ["scp", "idtyp", "appidacr", "azpacr"] {
            guard claims.member(name) != nil else { continue }
            throw Self.accessToken(markedBy: name)
        }
        guard let object = claims.root.member("oid")?.text,
            let subject = claims.root.member("sub")?.text,
            object.isEqual(to: subject)
        else { return }
        throw Self.otherKind(
            "oid", message: "This is an application's own access token, not an ID token.")
    }

    /// Keycloak names the kind in the payload's `typ`, Cognito in `token_use`.
    private func refuseNamedKind(_ claims: ClaimReader) throws(IdentityError) {
        let kinds = [
            ("typ", ["Bearer", "DPoP", "Refresh", "Offline", "Logout"]), ("token_use", ["access"]),
        ]
        for (name, others) in kinds where claims.root.member(name)?.text?.isOne(of: others) == true
        {
            throw Self.otherKind(
                name,
                message: "This is another kind of token by its \"\(shown: name)\", not an ID token."
            )
        }
    }

    private static func accessToken(markedBy claim: String) -> IdentityError {
        otherKind(
            claim, message: "This is an access token, not an ID token: it has \"\(shown: claim)\".")
    }

    private static func otherKind(_ claim: String, message: ErrorMessage) -> IdentityError {
        IdentityError(.typeMismatch, claim: claim, message)
    }
}
