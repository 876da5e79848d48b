// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// Changes of addresses and numbers. A new number needs the code that was sent to it. A new e-mail
// address needs two codes, as with GoTrue's `secure_email_change`: one sent to the new address, and
// one sent to the present address. An `AddressProof` replaces the second code.
//
// 1. `PUT /user` with {"email":"new@example.com"}: `readProof`, `destinationToAsk` (whether, and
//    where to, a second code goes) and `recordChange`, which stores the waiting change.
// 2. `POST /verify` with each code: `confirmNew` or `confirmPresent`. The last code that is needed
//    runs `completeChange`; a code before that is `halfConfirmed`.
//
// `AccountUsers.hold` locks the user's row, and is false for a deleted user.
extension GoTrueService {
    /// The proof that replaces the code of the present address.
    enum AddressProof: Sendable {
        /// The code of `/reauthenticate`, which went to the present address.
        case nonce
        /// The right password, as the hash that it matches.
        case password(PasswordHash)
        /// A provider's account, whose ID token was verified.
        case provider(UserIdentity)
        /// Proves nothing yet: the second code goes to the account's phone instead.
        case phone
    }

    /// The effect of a right code.
    enum Redeemed: Sendable {
        case signedIn(Grant)
        /// One of the two codes of a change was right, and the other code is still needed.
        ///
        /// - Parameter sessionID: the session that asked for the change.
        case halfConfirmed(GoTrueUser, sessionID: String)
    }

    /// How many seconds a factor must have been the account's before it confirms anything: a day.
    /// A thief of a session can add a factor, but the owner is told of it and has a day to react.
    private static var settlingTime: Double { 86_400 }

    /// The proof in the body of an update; nil if there is none.
    ///
    /// - Throws: `current_password_invalid`; for an ID token, the errors of `POST /token`.
    func readProof(
        _ body: GoTrueBody, of session: VerifiedSession
    ) async throws(GoTrueRefusal) -> AddressProof? {
        if let password = try body.password("current_password") {
            return .password(try await requireCurrentPassword(password, of: session))
        }
        if let token = try body.text("id_token", upTo: BearerToken.maximumByteCount) {
            return try await readProviderProof(idToken: token, in: body)
        }
        guard let name = try body.received("confirm_with", upTo: GoTrueBody.maximumWordByteCount)
        else { return nil }
        guard name.isEqual(to: "phone") else {
            throw .invalid("confirm_with must be \"phone\", or absent")
        }
        return .phone
    }

    private func readProviderProof(
        idToken: String, in body: GoTrueBody
    ) async throws(GoTrueRefusal) -> AddressProof {
        let provider = try namedProvider(in: body)
        // An ID token alone is not secret enough: it is in the memory of other programs, too.
        guard let nonce = try body.text("nonce", upTo: GoTrueBody.maximumNonceByteCount) else {
            throw .invalid("An id_token that confirms a change needs its nonce")
        }
        let identity = try await verifiedIdentity(
            of: idToken, from: provider, nonce: nonce,
            accessToken: try body.text("access_token", upTo: BearerToken.maximumByteCount))
        return .provider(UserIdentity(identity.identityKey))
    }

    /// The hash of the account's password, which `password` matches.
    ///
    /// - Throws: `current_password_invalid`; `reauthentication_needed` for an old session.
    private func requireCurrentPassword(
        _ password: Password, of session: VerifiedSession
    ) async throws(GoTrueRefusal) -> PasswordHash {
        let hasher = try passwords()
        let hash = try await translatingErrors { () async throws(AccountError) in
            try await currentHash(matching: password, of: session, using: hasher)
        }
        guard let hash else {
            throw GoTrueRefusal(
                400, code: "current_password_invalid", message: "The current password is wrong")
        }
        return hash
    }

