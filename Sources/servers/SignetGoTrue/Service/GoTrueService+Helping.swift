// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE

// Steps that several calls share:
//
// - `translatingErrors`, `runTransaction`, `runReading`: an account error becomes a refusal.
// - `countOrRefuse`, `refusalAfterCounting`, `deriveFromPassword`: limits.
// - `verifiedSession`, `currentUser`, `requireFresh`, `requireFactor`: the user of an access token.
// - `beginSession` makes a `Grant`, and `response(to:)` its response: {"access_token":"eyJ…",
//   "token_type":"bearer","expires_in":3600,"refresh_token":"srt_…","user":{…},…}
extension GoTrueService {
    /// A new session and its user.
    struct Grant: Sendable {
        let tokens: IssuedTokens
        let user: GoTrueUser
        /// The secret for the client to keep, after a sign-in with a phone number or an address.
        var secret: DeviceSecret?
        /// Whether a code has set the password of a sign-up; nil after every other kind of sign-in,
        /// which sets none.
        var setsPassword: Bool?
    }

    /// Runs an account operation and translates its error.
    func translatingErrors<Value>(
        _ body: () async throws(AccountError) -> Value
    ) async throws(GoTrueRefusal) -> Value {
        do { return try await body() } catch { throw refusal(of: error) }
    }

    /// Runs `work` in a transaction and translates its error.
    func runTransaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(GoTrueRefusal) -> Value {
        do { return try await database.transaction(work) } catch { throw refusal(of: error) }
    }

    /// Runs `work` in a transaction that only reads, and translates its error.
    func runReading<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(GoTrueRefusal) -> Value {
        do { return try await database.read(work) } catch { throw refusal(of: error) }
    }

    /// The refusal that a client gets. If this server is at fault, the error is reported.
    func refusal(of error: AccountError) -> GoTrueRefusal {
        let refusal = GoTrueRefusal(error)
        if refusal.status >= 500 { options.report(error) }
        return refusal
    }

    /// Reports a failure below the accounts.
    ///
    /// - Parameters:
    ///   - error: the error, for its code; nil if there is none.
    ///   - message: a sentence for the log, without anything secret.
    func report(_ error: (any Error)?, message: ErrorMessage) {
        options.report(AccountError(.unavailable, underlying: error, message))
    }

    /// Counts a client's request, in a transaction of its own, and refuses it at the limit.
    func countOrRefuse(
        _ limit: RateLimit, name: StaticString, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) {
        if let reached = try await refusalAfterCounting(limit, name: name, for: request) {
            throw reached
        }
    }

    /// Counts a client's request that may show a secret. If the secret is right, strangers at the
    /// client's address who have used up the limit must not have the request refused.
    ///
    /// - Parameter alone: whether only the row of the client's own address counts: then neither its
    ///   network nor clients without an address share a limit.
    /// - Returns: the refusal if the limit is reached, for a request that shows no right secret.
    func refusalAfterCounting(
        _ limit: RateLimit, name: StaticString, for request: GoTrueRequest, alone: Bool = false
    ) async throws(GoTrueRefusal) -> GoTrueRefusal? {
        do {
            try await limits.take(limit, name: name, from: request.client, alone: alone)
            return nil
        } catch {
            guard error.code == .tooManyRequests else { throw refusal(of: error) }
            return refusal(of: error)
        }
    }

    /// Gives back a try that was counted.
    typealias GivingBack = @Sendable (any AccountTransaction) async throws(AccountError) -> Void

    /// Derives from a password for which a try was counted, and gives the try back if too many
    /// derivations wait, if this libcrypto lacks the stored hash's algorithm, or if a hook fails:
    /// nothing was compared then, and a flood of requests must not use up the tries of a person who
    /// asks again.
    func deriveFromPassword<Value>(
        givingBack giveBack: @escaping GivingBack,
        _ derive: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        do { return try await derive() } catch {
            // If giving back fails, the person has one try less until the limit recovers.
            if [.busy, .unsupportedPasswordHash].contains(error.code) || error.isHookFailure {
                await giveBackToTheEnd(giveBack)
            }
            throw error
        }
    }

