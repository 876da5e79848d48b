// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// The user of an access token.
extension GoTrueService {
    /// The changes of an update.
    private struct Change: Sendable {
        var metadata: GoTrueMetadata?
        var hash: String?
        var destination: CodeDestination?
        /// What stands for the code of the present address, where that changes.
        var proof: AddressProof?

        /// Changes that let someone sign in later.
        var isSensitive: Bool { hash != nil || destination != nil }
    }

    /// `GET /user`.
    func user(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await session(of: request)
        return try await answer(current(session.subject))
    }

    /// `DELETE /user`, which GoTrue offers only to administrators: deletes the user's own account
    /// with all its data. Like other sensitive changes it needs a fresh sign-in, or the `nonce` of
    /// `/reauthenticate`.
    func deleteUser(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await session(of: request)
        let body = request.body.isEmpty ? nil : try GoTrueBody(request)
        let nonce = try body?.text("nonce", upTo: 64)
        let shown = try body.flatMap { (body) throws(GoTrueRefusal) in try challenge(body) }
        let isGone = try await confirmed(
            by: nonce, showing: shown, session, from: request.client
        ) {
            (isConfirmed, transaction) async throws(AccountError) in
            if !isConfirmed { try await self.requireFresh(session, in: transaction) }
            return try await AccountUsers.delete(session.subject, in: transaction)
        }
        guard isGone else { throw .userNotFound }
        return .empty()
    }

    /// `PUT /user`. `app_metadata` is ignored: users do not decide it.
    func updateUser(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await session(of: request)
        let body = try GoTrueBody(request)
        // With an ID token it is that token's.
        let nonce = try body.names("id_token") ? nil : body.text("nonce", upTo: 64)
        let change = try await change(body, session, isConfirmed: nonce != nil)
        let (user, sent, present) = try await make(change, session, nonce, body, request)
        var members = try await json(user)
        if let sent { members.merge(try self.members(of: sent)) { $1 } }
        if let present {
            members["present_challenge"] = try self.members(of: present)["challenge"]
        }
        switch change.destination {
        case .email(let mailbox): members["new_email"] = .string(mailbox.text)
        case .phone(let number): members["new_phone"] = .string(number.withoutPlus)
        case nil: break
        }
        return try .json(.object(members))
    }

    /// Makes all the changes, or none: also if no code can be sent to the new address yet.
    ///
    /// - Returns: the user afterwards, and the codes that were sent to the new and to the present
    ///   address.
    private func make(
        _ change: Change, _ session: VerifiedSession, _ nonce: String?, _ body: GoTrueBody,
        _ request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> (GoTrueUser, OneTimeCodes.Sent?, OneTimeCodes.Sent?) {
        let (users, waiting) = (users, PendingSignUps.Row(session))
        let (device, shown) = (Device(request, body), try challenge(body))
        do throws(GoTrueRefusal) {
            if let destination = change.destination {
                try await countRequest(to: destination, request)
            }
            return try await confirmed(
                by: change.isSensitive ? nonce : nil, showing: shown, session,
                from: request.client
            ) {
                (isConfirmed, transaction) async throws(AccountError) in
                // First, because the change may be of the password, too.
                let end = try await self.presentEnd(
                    of: change.destination, isConfirmed ? .nonce : change.proof, session,
                    in: transaction)
                try await self.apply(change, session, isConfirmed, in: transaction)
                var (sent, present): (OneTimeCodes.Sent?, OneTimeCodes.Sent?)
                if let destination = change.destination {
                    sent = try await self.send(
                        to: destination, waiting, device, in: transaction)
                    present = try await self.askPresent(
                        destination, end, session, device, in: transaction)
                }
                return (try await users.user(session.subject, in: transaction), sent, present)
            }
        } catch {
            guard let destination = change.destination, error.isAboutMessages else { throw error }
            try await refuse(waiting, destination, .newDestination, after: nil)
            throw error
        }
    }

    /// Counts a request whose code is sent in the transaction of the changes.
    private func countRequest(
        to destination: CodeDestination, _ request: GoTrueRequest
    ) async throws(GoTrueRefusal) {
        do throws(AccountError) {
            try await codes.countRequest(from: request.client)
        } catch { throw refusal(of: error.sending(to: destination)) }
    }

    private func change(
        _ body: GoTrueBody, _ session: VerifiedSession, isConfirmed: Bool
    ) async throws(GoTrueRefusal) -> Change {
        var change = Change(metadata: try body.metadata())
        if try body.namesDestination() {
            change.destination = try Self.newDestination(
                body, of: await current(session.subject)
            ).map(allowed)
        }
        if let password = try body.password() {
            change.hash = try await hash(password, of: session, isConfirmed)
        }
        if change.isSensitive { change.proof = try await proof(body, session) }
        return change
    }

    /// The destination that is not the user's yet; nil where all are. Clients send whole forms.
    private static func newDestination(
        _ body: GoTrueBody, of user: GoTrueUser
    ) throws(GoTrueRefusal) -> CodeDestination? {
        let named: [CodeDestination?] = [
            try body.phone().map { .phone($0) }, try body.email().map { .email($0) },
        ]
        let new = named.compactMap { $0 }.filter { !user.has($0) }
        guard new.count <= 1 else {
            throw .invalid("Only an email address or phone number should be provided")
        }
        return new.first
    }

    /// `/reauthenticate`: sends a code to the user's own address, for a change that requires one.
    func reauthenticate(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await session(of: request)
        let user = try await current(session.subject)
        guard let destination = Self.destination(of: user) else {
            throw GoTrueRefusal(
                422, "validation_failed",
                "Reauthentication requires the user to have an email or a phone number")
        }
        let sent = try await send(to: destination, for: .confirmation, from: Device(request)) {
            _, _ in true
        }
        return try .json(.object(members(of: sent)))
    }

    private func hash(
        _ password: Password, of session: VerifiedSession, _ isConfirmed: Bool
    ) async throws(GoTrueRefusal) -> String {
        let hasher = try passwords()
        let user = try await current(session.subject)
        guard Self.destination(of: user) != nil else {
            throw GoTrueRefusal(
                422, "validation_failed", "A password needs an email or a phone number")
        }
        return try await asked { () async throws(AccountError) in
            // An old session must not use up the new passwords of its owner: it is refused first,
            // and what brings a nonce, which is looked at with the change, counts for itself.
            if !isConfirmed {
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await self.requireFresh(session, in: transaction)
                }
            }
            let name: StaticString = isConfirmed ? "confirmed passwords" : "new passwords"
            try await limits.take(.passwordTries, name, for: .account(session.subject))
            return try await hasher.hash(password).exposedText
        }
    }