    /// Counts a try, compares the password with the account's password, and gives the try back if
    /// they match: only wrong passwords count.
    ///
    /// - Returns: the hash that the password matches; nil for a wrong password.
    private func currentHash(
        matching password: Password, of session: VerifiedSession, using hasher: PasswordHasher
    ) async throws(AccountError) -> PasswordHash? {
        let limits = limits
        let id = session.subject
        try await database.transaction { (transaction) throws(AccountError) in
            // First, so that an old session, or one without the factor, neither guesses nor uses up
            // its owner's tries.
            try await self.requireFresh(session, in: transaction)
            try await self.requireFactor(session, in: transaction)
            try await limits.take(
                .passwordTries, name: "current passwords", for: .account(id), in: transaction)
        }
        let known = try await database.read { (transaction) throws(AccountError) in
            try await StoredPasswords.hash(of: id, in: transaction)
        }
        let giveBack: GivingBack = { (transaction) async throws(AccountError) in
            try await limits.giveBack(
                .passwordTries, name: "current passwords", for: .account(id), in: transaction)
        }
        let verdict = try await deriveFromPassword(givingBack: giveBack) {
            () async throws(AccountError) in
            try await hasher.verify(password, against: known)
        }
        guard verdict != .wrong else { return nil }
        try await database.transaction(giveBack)
        return known
    }

