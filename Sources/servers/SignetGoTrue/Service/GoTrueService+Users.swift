// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// The user of an access token. A change of the user goes through these functions:
// 1. updateUser: reads the request.
// 2. readChange: reads what changes, hashes a new password, and checks a proof.
// 3. carryOut: counts the request, and runs makeChanges in a transaction, or repeats a response.
// 4. makeChanges: all the changes, and the codes to a new and to the present address.
extension GoTrueService {
    /// The changes of an update.
    struct Change: Sendable {
        var metadata: GoTrueMetadata?
        var hash: PasswordHash?
        var destination: CodeDestination?
        /// The proof that replaces the code of the present address, if the address changes.
        var proof: AddressProof?

        /// Whether the change lets a person sign in later.
        var isSensitive: Bool { hash != nil || destination != nil }
    }

    /// `GET /user`.
    func user(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        return try await response(with: currentUser(session.subject))
    }

    /// `DELETE /user`, which GoTrue offers only to administrators: deletes the user's own account
    /// with all its data. Like a sensitive change it needs a fresh sign-in, or the `nonce` of
    /// `/reauthenticate`.
    func deleteUser(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        let body = request.body.isEmpty ? nil : try GoTrueBody(request)
        let nonce = try body?.text("nonce", upTo: GoTrueBody.maximumWordByteCount)
        let shown = try body.flatMap(shownChallenge)
        let isGone = try await runTransaction(
            confirmedBy: nonce, showing: shown, of: session, from: request.client
        ) {
            (isConfirmed, transaction) async throws(AccountError) in
            if !isConfirmed { try await self.requireFresh(session, in: transaction) }
            try await self.requireFactor(session, in: transaction)
            try self.options.hooks.requireAllowed(
                .accountDeleted, of: session.subject, in: transaction)
            return try await AccountUsers.delete(session.subject, in: transaction)
        }
        guard isGone else { throw .userNotFound }
        return .empty()
    }

    /// `PUT /user`. `app_metadata` is ignored: users do not decide it.
    func updateUser(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        let body = try GoTrueBody(request)
        // With an ID token, `nonce` is the token's nonce.
        let nonce =
            try body.hasMember("id_token")
            ? nil : body.text("nonce", upTo: GoTrueBody.maximumWordByteCount)
        let destination = try await newDestination(body, of: session)
        return try await recordingRefusal(of: destination, of: session, for: request) {
            () async throws(GoTrueRefusal) in
            let change = try await readChange(
                body, to: destination, of: session, hasNonce: nonce != nil)
            return try await carryOut(change, of: session, nonce: nonce, body: body, for: request)
        }
    }

    /// Runs `work`. If it refuses a change of the address or number only for now, records that
    /// change like a request that got no code: a code that a different account has asked for may
    /// come there.
    private func recordingRefusal(
        of destination: CodeDestination?, of session: VerifiedSession, for request: GoTrueRequest,
        _ work: () async throws(GoTrueRefusal) -> GoTrueResponse
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        do { return try await work() } catch {
            guard let destination, error.isPassing else { throw error }
            try await recordRefused(
                PendingSignUps.Row(session), for: destination, purpose: .newDestination, after: nil,
                from: request.client, as: error)
            throw error
        }
    }

    /// Makes all the changes or none: none if a limit allows no code to the new address yet.
    private func carryOut(
        _ change: Change, of session: VerifiedSession, nonce: String?, body: GoTrueBody,
        for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let answers = answers
        let device = Device(request, body: body)
        let shown = try shownChallenge(body)
        let name = try answerName(of: change, session: session, nonce: nonce, showing: shown)
        do {
            if let destination = change.destination {
                try await countRequest(to: destination, for: request)
            }
            return try await runTransaction(
                confirmedBy: change.isSensitive ? nonce : nil, showing: shown, of: session,
                from: request.client
            ) {
                (isConfirmed, transaction) async throws(AccountError) in
                let response = try await self.makeChanges(
                    change, of: session, isConfirmed: isConfirmed, from: device, in: transaction)
                if isConfirmed, let name {
                    try await answers.storeResponse(
                        response.body, of: session.sessionID, as: name, in: transaction)
                }
                return response
            }
        } catch {
            // An earlier request may have used the nonce up, and its response been lost.
            guard let name, error == .nonceNotValid,
                let response = try await storedResponse(
                    name, password: try body.password(), of: session)
            else { throw error }
            return response
        }
    }