    /// Does what a user wants, in one transaction: with a code that was sent to the user, which it
    /// uses up, or without.
    ///
    /// - Parameters:
    ///   - challenge: of that code, where the client shows it.
    ///   - work: is told whether there was such a code.
    private func confirmed<Answer: Sendable>(
        by nonce: String?, showing challenge: CodeChallenge?, _ session: VerifiedSession,
        from client: ClientAddress?,
        _ work:
            @escaping @Sendable (Bool, any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(GoTrueRefusal) -> Answer {
        guard let nonce else {
            return try await asked { () async throws(AccountError) in
                try await database.transaction { (transaction) throws(AccountError) in
                    try await work(false, transaction)
                }
            }
        }
        let invalid = GoTrueRefusal(
            422, "reauthentication_not_valid", "Nonce has expired or is invalid")
        guard let code = try? OneTimeCode(nonce, digitCount: options.codes.digitCount),
            let destination = Self.destination(of: try await current(session.subject))
        else { throw invalid }
        do throws(AccountError) {
            return try await codes.verify(
                code, sentTo: destination, for: .confirmation, challenge: challenge, from: client
            ) {
                (transaction, _) async throws(AccountError) in
                // Either may have ended since it was looked at.
                try await self.requireLive(session, reading: destination, in: transaction)
                return try await work(true, transaction)
            }
        } catch {
            throw error.code == .wrongCode ? invalid : refusal(of: error)
        }
    }

    /// Rejects a session that has ended, and a code that went to an address which is no longer the
    /// user's.
    private func requireLive(
        _ session: VerifiedSession, reading destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        guard try await AccountUsers.hold(session.subject, in: transaction) else { throw .noUser }
        try await sessions.requireLive(session, in: transaction)
        let now = Self.destination(of: try await users.user(session.subject, in: transaction))
        guard now?.exposedText.utf8.elementsEqual(destination.exposedText.utf8) == true else {
            throw AccountError(.wrongCode, "The code went to another address.")
        }
    }

    /// Sends a code to a new address. One that belongs to another user gets none, and the response
    /// is the same.
    private func send(
        to destination: CodeDestination, _ waiting: PendingSignUps.Row, _ device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> OneTimeCodes.Sent {
        do throws(AccountError) {
            return try await codes.send(
                to: destination, for: .newDestination, from: device.address,
                device: device.secret, in: transaction
            ) {
                (transaction, sending) async throws(AccountError) in
                try await pending.put(
                    waiting, destination, .newDestination, as: sending.challenge, after: nil,
                    in: transaction)
                return try await users.people.owner(of: UserIdentity(destination), transaction)
                    == nil
            }
        } catch { throw error.sending(to: destination) }
    }

    /// Makes all the changes but the new address, which waits for its code.
    private func apply(
        _ change: Change, _ session: VerifiedSession, _ isConfirmed: Bool,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let id = session.subject
        guard try await AccountUsers.hold(id, in: transaction) else {
            throw .noUser
        }
        if change.isSensitive, !isConfirmed {
            try await requireFresh(session, in: transaction)
        } else {
            try await sessions.requireLive(session, in: transaction)
        }
        try await users.touch(id, in: transaction)
        if let metadata = change.metadata {
            guard try await users.merge(metadata, of: id, in: transaction) else {
                throw AccountError(.metadataTooLarge, "The metadata are too large.")
            }
        }
        guard let hash = change.hash else { return }
        try await notices.tell(.password, of: id, in: transaction)
        try await StoredPasswords.set(hash, of: id, in: transaction)
        // Ends the sessions of anyone who knew the old one, and what this one has asked for: its
        // token may have a copy.
        try await endAll(of: id, except: session.sessionID, in: transaction)
        try await PendingSignUps.end(of: id, in: transaction)
        try await AddressChanges.end(of: id, in: transaction)
    }

    private func answer(_ user: GoTrueUser) async throws(GoTrueRefusal) -> GoTrueResponse {
        try .json(.object(try await json(user)))
    }

    private func json(_ user: GoTrueUser) async throws(GoTrueRefusal) -> [String: JSONValue] {
        try await asked { () async throws(AccountError) in try user.json() }
    }

    /// The destination of a user's codes: the mailbox, as GoTrue prefers, or the phone.
    private static func destination(of user: GoTrueUser) -> CodeDestination? {
        guard let identity = user.email ?? user.phone else { return nil }
        return identity.codeDestination
    }
}
