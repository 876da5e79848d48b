// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE

// Ending sessions, and public information.
extension GoTrueService {
    private static let scopes = ["global", "local", "others"]

    /// `POST /logout`: ends all sessions, unless the scope says otherwise.
    func logOut(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        let user = session.subject
        let id = session.sessionID
        let named = try GoTrueQuery(request).value("scope") ?? ReceivedText("global")
        guard let scope = Self.scopes.first(where: { named.isEqual(to: $0) }) else {
            throw .invalid("Unsupported logout scope")
        }
        try await translatingErrors { () async throws(AccountError) in
            guard scope != "local" else {
                try await sessions.end(id, of: user)
                return
            }
            // No session has the empty name.
            let exception = scope == "others" ? id : ""
            try await database.transaction { (transaction) throws(AccountError) in
                try await self.endAll(of: user, except: exception, in: transaction)
            }
        }
        return .empty()
    }

    /// Ends all sessions of a user except `session`, and the sign-ins that browsers have not
    /// finished.
    func endAll(
        of user: String, except session: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        // First: this statement may wait for an exchange, which may begin a session.
        try await BrowserCodes.end(of: user, in: transaction)
        try await sessions.endAll(of: user, except: session, in: transaction)
    }

    /// Ends all sessions of a user except `session`, and the changes that any of them has asked for,
    /// this one too: a thief may have a copy of its token.
    func endAllWithChanges(
        of user: String, except session: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await endAll(of: user, except: session, in: transaction)
        try await PendingSignUps.end(of: user, in: transaction)
        try await AddressChanges.cancel(of: user, in: transaction)
    }

    func settings() throws(GoTrueRefusal) -> GoTrueResponse {
        var external: [String: JSONValue] = [
            "email": .bool(options.allowsEmail), "phone": .bool(options.allowsPhone),
            "anonymous_users": .bool(options.allowsGuests),
        ]
        for name in providers.names { external[name] = true }
        return try response([
            "external": .object(external), "disable_signup": .bool(!options.allowsSignUp),
            "mailer_autoconfirm": false, "phone_autoconfirm": false, "sms_provider": "",
            "saml_enabled": false, "mfa_enabled": true,
        ])
    }

    /// The public keys of access tokens; none if a secret signs them.
    func keys() throws(GoTrueRefusal) -> GoTrueResponse {
        let ring = sessions.issuer.keys
        guard let text = try? ring.jwksJSON() else { return try response(["keys": []]) }
        return .document(Array(text.utf8))
    }

    /// Whether the database can be written to: 503 on a full disk too.
    func checkHealth() async throws(GoTrueRefusal) -> GoTrueResponse {
        try await translatingErrors(health.check)
        return try response(["name": "Signet", "description": "A sign-in service"])
    }
}
