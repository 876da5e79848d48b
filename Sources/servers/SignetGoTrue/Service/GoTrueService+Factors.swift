// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// Second factors: an app that shows codes (RFC 6238).
//
//     POST   /factors               {"factor_type":"totp","friendly_name":"phone"}
//     POST   /factors/ID/challenge
//     POST   /factors/ID/verify     {"challenge_id":"…","code":"123456"}
//     DELETE /factors/ID
//
// 1. enrollFactor: a new app, which its first code confirms.
// 2. challengeFactor, verifyFactor: a code, after which the session is at the level aal2. The
//    session keeps its identifier and gets new refresh tokens: an earlier one, which a thief of the
//    password may have, must not give aal2.
// 3. unenrollFactor: the sessions that have shown the factor are at aal1 again.
extension GoTrueService {
    /// The longest code, in bytes.
    private static let maximumCodeByteCount = 16
    /// The longest name of an issuer, in bytes.
    private static let maximumIssuerByteCount = 100

    /// `POST /factors`: needs a fresh sign-in, and aal2 if the user has a factor.
    func enrollFactor(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        let body = try GoTrueBody(request)
        try Self.requireApp(try body.received("factor_type", upTo: GoTrueBody.maximumWordByteCount))
        let name =
            try body.text("friendly_name", upTo: SecondFactors.maximumNameByteCount) ?? ""
        guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw .invalid("The friendly_name has a control character")
        }
        let named = try body.text("issuer", upTo: Self.maximumIssuerByteCount)
        guard named?.utf8.contains(UInt8(ascii: ":")) != true else {
            throw .invalid("The issuer has a colon")
        }
        let issuer = named ?? issuerForApps
        let users = users
        return try await runTransaction { (transaction) throws(AccountError) -> GoTrueResponse in
            guard try await AccountUsers.hold(session.subject, in: transaction) else {
                throw .noUser
            }
            try await self.requireFactorChange(session, in: transaction)
            try await self.requireFactor(session, in: transaction)
            let user = try await users.user(session.subject, in: transaction)
            let app = try TOTP()
            let factor = try await users.factors.add(
                .totp(app), named: name, besideOthers: true, for: user.id, in: transaction)
            let account = (user.email ?? user.phone)?.destination ?? user.id
            let address = try app.exposedAddress(issuer: issuer, account: account)
            return try .json([
                "id": .string(try factor.publicID), "type": .string(factor.kind.goTrueName),
                "friendly_name": .string(name),
                // Clients accept the empty picture. The app draws one from the address.
                "totp": [
                    "qr_code": "", "secret": .string(app.exposedKey), "uri": .string(address),
                ],
            ])
        }
    }

    /// `POST /factors/ID/challenge`: what the code is sent with.
    func challengeFactor(
        _ id: ReceivedText, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        guard let id = Identifiers.uuid(received: id) else { throw .noUUID("factor_id") }
        let limits = limits
        let limit = options.limits.verifications
        return try await runTransaction { (transaction) throws(AccountError) -> GoTrueResponse in
            // Of the session: a thief of the password must not use up its owner's.
            try await limits.take(
                limit, name: "challenges", for: .account(session.sessionID), in: transaction)
            let factor = try await self.heldCodeFactor(id, of: session, in: transaction)
            let challenge = try await FactorChallenges.make(
                for: factor.id, of: session, in: transaction)
            return try .json([
                "id": .string(challenge.id), "type": .string(factor.kind.goTrueName),
                "expires_at": .integer(challenge.endsAt),
            ])
        }
    }

    /// `POST /factors/ID/verify`: the code, for a session at aal2.
    func verifyFactor(
        _ id: ReceivedText, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        guard let id = Identifiers.uuid(received: id) else { throw .noUUID("factor_id") }
        let body = try GoTrueBody(request)
        guard let code = try body.text("code", upTo: Self.maximumCodeByteCount) else {
            throw .invalid("Code needs to be non-empty")
        }
        let named = try body.received("challenge_id", upTo: GoTrueBody.maximumWordByteCount)
        guard let challenge = named.flatMap(Identifiers.uuid(received:)) else {
            throw .invalid("challenge_id must be an UUID")
        }
        let shown = ShownFactor(
            id: id, challenge: challenge, code: code, device: Device(request, body: body))
        do throws(AccountError) {
            // The factor has a limit of its own, so strangers at the client's address cannot have
            // its right code refused.
            return try await attempt(for: request, isBounded: true) {
                () async throws(AccountError) -> GoTrueResponse in
                let response = try await self.database.transaction {
                    (transaction) throws(AccountError) in
                    try await self.raise(session, showing: shown, in: transaction)
                }
                guard let response else { throw AccountError(.wrongCode, "The code is wrong.") }
                return response
            }
        } catch {
            throw error.code == .wrongCode ? .factorNotVerified : refusal(of: error)
        }
    }

    /// `DELETE /factors/ID`: needs a fresh sign-in, and aal2 for a verified factor.
    func unenrollFactor(
        _ id: ReceivedText, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let session = try await verifiedSession(of: request)
        guard let id = Identifiers.uuid(received: id) else { throw .noUUID("factor_id") }
        let users = users
        return try await runTransaction { (transaction) throws(AccountError) -> GoTrueResponse in
            let factor = try await self.heldFactor(id, of: session, in: transaction)
            try await self.requireFactorChange(session, in: transaction)
            if factor.isConfirmed {
                try await self.requireFactor(session, in: transaction)
                try self.options.hooks.requireAllowed(
                    .factorRemoved, of: session.subject, in: transaction)
            }
            try await users.factors.remove(factor.id, for: session.subject, in: transaction)
            return try .json(["id": .string(id)])
        }
    }

    /// A factor that a client shows.
    private struct ShownFactor: Sendable {
        /// The factor's `publicID`.
        let id: String
        let challenge: String
        let code: String
        let device: Device
    }

    /// Raises a session to aal2 by a right code. The user's first code of all ends the other
    /// sessions, none of which has shown a factor, and what any session has asked for without one.
    ///
    /// - Returns: the response; nil for a wrong code, which is counted.
    private func raise(
        _ session: VerifiedSession, showing shown: ShownFactor,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueResponse? {
        let user = session.subject
        let factor = try await heldCodeFactor(shown.id, of: session, in: transaction)
        switch try await FactorChallenges.state(
            of: shown.challenge, factor: factor.id, session: session, in: transaction)
        {
        case .alive: break
        case .ended: throw AccountError(.challengeEnded, "The challenge has ended.")
        case .unknown:
            throw AccountError(.unknownChallenge, "The session has no such challenge.")
        }
        let isFirst = try await !users.factors.isRequired(for: user, in: transaction)
        let used: SecondFactors.Factor?
        if factor.isConfirmed {
            let client = try await clients.find(
                device: shown.device.secret, afterFactor: factor.id, of: user, in: transaction)
            used = try await users.factors.verify(
                shown.code, of: factor.id, for: user, by: client, in: transaction)
        } else {
            // A thief of the password must not confirm one beside the owner's.
            try await requireFactor(session, in: transaction)
            used = try await users.factors.confirm(
                shown.code, of: factor.id, for: user, in: transaction)
        }
        // For a client that loses the response: the code is used up then, and the client may have
        // asked for another challenge. It shows the same access token, which alone names the
        // response. The try has been counted: there are no more guesses at a response than at the
        // code.
        let name = try answers.name(
            ["factor", session.sessionID, session.tokenID, factor.id, shown.code]
                .map { Array($0.utf8) })
        guard used != nil else { return try await answers.storedResponse(name, in: transaction) }
        // Only for a right code: a wrong one asks no hook.
        if !factor.isConfirmed {
            try options.hooks.requireAllowed(.factorAdded, of: user, in: transaction)
        }
        if isFirst {
            try await endAllWithChanges(of: user, except: session.sessionID, in: transaction)
        }
        let renewed = try await sessions.renew(session, in: transaction)
        let beginning = try await users.recordFactor(
            factor.id, in: renewed.session, transaction: transaction)
        try await users.touch(user, in: transaction)
        let goTrueUser = try await users.user(user, in: transaction)
        let claims = try users.claims(
            of: goTrueUser, session: renewed.session, beginning: beginning, isRefresh: true,
            in: transaction)
        let tokens = try sessions.issue(renewed, claims: claims)
        var grant = Grant(tokens: tokens, user: goTrueUser)
        grant.secret = try await clients.remember(
            device: shown.device.secret, afterFactor: factor.id, of: user, in: transaction)
        return try await response(to: grant, keptAs: name, in: transaction)
    }

    /// A factor that a code verifies, held like ``heldFactor(_:of:in:)``.
    ///
    /// - Throws: `unknownFactor`, also for a factor of another kind; `sessionEnded`.
    private func heldCodeFactor(
        _ id: String, of session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) -> SecondFactors.Factor {
        let factor = try await heldFactor(id, of: session, in: transaction)
        guard factor.kind == .code else {
            throw AccountError(.unknownFactor, "No code verifies this factor.")
        }
        return factor
    }

    /// A factor of a session's user, held until the transaction's end with the user.
    ///
    /// - Parameter id: the factor's `publicID`.
    /// - Throws: `unknownFactor`, `sessionEnded`.
    private func heldFactor(
        _ id: String, of session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) -> SecondFactors.Factor {
        guard try await AccountUsers.hold(session.subject, in: transaction) else { throw .noUser }
        try await sessions.requireLive(session, in: transaction)
        let all = try await users.factors.factors(of: session.subject, in: transaction)
        for factor in all where try factor.publicID.utf8.elementsEqual(id.utf8) { return factor }
        throw AccountError(.unknownFactor, "The user has no such factor.")
    }

    /// Rejects a change of factors in a session whose sign-in is too long ago. Guests are no
    /// exception: nobody else signs in as a guest.
    private func requireFactorChange(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await sessions.requireRecentSignIn(
            session, within: options.freshness, in: transaction)
    }

    /// The name of this service in apps: the host of its address.
    private var issuerForApps: String {
        let issuer = sessions.issuer.issuer
        guard let host = (try? EndpointURL(issuer))?.host,
            (1...Self.maximumIssuerByteCount).contains(host.utf8.count),
            !host.utf8.contains(UInt8(ascii: ":"))
        else { return "Signet" }
        return host
    }

    private static func requireApp(_ type: ReceivedText?) throws(GoTrueRefusal) {
        guard let type else { throw unknownType }
        if type.isEqual(to: "totp") { return }
        if type.isEqual(to: "phone") {
            throw GoTrueRefusal(
                422, code: "mfa_phone_enroll_not_enabled",
                message: "MFA enroll is disabled for Phone")
        }
        if type.isEqual(to: "webauthn") {
            throw GoTrueRefusal(
                422, code: "mfa_webauthn_enroll_not_enabled",
                message: "MFA enroll is disabled for WebAuthn")
        }
        throw unknownType
    }

    private static var unknownType: GoTrueRefusal {
        .invalid("factor_type needs to be totp, phone, or webauthn")
    }
}
