// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE
internal import SignetSignIn

// Verifying codes: a code for a session. The type says what the code was sent for:
//
//     POST /verify  {"type":"sms","phone":"+14155551234","token":"123456","challenge":"…"}
//
// 1. verify: reads the request, and counts it.
// 2. response(to:): uses the code up or, for a used code, repeats the response that may be lost.
// 3. redeem: the effect of a right code, by its purpose, in the transaction that uses it up.
extension GoTrueService {
    /// `POST /verify`: the same answer for every wrong code.
    func verify(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let body = try GoTrueBody(request)
        let type = try body.received("type", upTo: GoTrueBody.maximumWordByteCount)
        if let hash = try body.text("token_hash", upTo: GoTrueBody.maximumWordByteCount) {
            return try await verifyLink(hash, type: type, body: body, request: request)
        }
        guard let token = try body.text("token", upTo: GoTrueBody.maximumWordByteCount) else {
            throw .invalid("Verify requires a token, and an email or phone that it was sent to")
        }
        let destination = try allowed(body.destination())
        var purpose = try Self.purpose(type, for: destination)
        let device = Device(request, body: body)
        let challenge = try shownChallenge(body)
        if purpose == .newDestination, case .email = destination {
            purpose = try await changePurpose(of: destination)
        }
        let entered = EnteredCode(
            text: token, destination: destination, purpose: purpose, challenge: challenge,
            device: device)
        do throws(AccountError) {
            // Counted first, and given back for a right code. If the client shows its challenge,
            // strangers at its address cannot have its right code refused.
            return try await attempt(for: request, isBounded: challenge != nil) {
                () async throws(AccountError) -> GoTrueResponse in
                try await self.response(to: entered)
            }
        } catch { throw refusal(of: error, redeeming: destination) }
    }

    /// A code that a client has entered, or the token of a link.
    struct EnteredCode: Sendable {
        let text: String
        let destination: CodeDestination
        let purpose: CodePurpose
        /// The challenge that the client shows.
        let challenge: CodeChallenge?
        let device: Device
    }

    /// The response to a right code; repeated for a used code if the client shows its challenge,
    /// because it may have lost the response.
    private func response(to entered: EnteredCode) async throws(AccountError) -> GoTrueResponse {
        guard let code = try? OneTimeCode(entered.text, digitCount: options.codes.digitCount)
        else { throw AccountError(.wrongCode, "This is no code.") }
        guard let challenge = entered.challenge else {
            return try await useUp(code, entered: entered, keepingAs: nil)
        }
        // Once a change is done, the new address is the present address, so both purposes share a
        // name.
        let purpose: CodePurpose =
            entered.purpose == .presentDestination ? .newDestination : entered.purpose
        let name = try answers.name(
            [
                "code", purpose.name, entered.destination.exposedText, challenge.text,
                code.exposedText,
            ].map { Array($0.utf8) })
        return try await repeatingResponse(name) { () async throws(AccountError) in
            try await self.useUp(code, entered: entered, keepingAs: name)
        }
    }

    /// The response of `work`, or the one that was kept if what it uses was used a moment ago.
    func repeatingResponse(
        _ name: RepeatedAnswers.Name, _ work: () async throws(AccountError) -> GoTrueResponse
    ) async throws(AccountError) -> GoTrueResponse {
        do { return try await work() } catch {
            guard error.code == .wrongCode else { throw error }
            let answers = answers
            let stored = try await database.transaction { (transaction) throws(AccountError) in
                try await answers.storedResponse(name, in: transaction)
            }
            guard let stored else { throw error }
            return stored
        }
    }

    /// Verifies a code, and carries out its effect in the transaction that uses it up.
    ///
    /// - Parameter name: the name under which the response is kept; nil to keep none.
    private func useUp(
        _ code: OneTimeCode, entered: EnteredCode, keepingAs name: RepeatedAnswers.Name?
    ) async throws(AccountError) -> GoTrueResponse {
        try await codes.verify(
            code, sentTo: entered.destination, for: entered.purpose, challenge: entered.challenge,
            from: entered.device.address
        ) {
            (transaction, used) async throws(AccountError) in
            let redeemed = try await self.redeem(entered, used: used, in: transaction)
            return try await self.response(to: redeemed, keptAs: name, in: transaction)
        }
    }

    /// The refusal of a code, in the words that fit its destination.
    private func refusal(
        of error: AccountError, redeeming destination: CodeDestination
    ) -> GoTrueRefusal {
        switch error.code {
        // The account was deleted since the code was sent, or never existed.
        case .unknownUser: return .otpExpired
        case .identityTaken:
            return switch destination {
            case .phone:
                GoTrueRefusal(
                    422, code: "phone_exists",
                    message: "A user with this phone number has already been registered")
            case .email:
                GoTrueRefusal(
                    422, code: "email_exists",
                    message: "A user with this email address has already been registered")
            }
        default: return refusal(of: error)
        }
    }

