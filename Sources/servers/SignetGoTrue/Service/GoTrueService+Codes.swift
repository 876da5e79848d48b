// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetJOSE
internal import SignetSignIn

// Sending codes: `POST /otp` with {"phone":"+14155551234"} sends a code there, and responds with
// {"challenge":"…"}, the name of the code. A client that shows the challenge with its code, or with
// its next request, is known to be the same client.
//
// `codes` makes the code, and its closure decides in the same transaction whether the message goes
// out. `pending` stores what the code will grant, such as a new account. Local copies such as `let
// pending = pending` are for the closures.
extension GoTrueService {
    /// `POST /otp`. The response is the same for every destination.
    func sendCode(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let body = try GoTrueBody(request)
        let destination = try allowed(body.destination())
        var row = PendingSignUps.Row(
            creates: try body.flag("create_user") ?? true, metadata: try body.metadata())
        row.creates = row.creates && options.allowsSignUp
        let earlier = try shownChallenge(body)
        let page = try linkPage(request, for: .signIn)
        try await checkCaptcha(body, for: request)
        let sent = try await sendSignInCode(
            granting: row, to: destination, after: earlier, linkingTo: page,
            from: Device(request, body: body))
        return try response(challengeMember(of: sent))
    }

    /// The challenge that a client shows with its code, and with its next request.
    func challengeMember(of sent: OneTimeCodes.Sent) throws(GoTrueRefusal) -> [String: JSONValue] {
        do {
            return ["challenge": .string(try challenges.text(of: sent.challenge))]
        } catch { throw refusal(of: error) }
    }

    /// The challenge of an earlier response that a client shows. GoTrue's own clients show none.
    func shownChallenge(_ body: GoTrueBody) throws(GoTrueRefusal) -> CodeChallenge? {
        guard let text = try body.text("challenge", upTo: GoTrueBody.maximumWordByteCount) else {
            return nil
        }
        let challenge: CodeChallenge?
        do { challenge = try challenges.challenge(in: text) } catch {
            throw refusal(of: error)
        }
        guard let challenge else {
            throw .invalid("The challenge does not come from a response of this service")
        }
        return challenge
    }

    /// Sends a code for signing in or up, and stores its purpose. A request that gets no code is
    /// recorded too.
    ///
    /// - Parameter earlier: the challenge that the client shows.
    func sendSignInCode(
        granting row: PendingSignUps.Row, to destination: CodeDestination,
        after earlier: CodeChallenge?, linkingTo page: LinkPage?, from device: Device
    ) async throws(GoTrueRefusal) -> OneTimeCodes.Sent {
        let pending = pending
        let users = users
        do {
            return try await send(
                to: destination, for: .signIn, from: device, showing: earlier, linkingTo: page
            ) {
                (transaction, sending) async throws(AccountError) in
                let waits = try await pending.isPending(
                    destination, purpose: .signIn, in: transaction)
                try await pending.put(
                    row, for: destination, purpose: .signIn, as: sending.challenge, after: earlier,
                    in: transaction)
                let owner = try await users.people.owner(
                    of: UserIdentity(destination), in: transaction)
                // Whether the message goes out: to a user, or to someone who may become one.
                return row.creates || waits || owner != nil
            }
        } catch {
            guard error.isPassing else { throw error }
            try await recordRefused(
                row, for: destination, purpose: .signIn, after: earlier, from: device.address,
                as: error)
            throw error
        }
    }

    /// Records a request that gets no code: its sender may enter a different request's code, which
    /// is on its way now or later.
    ///
    /// - Parameter refusal: the refusal that the client gets. If it is a 503, errors of recording
    ///   are dropped.
    func recordRefused(
        _ row: PendingSignUps.Row, for destination: CodeDestination, purpose: CodePurpose,
        after earlier: CodeChallenge?, from client: ClientAddress?, as refusal: GoTrueRefusal
    ) async throws(GoTrueRefusal) {
        let pending = pending
        let limit = options.limits.refusals
        do {
            // Anyone can name millions of destinations.
            let isWithinLimit = try await countIfWithin(
                limit, name: "refused requests", from: client)
            try await database.transaction { (transaction) throws(AccountError) in
                try await pending.recordRefused(
                    row, for: destination, purpose: purpose, after: earlier, from: client,
                    isWithinLimit: isWithinLimit, in: transaction)
            }
        } catch {
            guard refusal.status == 503 else { throw self.refusal(of: error) }
        }
    }

    /// Counts a request of a client.
    ///
    /// - Returns: whether it is within the limit.
    private func countIfWithin(
        _ limit: RateLimit, name: StaticString, from client: ClientAddress?
    ) async throws(AccountError) -> Bool {
        do {
            try await limits.take(limit, name: name, from: client)
            return true
        } catch {
            guard error.code == .tooManyRequests else { throw error }
            return false
        }
    }

    /// `POST /recover`: a code for a new password, if there is an account.
    func recover(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let body = try GoTrueBody(request)
        guard let email = try body.email() else {
            throw .invalid("Password recovery requires an email")
        }
        let destination = try allowed(.email(email))
        let earlier = try shownChallenge(body)
        let page = try linkPage(request, for: .recovery)
        try await checkCaptcha(body, for: request)
        let users = users
        let sent = try await send(
            to: destination, for: .recovery, from: Device(request, body: body), showing: earlier,
            linkingTo: page
        ) {
            (transaction, _) async throws(AccountError) in
            try await users.people.owner(of: UserIdentity(destination), in: transaction) != nil
        }
        return try response(challengeMember(of: sent))
    }

    /// `POST /resend`: a further code for the same purpose.
    func resend(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let body = try GoTrueBody(request)
        let destination = try allowed(body.destination())
        let purpose = try Self.purpose(
            try body.received("type", upTo: GoTrueBody.maximumWordByteCount), for: destination)
        // No code for a new password: that is `POST /recover`.
        guard purpose == .signIn || purpose == .newDestination else {
            throw .invalid("Resend only supports type signup, sms, email_change or phone_change")
        }
        let earlier = try shownChallenge(body)
        let page = try linkPage(request, for: purpose)
        try await checkCaptcha(body, for: request)
        let pending = pending
        let users = users
        let sent = try await send(
            to: destination, for: purpose, from: Device(request, body: body), showing: earlier,
            linkingTo: page
        ) {
            (transaction, sending) async throws(AccountError) in
            let waits = try await pending.isPending(destination, purpose: purpose, in: transaction)
            try await pending.resend(
                destination, purpose: purpose, as: sending.challenge, after: earlier,
                in: transaction)
            let owner = try await users.people.owner(of: UserIdentity(destination), in: transaction)
            // A number that belongs to a user cannot become another user's.
            return purpose == .signIn ? waits || owner != nil : waits && owner == nil
        }
        return try response(challengeMember(of: sent))
    }

    /// Sends a code, and translates the errors of the limits on codes.
    func send(
        to destination: CodeDestination, for purpose: CodePurpose, from device: Device,
        showing challenge: CodeChallenge? = nil, linkingTo page: LinkPage? = nil,
        isKnown: @escaping OneTimeCodes.Knowing
    ) async throws(GoTrueRefusal) -> OneTimeCodes.Sent {
        do {
            return try await codes.send(
                to: destination, for: purpose, from: device.address, device: device.secret,
                challenge: challenge, linkingTo: page, isKnown: isKnown)
        } catch { throw refusal(of: error.sending(to: destination)) }
    }
}
