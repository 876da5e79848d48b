// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IDTokenRules {
    /// Refuses the other tokens that a provider signs with the same keys for the same client.
    ///
    /// Only what the provider writes into no ID token counts: a claim of another meaning is
    /// ignored.
    func requireIDToken(_ claims: ClaimReader) throws(IdentityError) {
        // RFC 8417, section 4.5, and OpenID Connect Back-Channel Logout 1.0, section 2.4: what has
        // it tells of an event, a logout say.
        guard claims.member("events") == nil else {
            throw Self.otherKind(
                "events", "It is a security event or logout token, and no ID token.")
        }
        let mark = provider.accessTokenMark
        if let last = mark.last, mark.allSatisfy({ claims.member($0) != nil }) {
            throw Self.otherKind(
                last, "It is an access token, and no ID token: it has \"\(last)\".")
        }
        if isEntra {
            try refuseEntraAccessToken(claims)
        } else {
            try refuseNamedKind(claims)
        }
    }

    /// Entra's access tokens for an API have its `aud`, issuer and keys. `idtyp` is optional, so
    /// that each of their claims counts; `roles` does not, which ID tokens have as well. Where an
    /// application asks for itself, it is subject and object at once.
    private func refuseEntraAccessToken(_ claims: ClaimReader) throws(IdentityError) {
        for name in ["scp", "idtyp", "appidacr", "azpacr"] {
            guard claims.member(name) != nil else { continue }
            throw Self.otherKind(
                name, "It is an access token, and no ID token: it has \"\(name)\".")
        }
        guard let object = claims.root.member("oid")?.text,
            let subject = claims.root.member("sub")?.text,
            object.isEqual(to: subject)
        else { return }
        throw Self.otherKind("oid", "It is an application's own access token, and no ID token.")
    }

    /// Keycloak names the kind in the payload's `typ`, Cognito in `token_use`.
    private func refuseNamedKind(_ claims: ClaimReader) throws(IdentityError) {
        let kinds = [
            ("typ", ["Bearer", "DPoP", "Refresh", "Offline", "Logout"]), ("token_use", ["access"]),
        ]
        for (name, others) in kinds where claims.root.member(name)?.text?.isOne(of: others) == true
        {
            throw Self.otherKind(
                name, "It is a token of another kind, by its \"\(name)\", and no ID token.")
        }
    }

    private static func otherKind(_ claim: String, _ message: String) -> IdentityError {
        IdentityError(.typeMismatch, claim: claim, message)
    }
}
