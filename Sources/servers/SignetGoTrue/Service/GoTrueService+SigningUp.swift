// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetJOSE
internal import SignetSignIn

// `POST /signup`. With {"email":"ann@example.com","password":"…"} the password waits (`pending`)
// until the person enters the code that is sent; only then is there a user. With {} a guest gets a
// session at once.
extension GoTrueService {
    func signUp(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        let body = try GoTrueBody(request)
        let metadata = try body.metadata()
        guard options.allowsSignUp else { throw .signUpDisabled }
        if try body.namesDestination() {
            return try await signUpWithPassword(body, metadata: metadata, for: request)
        }
        try await countOrRefuse(options.limits.signUps, name: "sign-ups", for: request)
        try await checkCaptcha(body, for: request)
        return try await signUpGuest(metadata?.stored, for: request)
    }

    private func signUpWithPassword(
        _ body: GoTrueBody, metadata: GoTrueMetadata?, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let hasher = try passwords()
        let destination = try allowed(body.destination())
        guard let password = try body.password() else {
            throw .invalid("Signup requires a valid password")
        }
        let earlier = try shownChallenge(body)
        // First: a request that the CAPTCHA refuses is neither counted nor recorded.
        let page = try linkPage(request, for: .signIn)
        try await checkCaptcha(body, for: request)
        var row = PendingSignUps.Row(metadata: metadata)
        do {
            try await countOrRefuse(options.limits.signUps, name: "sign-ups", for: request)
            row.hash = try await hashToStore(
                of: password, for: destination, from: request.client, hasher: hasher)
        } catch {
            // Recorded like a request that gets no code: a code may have arrived for a stranger's
            // password, or for an earlier password that this request replaces.
            // A hook's refusal of the password comes after the request, as these do.
            guard error.isPassing || error.code == "weak_password" else { throw error }
            row.hasUnreadPassword = true
            try await recordRefused(
                row, for: destination, purpose: .signIn, after: earlier, from: request.client,
                as: error)
            throw error
        }
        let sent = try await sendSignInCode(
            granting: row, to: destination, after: earlier, linkingTo: page,
            from: Device(request, body: body))
        var members = try await waitingUser(destination, metadata: metadata)
        members.merge(try challengeMember(of: sent)) { $1 }
        return try response(members)
    }

    private func signUpGuest(
        _ metadata: String?, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        guard options.allowsGuests else {
            throw GoTrueRefusal(
                422, code: "anonymous_provider_disabled", message: "Anonymous sign-ins are disabled"
            )
        }
        let device = Device(request)
        let users = users
        let grant = try await runTransaction { (transaction) throws(AccountError) -> Grant in
            let id = try await users.addGuest(in: transaction)
            return try await self.beginSession(
                of: id, by: "anonymous", from: device, metadata: metadata, in: transaction)
        }
        return try response(to: grant)
    }

    /// The hash to store: the pending hash if it has the same password, so a repeated request is
    /// not a conflict. The work is the same whether or not a hash is pending. A limit refuses a
    /// request before the work.
    private func hashToStore(
        of password: Password, for destination: CodeDestination, from client: ClientAddress?,
        hasher: PasswordHasher
    ) async throws(GoTrueRefusal) -> String {
        let limits = limits
        return try await translatingErrors { () async throws(AccountError) in
            try await database.transaction { (transaction) throws(AccountError) in
                try await limits.takeShared(
                    .passwordTries, name: "sign-ups", of: destination, from: client, in: transaction
                )
            }
            let giveBack: GivingBack = { (transaction) async throws(AccountError) in
                try await limits.giveBackShared(
                    .passwordTries, name: "sign-ups", of: destination, from: client, in: transaction
                )
            }
            return try await deriveFromPassword(givingBack: giveBack) {
                () async throws(AccountError) -> String in
                try await options.hooks.requireAllowed(password, of: nil, at: destination)
                return try await newOrWaitingHash(of: password, for: destination, hasher: hasher)
            }
        }
    }

    /// The hash that waits for a code if it is the password's, or else a new hash.
    private func newOrWaitingHash(
        of password: Password, for destination: CodeDestination, hasher: PasswordHasher
    ) async throws(AccountError) -> String {
        let pending = pending
        let new = try await hasher.hash(password).exposedText
        let waiting = try await database.read { (transaction) throws(AccountError) in
            try await pending.hash(destination, in: transaction)
        }
        // A hash that this libcrypto cannot compute is replaced, as if none were waiting.
        let stored = try waiting.map(PasswordHash.init)
        let known = stored.flatMap { $0.algorithm.isAvailable ? $0 : nil }
        let verdict = try await hasher.verify(password, against: known)
        guard let waiting, verdict != .wrong else { return new }
        return waiting
    }

    /// A user who must enter the code first. No user exists yet, so the identifier is invented. The
    /// response for an address with an account is the same.
    private func waitingUser(
        _ destination: CodeDestination, metadata: GoTrueMetadata?
    ) async throws(GoTrueRefusal) -> [String: JSONValue] {
        try await translatingErrors { () async throws(AccountError) in
            let now = TimeSource.system.now()
            let identity = GoTrueIdentity(
                identity: UserIdentity(destination),
                provider: UserIdentity(destination).issuer, linkedAt: now, isConfirmed: false)
            let user = GoTrueUser(
                id: try Identifiers.uuid(), createdAt: now, updatedAt: now, signedInAt: now,
                metadata: metadata ?? .none, identities: [identity], factors: [])
            var members = try user.json()
            // Nothing is confirmed yet.
            for name in [
                "email_confirmed_at", "phone_confirmed_at", "confirmed_at", "last_sign_in_at",
            ] {
                members[name] = nil
            }
            members["confirmation_sent_at"] = .time(now)
            return members
        }
    }
}
