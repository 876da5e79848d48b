// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE

// One way to sign in less: an address, a number, or an account at a provider, by its `identity_id`.
//
//     DELETE /user/identities/ID
extension GoTrueService {
    /// `DELETE /user/identities/ID`: never the last one. It needs a fresh sign-in, and aal2 if the
    /// user has a second factor. Sessions go on.
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
        let change: AccountChange =
            switch found.kind {
            case .email: .emailRemoved
            case .phone: .phoneRemoved
            case .provider: .providerRemoved
            }
        try await notices.tell(change, of: user, in: transaction)
        try await users.people.unlink(found.identity, from: user, in: transaction)
        // One of its codes may have gone to what is removed.
        try await AddressChanges.cancel(of: user, in: transaction)
        try await users.touch(user, in: transaction)
    }
}