    /// The destination whose code must confirm a change beside the code of the new address: the
    /// present address, or the account's phone.
    ///
    /// - Returns: nil if no second code is needed: `new` is no e-mail address, the user has no
    ///   address yet, or a proof replaces the code.
    func destinationToAsk(
        before new: CodeDestination?, proof: AddressProof?, session: VerifiedSession,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> CodeDestination? {
        guard case .email = new else { return nil }
        guard try await AccountUsers.hold(session.subject, in: transaction) else { throw .noUser }
        let user = try await users.user(session.subject, in: transaction)
        guard let present = user.email?.codeDestination else { return nil }
        let latestSettled = try await Self.latestSettled(in: transaction)
        if case .phone = proof {
            guard let phone = user.phone, phone.linkedAt.secondsSince1970 <= latestSettled else {
                return present
            }
            return phone.codeDestination ?? present
        }
        let isProven = try await replacesCode(
            proof, of: user, settledBy: latestSettled, in: transaction)
        return isProven ? nil : present
    }

    /// Whether a proof replaces the code of the present address.
    ///
    /// - Parameter latestSettled: a factor that was linked later than this proves nothing.
    private func replacesCode(
        _ proof: AddressProof?, of user: GoTrueUser, settledBy latestSettled: Double,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        switch proof {
        case .nonce: return true  // its code went to the present address
        case .password(let hash):
            return try await StoredPasswords.isSettled(hash, of: user.id, in: transaction)
        case .provider(let key):
            return user.identities.contains { linked in
                linked.identity.issuer.utf8.elementsEqual(key.issuer.utf8)
                    && linked.identity.subject.utf8.elementsEqual(key.subject.utf8)
                    && linked.linkedAt.secondsSince1970 <= latestSettled
            }
        case .phone, nil: return false
        }
    }

    /// Records a change of the e-mail address, and sends the second code to `asked`, if there is
    /// one.
    ///
    /// - Returns: what was sent to `asked`; nil if nothing was sent, as for a new number.
    /// - Throws: `tooManyMails` or `tooManyMessages` if a limit allows no code there yet.
    func recordChange(
        to destination: CodeDestination, askingAt asked: CodeDestination?,
        of session: VerifiedSession, from device: Device, in transaction: any AccountTransaction
    ) async throws(AccountError) -> OneTimeCodes.Sent? {
        guard case .email(let new) = destination else { return nil }
        var sent: OneTimeCodes.Sent?
        if let asked {
            do {
                sent = try await codes.send(
                    to: asked, for: .presentDestination, from: device.address,
                    device: device.secret, in: transaction
                ) { (_, _) in true }
            } catch { throw error.sending(to: asked) }
        }
        try await AddressChanges.put(
            new.text, of: session, challenge: sent?.challenge, in: transaction)
        return sent
    }

    /// A day ago by the database's clock, in seconds. A factor that was linked later than this
    /// confirms nothing.
    static func latestSettled(
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Double {
        guard let row = try await transaction.run("SELECT {now}", values: []).first else {
            throw AccountError(.corrupt, "The database did not give the time.")
        }
        return Double(try row.integer(0)) / 1000 - settlingTime
    }

    /// The purpose of a code of a change of address. An address that a user has got its code as the
    /// present address; an address that no user has got its code as the new address.
    func changePurpose(of destination: CodeDestination) async throws(GoTrueRefusal) -> CodePurpose {
        let users = users
        let identity = UserIdentity(destination)
        let owner = try await runReading { (transaction) throws(AccountError) in
            try await users.people.owner(of: identity, in: transaction)
        }
        return owner == nil ? .newDestination : .presentDestination
    }

    /// Continues a change after the right code of a new address or number. A new number, and the
    /// first address of a user, need no other code.
    func confirmNew(
        _ destination: CodeDestination, of id: String, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Redeemed {
        guard try await AccountUsers.hold(id, in: transaction) else { throw .noUser }
        let user = try await users.user(id, in: transaction)
        if case .email(let new) = destination, user.email != nil {
            let confirmed = try await AddressChanges.confirm(
                .ofNewAddress(new.text), of: id, in: transaction)
            guard let confirmed else { throw .noWaitingChange }
            guard confirmed.isComplete else {
                return .halfConfirmed(user, sessionID: confirmed.sessionID)
            }
        }
        return try await completeChange(
            of: id, to: destination, from: device, in: transaction)
    }

    /// Continues a change after the right code of the present address or the phone. A code of an
    /// earlier change confirms nothing.
    func confirmPresent(
        _ destination: CodeDestination, code used: CodeChallenge, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Redeemed {
        let owner = try await users.people.owner(of: UserIdentity(destination), in: transaction)
        guard let id = owner, try await AccountUsers.hold(id, in: transaction) else {
            throw .noUser
        }
        let confirmed = try await AddressChanges.confirm(
            .ofPresentDestination(used), of: id, in: transaction)
        guard let confirmed else { throw .noWaitingChange }
        let user = try await users.user(id, in: transaction)
        guard confirmed.isComplete else {
            return .halfConfirmed(user, sessionID: confirmed.sessionID)
        }
        guard let new = try? Mailbox(confirmed.address) else {
            throw AccountError(.corrupt, "The new address of a change is not an e-mail address.")
        }
        return try await completeChange(
            of: id, to: .email(new), from: device, in: transaction)
    }

    /// Gives the user the new address or number, removes the waiting change, and begins a session.
    private func completeChange(
        of id: String, to destination: CodeDestination, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Redeemed {
        try await addIdentity(to: id, in: transaction) { () async throws(AccountError) in
            try await replace(destination, of: id, in: transaction)
        }
        try await AddressChanges.cancel(of: id, in: transaction)
        return .signedIn(
            try await beginSession(
                of: id, by: "otp", from: device, with: destination, in: transaction))
    }

    /// The response to a right code. It is stored under `name`, if there is one, for a client that
    /// loses the response.
    func response(
        to redeemed: Redeemed, keptAs name: RepeatedAnswers.Name?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueResponse {
        switch redeemed {
        case .signedIn(let grant):
            return try await response(to: grant, keptAs: name, in: transaction)
        case .halfConfirmed(let user, let sessionID):
            let response = try Self.halfConfirmedResponse(user)
            if let name {
                try await answers.storeResponse(
                    response.body, of: sessionID, as: name, in: transaction)
            }
            return response
        }
    }

    /// GoTrue's two members, and the smallest user that its clients accept: some clients refuse a
    /// response without a user. A reader of the new address learns nothing else.
    private static func halfConfirmedResponse(
        _ user: GoTrueUser
    ) throws(AccountError) -> GoTrueResponse {
        try .json([
            "code": "200",
            "msg": "Code accepted. Please enter the code that was sent to the other end, too",
            "id": .string(user.id), "aud": "authenticated", "role": "authenticated",
            "app_metadata": [:], "user_metadata": [:], "identities": [],
            "created_at": .time(user.createdAt), "updated_at": .time(user.updatedAt),
        ])
    }
}

extension AccountError {
    /// No change waits for this code. Clients get the same answer as for an unknown user.
    fileprivate static var noWaitingChange: AccountError {
        AccountError(.unknownUser, "No change of an address waits for this code.")
    }
}