    /// Gives a try back, also where the client does not wait any more.
    func giveBackToTheEnd(_ giveBack: @escaping GivingBack) async {
        await Task { try? await self.database.transaction(giveBack) }.value
    }

    /// Runs `work` that shows a code, a link or a factor, and counts only wrong ones. If a hook
    /// fails, what was shown was right. If it refuses, it was right too, and still there: without a
    /// count it could be shown for ever.
    ///
    /// - Parameter isBounded: see `RateLimits.attempt`.
    func attempt(
        for request: GoTrueRequest, isBounded: Bool,
        _ work: () async throws(AccountError) -> GoTrueResponse
    ) async throws(AccountError) -> GoTrueResponse {
        try await limits.attempt(
            options.limits.verifications, name: "verifications", from: request.client,
            isBounded: isBounded
        ) { () async throws(AccountError) -> Result<GoTrueResponse, AccountError> in
            do throws(AccountError) { return .success(try await work()) } catch {
                guard error.isHookFailure else { throw error }
                return .failure(error)
            }
        }.get()
    }

    /// Refuses a request whose CAPTCHA was not solved, if the program checks them.
    func checkCaptcha(_ body: GoTrueBody, for request: GoTrueRequest) async throws(GoTrueRefusal) {
        guard let captcha = options.captcha else { return }
        guard await captcha(try body.captcha(), request.client) else {
            throw GoTrueRefusal(
                400, code: "captcha_failed", message: "captcha protection: request disallowed")
        }
    }

    /// The session of a request's access token: signed here, not expired, and not ended.
    func verifiedSession(of request: GoTrueRequest) async throws(GoTrueRefusal) -> VerifiedSession {
        let token: BearerToken
        do throws(BearerTokenError) {
            token = try BearerToken(authorization: request.values(of: "authorization"))
        } catch {
            throw GoTrueRefusal(
                401, code: "no_authorization",
                message: "This endpoint requires a valid Bearer token")
        }
        do {
            return try await cutOff.verify(token.exposedText)
        } catch {
            guard error.code == .sessionEnded else { throw refusal(of: error) }
            try await requireUser(of: token)
            throw refusal(of: error)
        }
    }

    /// Throws `user_not_found` if the user of an ended session was deleted, and `user_banned` for a
    /// banned one: clients distinguish both from an ended session.
    private func requireUser(of token: BearerToken) async throws(GoTrueRefusal) {
        // The token was valid a moment ago. If it has expired since, the caller reports the ended
        // session.
        guard let session = try? sessions.issuer.verify(token) else { return }
        _ = try await currentUser(session.subject)
    }

    /// A user's present state.
    func currentUser(_ userID: String) async throws(GoTrueRefusal) -> GoTrueUser {
        let users = users
        return try await runReading { (transaction) throws(AccountError) in
            try await users.user(userID, in: transaction)
        }
    }

    /// Rejects a change that opens or ends an account if the sign-in is too long ago: a stolen
    /// access token must not become an account. Guests are exempt: they have nothing to lose yet.
    func requireFresh(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await sessions.requireRecentSignIn(
            session, within: options.freshness, exceptGuestsOf: users.people, in: transaction)
    }

    /// Rejects a session that has shown no second factor, if the user has one: the password
    /// or the mailbox alone must not take the account from its owner.
    ///
    /// The access token must say so itself too, and of the same time: one of the session from
    /// before, or with a factor that has been removed since, may have been copied.
    func requireFactor(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        guard try await users.factors.isRequired(for: session.subject, in: transaction) else {
            return
        }
        guard let claimed = Self.factorTime(of: session),
            try await users.factorTime(in: session.sessionID, transaction: transaction) == claimed
        else { throw .factorNeeded }
    }