    /// Makes all the changes but a new address or number, which waits for the codes that are sent
    /// here.
    ///
    /// - Parameter isConfirmed: whether a nonce has confirmed them.
    private func makeChanges(
        _ change: Change, of session: VerifiedSession, isConfirmed: Bool, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueResponse {
        // Before `apply`, which may replace the password that proves the change.
        let asked = try await destinationToAsk(
            before: change.destination, proof: isConfirmed ? .nonce : change.proof,
            session: session, in: transaction)
        try await apply(change, of: session, isConfirmed: isConfirmed, in: transaction)
        var sentToNew: OneTimeCodes.Sent?
        var sentToPresent: OneTimeCodes.Sent?
        if let destination = change.destination {
            sentToNew = try await sendChangeCode(
                to: destination, granting: PendingSignUps.Row(session), from: device,
                in: transaction)
            sentToPresent = try await recordChange(
                to: destination, askingAt: asked, of: session, from: device, in: transaction)
        }
        let user = try await users.user(session.subject, in: transaction)
        return try response(
            user, to: change, sentToNew: sentToNew, sentToPresent: sentToPresent)
    }

    /// Counts a request whose code is sent in the transaction of the changes.
    private func countRequest(
        to destination: CodeDestination, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) {
        do {
            try await codes.countRequest(from: request.client)
        } catch { throw refusal(of: error.sending(to: destination)) }
    }

    /// Reads the changes that a body asks for, and hashes a new password.
    ///
    /// - Parameter hasNonce: whether the request has a nonce, which is verified with the changes.
    private func readChange(
        _ body: GoTrueBody, to destination: CodeDestination?, of session: VerifiedSession,
        hasNonce: Bool
    ) async throws(GoTrueRefusal) -> Change {
        var change = Change(metadata: try body.metadata(), destination: destination)
        if let password = try body.password() {
            change.hash = try await hash(password, of: session, hasNonce: hasNonce)
        }
        if change.isSensitive, !hasNonce { change.proof = try await readProof(body, of: session) }
        return change
    }

    /// The destination that is not the user's yet; nil if the user has all of them. Clients send
    /// whole forms, with unchanged values.
    private func newDestination(
        _ body: GoTrueBody, of session: VerifiedSession
    ) async throws(GoTrueRefusal) -> CodeDestination? {
        guard try body.namesDestination() else { return nil }
        let user = try await currentUser(session.subject)
        let named: [CodeDestination?] = [
            try body.phone().map(CodeDestination.phone),
            try body.email().map(CodeDestination.email),
        ]
        let new = named.compactMap { $0 }.filter { !user.has($0) }
        guard new.count <= 1 else {
            throw .invalid("Only an email address or phone number should be provided")
        }
        return try new.first.map(allowed)
    }

    /// `/reauthenticate`: sends a code to the user's own address, for a change that requires a
    /// code.
    func reauthenticate(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        let body = request.body.isEmpty ? nil : try GoTrueBody(request)
        let shown = try body.flatMap(shownChallenge)
        let user = try await currentUser(session.subject)
        guard let destination = Self.destination(of: user) else {
            throw GoTrueRefusal(
                422, code: "validation_failed",
                message: "Reauthentication requires the user to have an email or a phone number")
        }
        let sent = try await send(
            to: destination, for: .confirmation, from: Device(request, body: body), showing: shown
        ) { _, _ in true }
        return try response(challengeMember(of: sent))
    }

    /// The hash of a new password. Counts a try first, because hashing is expensive.
    private func hash(
        _ password: Password, of session: VerifiedSession, hasNonce: Bool
    ) async throws(GoTrueRefusal) -> PasswordHash {
        let hasher = try passwords()
        let limits = limits
        let user = try await currentUser(session.subject)
        guard let destination = Self.destination(of: user) else {
            throw GoTrueRefusal(
                422, code: "validation_failed",
                message: "A password needs an email or a phone number")
        }
        return try await translatingErrors { () async throws(AccountError) in
            // An old session, or one without the factor, must not use up its owner's tries for new
            // passwords, so it is refused first. A request with a nonce, which is verified with the
            // change, has a count of its own, and needs no fresh sign-in.
            try await database.transaction { (transaction) throws(AccountError) in
                if !hasNonce { try await self.requireFresh(session, in: transaction) }
                try await self.requireFactor(session, in: transaction)
            }
            let name: StaticString = hasNonce ? "confirmed passwords" : "new passwords"
            let subject = RateLimits.Subject.account(session.subject)
            try await limits.take(.passwordTries, name: name, for: subject)
            let giveBack: GivingBack = { (transaction) async throws(AccountError) in
                try await limits.giveBack(
                    .passwordTries, name: name, for: subject, in: transaction)
            }
            return try await deriveFromPassword(givingBack: giveBack) {
                () async throws(AccountError) in
                try await options.hooks.requireAllowed(
                    password, of: session.subject, at: destination)
                return try await hasher.hash(password)
            }
        }
    }

    /// Runs `work` in a transaction. If there is a nonce, the same transaction verifies it and uses
    /// it up.
    ///
    /// - Parameters:
    ///   - nonce: a code that was sent to the user; nil if the request has none.
    ///   - challenge: the challenge of that code, if the client shows it.
    ///   - work: receives whether the nonce was verified; false if there is none.
    private func runTransaction<Value: Sendable>(
        confirmedBy nonce: String?, showing challenge: CodeChallenge?, of session: VerifiedSession,
        from client: ClientAddress?,
        _ work:
            @escaping @Sendable (Bool, any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(GoTrueRefusal) -> Value {
        guard let nonce else {
            return try await runTransaction { (transaction) throws(AccountError) in
                try await work(false, transaction)
            }
        }
        guard let code = try? OneTimeCode(nonce, digitCount: options.codes.digitCount),
            let destination = Self.destination(of: try await currentUser(session.subject))
        else { throw .nonceNotValid }
        do {
            return try await codes.verify(
                code, sentTo: destination, for: .confirmation, challenge: challenge, from: client
            ) {
                (transaction, _) async throws(AccountError) in
                // Since the check the session may have ended, or the user's address may have
                // changed.
                try await self.requireLive(session, reading: destination, in: transaction)
                return try await work(true, transaction)
            }
        } catch {
            throw error.code == .wrongCode ? .nonceNotValid : refusal(of: error)
        }
    }

    /// Rejects a session that has ended, and a code that went to a destination which is no longer
    /// the user's.
    private func requireLive(
        _ session: VerifiedSession, reading destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        guard try await AccountUsers.hold(session.subject, in: transaction) else { throw .noUser }
        try await sessions.requireLive(session, in: transaction)
        let user = try await users.user(session.subject, in: transaction)
        guard let current = Self.destination(of: user),
            current.exposedText.utf8.elementsEqual(destination.exposedText.utf8)
        else {
            throw AccountError(.wrongCode, "The code went to another address.")
        }
    }

    /// Sends a code to a new address. An address of a different user gets no code, and the response
    /// is the same.
    private func sendChangeCode(
        to destination: CodeDestination, granting waiting: PendingSignUps.Row, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> OneTimeCodes.Sent {
        do {
            return try await codes.send(
                to: destination, for: .newDestination, from: device.address,
                device: device.secret, in: transaction
            ) {
                (transaction, sending) async throws(AccountError) in
                try await pending.put(
                    waiting, for: destination, purpose: .newDestination, as: sending.challenge,
                    after: nil, in: transaction)
                return try await users.people.owner(of: UserIdentity(destination), in: transaction)
                    == nil
            }
        } catch { throw error.sending(to: destination) }
    }

    /// Makes all the changes but the new address, which waits for its code.
    private func apply(
        _ change: Change, of session: VerifiedSession, isConfirmed: Bool,
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
        if change.isSensitive { try await requireFactor(session, in: transaction) }
        try await users.touch(id, in: transaction)
        if let metadata = change.metadata {
            guard try await users.merge(metadata, of: id, in: transaction) else {
                throw AccountError(
                    .metadataTooLarge,
                    "The metadata would have more than \(GoTrueMetadata.maximumByteCount) bytes.")
            }
        }
        guard let hash = change.hash else { return }
        try options.hooks.requireAllowed(.password, of: id, in: transaction)
        try await notices.tell(.password, of: id, in: transaction)
        try await StoredPasswords.set(hash, of: id, in: transaction)
        // Ends the sessions of anyone who knew the old password.
        try await endAllWithChanges(of: id, except: session.sessionID, in: transaction)
    }

    private func response(with user: GoTrueUser) throws(GoTrueRefusal) -> GoTrueResponse {
        do { return try .json(user.json()) } catch { throw refusal(of: error) }
    }

    /// The destination of a user's codes: the mailbox, as GoTrue prefers, or the phone.
    private static func destination(of user: GoTrueUser) -> CodeDestination? {
        guard let identity = user.email ?? user.phone else { return nil }
        return identity.codeDestination
    }
}