    /// Carries out the effect of a right code.
    func redeem(
        _ entered: EnteredCode, used: CodeRequest, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Redeemed {
        let destination = entered.destination
        let device = entered.device
        switch entered.purpose {
        case .newDestination:
            let row = try await takePending(entered, in: transaction)
            guard let id = row?.userID else { throw .noUser }
            return try await confirmNew(destination, of: id, from: device, in: transaction)
        case .presentDestination:
            return try await confirmPresent(
                destination, code: used.challenge, from: device, in: transaction)
        case .recovery:
            let owner = try await users.people.owner(
                of: UserIdentity(destination), in: transaction)
            guard let owner else { throw .noUser }
            return .signedIn(
                try await beginSession(
                    of: owner, by: "recovery", from: device, with: destination, in: transaction))
        default:  // signIn
            let row = try await takePending(entered, in: transaction)
            return .signedIn(
                try await signIn(destination, granting: row, from: device, in: transaction))
        }
    }

    /// What the requests that wait for a code grant; nil if none waits.
    private func takePending(
        _ entered: EnteredCode, in transaction: any AccountTransaction
    ) async throws(AccountError) -> PendingSignUps.Row? {
        try await pending.take(
            entered.destination, purpose: entered.purpose, showing: entered.challenge,
            from: entered.device.address, in: transaction)
    }

    /// Begins a session with a right code. A sign-up that waits makes a new user, with its password
    /// and metadata.
    private func signIn(
        _ destination: CodeDestination, granting row: PendingSignUps.Row?, from device: Device,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Grant {
        let identity = UserIdentity(destination)
        if row?.creates != true,
            try await users.people.owner(of: identity, in: transaction) == nil
        {
            throw .noUser
        }
        let found = try await users.findOrAdd(identity, in: transaction)
        // A sign-up changes nothing in an existing account.
        let signUp = found.isNew ? row : nil
        if let hash = signUp?.hash {
            try await StoredPasswords.set(
                PasswordHash(hash), of: found.user.id, in: transaction)
        }
        var grant = try await beginSession(
            of: found.user.id, by: "otp", from: device, with: destination,
            metadata: signUp?.metadata, in: transaction)
        grant.setsPassword = signUp?.hash != nil
        return grant
    }

    /// Adds an identity. If it is the user's first, ends the changes that the user asked for as a
    /// guest, who needs no recent sign-in: they must not open a second way into the account.
    func addIdentity<Value>(
        to id: String, in transaction: any AccountTransaction,
        _ add: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        guard try await AccountUsers.hold(id, in: transaction) else { throw .noUser }
        let wasGuest = try await users.people.identities(of: id, in: transaction).isEmpty
        let value = try await add()
        if wasGuest { try await PendingSignUps.end(of: id, in: transaction) }
        return value
    }

    /// Replaces a user's address or number, and notifies the user at the destinations from before.
    func replace(
        _ destination: CodeDestination, of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let identity = UserIdentity(destination)
        let change: AccountChange =
            switch destination {
            case .phone: .phone
            case .email: .email
            }
        if try await notices.tell(change, of: id, ifNew: identity, in: transaction) {
            try options.hooks.requireAllowed(change, of: id, in: transaction)
        }
        _ = try await users.people.link(identity, to: id, in: transaction)
        for other in try await users.people.identities(of: id, in: transaction)
        where other.identity.issuer.utf8.elementsEqual(identity.issuer.utf8)
            && !other.identity.subject.utf8.elementsEqual(identity.subject.utf8)
        {
            try await users.people.unlink(other.identity, from: id, in: transaction)
        }
        try await users.touch(id, in: transaction)
    }

    /// Rejects a kind of destination that is turned off.
    func allowed(_ destination: CodeDestination) throws(GoTrueRefusal) -> CodeDestination {
        switch destination {
        case .phone where !options.allowsPhone:
            throw GoTrueRefusal(
                400, code: "phone_provider_disabled", message: "Unsupported phone provider")
        case .email where !options.allowsEmail:
            throw GoTrueRefusal(
                422, code: "email_provider_disabled", message: "Email logins are disabled")
        default: return destination
        }
    }

    /// GoTrue's types of what comes by e-mail, as a code and as a link.
    static let linkPurposes: [(type: String, purpose: CodePurpose)] = [
        ("email", .signIn), ("signup", .signIn), ("magiclink", .signIn), ("recovery", .recovery),
    ]

    /// The purpose that GoTrue's name of a type means for a phone or a mailbox.
    static func purpose(
        _ type: ReceivedText?, for destination: CodeDestination
    ) throws(GoTrueRefusal) -> CodePurpose {
        let known: [(type: String, purpose: CodePurpose)] =
            switch destination {
            case .phone:
                [
                    ("sms", .signIn), ("phone_change", .newDestination),
                    ("email_change", .presentDestination),
                ]
            case .email: linkPurposes + [("email_change", .newDestination)]
            }
        guard let type, let found = known.first(where: { type.isEqual(to: $0.type) }) else {
            throw .invalid("No code of this type is sent to this kind of address")
        }
        return found.purpose
    }
}