    /// When the second factor of an access token was shown, in seconds since 1970; nil for none.
    private static func factorTime(of session: VerifiedSession) -> Int64? {
        guard let level = try? session.claims(as: Level.self),
            level.aal.utf8.elementsEqual(GoTrueUser.levelWithFactor.utf8)
        else { return nil }
        return level.amr.first?.timestamp
    }

    /// The assurance level of an access token, and the methods that it comes from, the latest first.
    private struct Level: Decodable {
        struct Method: Decodable {
            let timestamp: Int64
        }

        let aal: String
        let amr: [Method]
    }

    /// Begins a session, in the transaction that has identified the user.
    ///
    /// - Parameters:
    ///   - destination: the address or number that the person has signed in with. From now on the
    ///     client is known there.
    ///   - earlier: a session of the same user that has asked for this one, and passed
    ///     ``requireFactor(_:in:)``. The factor that was shown in it counts in the new one too.
    func beginSession(
        of userID: String, by method: String, from device: Device,
        with destination: CodeDestination? = nil, metadata: String? = nil,
        withFactorOf earlier: VerifiedSession? = nil, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Grant {
        guard try await AccountUsers.hold(userID, in: transaction) else {
            throw .noUser
        }
        try await users.recordSignIn(userID, metadata: metadata, in: transaction)
        let begun = try await sessions.add(for: userID, device: device.label, in: transaction)
        let beginning = try await users.recordBeginning(
            of: begun.session, by: method, withFactorOf: earlier?.sessionID, in: transaction)
        let user = try await users.user(userID, in: transaction)
        let claims = try users.claims(
            of: user, session: begun.session, beginning: beginning, isRefresh: false,
            in: transaction)
        let tokens = try sessions.issue(begun, claims: claims)
        var grant = Grant(tokens: tokens, user: user)
        if let destination {
            grant.secret = try await clients.remember(
                device: device.secret, address: device.address, at: destination, of: userID,
                in: transaction)
        }
        return grant
    }

    /// A response with an object.
    func response(_ members: [String: JSONValue]) throws(GoTrueRefusal) -> GoTrueResponse {
        do { return try .json(members) } catch { throw refusal(of: error) }
    }

    /// The response to a sign-in or a refresh.
    func response(to grant: Grant) throws(GoTrueRefusal) -> GoTrueResponse {
        do { return try grantResponse(grant) } catch { throw refusal(of: error) }
    }

    private func grantResponse(_ grant: Grant) throws(AccountError) -> GoTrueResponse {
        let access = grant.tokens.access
        let user = try grant.user.json()
        var members: [String: JSONValue] = [
            "access_token": .string(access.token), "token_type": "bearer",
            "expires_in": .integer(Int64(access.expiresIn)),
            "expires_at": .integer(Int64(access.expiration.secondsSince1970)),
            "refresh_token": .string(grant.tokens.refreshToken), "user": .object(user),
        ]
        if let secret = grant.secret { members["device"] = .string(secret.exposedText) }
        members["password_set"] = grant.setsPassword.map(JSONValue.bool)
        return try .json(members)
    }

    /// The response to a sign-in with a code, kept for a client that loses the response.
    ///
    /// - Parameter name: nil if the client shows no secret that would identify it again.
    func response(
        to grant: Grant, keptAs name: RepeatedAnswers.Name?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueResponse {
        let response = try grantResponse(grant)
        if let name {
            try await answers.storeResponse(
                response.body, of: grant.tokens.session.id, as: name, in: transaction)
        }
        return response
    }

    /// The device that sends a request.
    struct Device: Sendable {
        /// The device's description of itself (`User-Agent`), for the list of sessions.
        let label: String?
        /// The secret from an earlier response, in the member `device` or the field
        /// `X-Signet-Device`.
        let secret: DeviceSecret?
        let address: ClientAddress?

        init(_ request: GoTrueRequest, body: GoTrueBody? = nil) {
            label = request.value(of: "user-agent")
            let field = request.value(of: "x-signet-device")
            secret = body?.device() ?? field.flatMap(DeviceSecret.init)
            address = request.client
        }
    }
}
