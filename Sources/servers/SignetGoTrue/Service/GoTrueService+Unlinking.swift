// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE

// One way to sign in less: an address, a number, or an account at a provider, by its `identity_id`.
//
//     DELETE /user/identities/ID
extension GoTrueService {
    /// `DELETE /user/identities/ID`: never the last one that works here. It needs a fresh sign-in,
    /// and aal2 if the user has a second factor. Sessions go on.
    func unlink(
        _ id: ReceivedText, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        guard let id = Identifiers.uuid(received: id) else { throw .noUUID("identity_id") }
        return try await runTransaction { (transaction) throws(AccountError) -> GoTrueResponse in
            try await self.unlink(id, of: session, in: transaction)
            return try .json([:])
        }
    }

    private func unlink(
        _ id: String, of session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let user = session.subject
        guard try await AccountUsers.hold(user, in: transaction) else { throw .noUser }
        try await requireFresh(session, in: transaction)
        try await requireFactor(session, in: transaction)
        let identities = try await users.user(user, in: transaction).identities
        guard identities.count > 1 else {
            throw AccountError(.lastIdentity, "It is the only way to sign in to this account.")
        }
        var found: GoTrueIdentity?
        for identity in identities where try identity.rowID.utf8.elementsEqual(id.utf8) {
            found = identity
        }
        guard let found else {
            throw AccountError(.unknownIdentity, "The user has no such way to sign in.")
        }
        let staying = identities.filter {
            !$0.has(issuer: found.identity.issuer, subject: found.identity.subject)
        }
        try await requireWayIn(among: staying, without: found, in: transaction)
        let change: AccountChange =
            switch found.kind {
            case .email: .emailRemoved
            case .phone: .phoneRemoved
            case .provider: .providerRemoved
            }
        try options.hooks.requireAllowed(change, of: user, in: transaction)
        try await notices.tell(change, of: user, in: transaction)
        try await users.people.unlink(found.identity, from: user, in: transaction)
        // A password alone signs no one in, but would with the next address.
        if !staying.contains(where: { $0.kind != .provider }) {
            try await StoredPasswords.remove(of: user, in: transaction)
        }
        // A browser's sign-in, and a change whose code went to what is removed.
        try await BrowserCodes.end(of: user, in: transaction)
        try await PendingSignUps.end(of: user, in: transaction)
        try await AddressChanges.cancel(of: user, in: transaction)
        try await users.touch(user, in: transaction)
    }

    /// Rejects an unlinking after which the user would not get in here, or only by what is newer
    /// than a day: a thief of a session may have linked it, and the owner has that day to react.
    /// What is newer itself may go.
    private func requireWayIn(
        among staying: [GoTrueIdentity], without going: GoTrueIdentity,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let usable = staying.filter(isUsable)
        guard !usable.isEmpty else {
            throw AccountError(
                .lastIdentity, "The others cannot be used to sign in to this account.")
        }
        let latestSettled = try await Self.latestSettled(in: transaction)
        let isSettled = { (identity: GoTrueIdentity) in
            identity.linkedAt.secondsSince1970 <= latestSettled
        }
        guard !isSettled(going) || usable.contains(where: isSettled) else {
            throw AccountError(.unsettledIdentity, "The others are newer than a day.")
        }
    }

    /// Whether the service signs in with an identity: its kind is on, and its provider configured.
    private func isUsable(_ identity: GoTrueIdentity) -> Bool {
        switch identity.kind {
        case .email: options.allowsEmail
        case .phone: options.allowsPhone
        case .provider: providers.hasIssuer(identity.identity.issuer)
        }
    }
}
