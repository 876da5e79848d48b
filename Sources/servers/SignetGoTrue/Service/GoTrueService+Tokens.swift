// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// `POST /token`: every way to begin a session, and refreshing it. The query says which:
//
//     POST /token?grant_type=password       {"email":"ann@example.com","password":"…"}
//     POST /token?grant_type=refresh_token  {"refresh_token":"srt_…"}
//     POST /token?grant_type=pkce           {"auth_code":"…","code_verifier":"…"}
//
// A browser has brought the `auth_code` (GoTrueService+Browser). A reached limit does not refuse at
// once (`reached`): a request that shows a right secret is answered all the same.
extension GoTrueService {
    func token(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        typealias Handler =
            (GoTrueBody, GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse
        let grants: [(type: String, handler: Handler)] = [
            ("refresh_token", refreshOrWait), ("password", signInWithPassword),
            ("id_token", signInWithIDToken), ("pkce", exchangeBrowserCode),
        ]
        let type = try GoTrueQuery(request).value("grant_type")
        guard let type, let grant = grants.first(where: { type.isEqual(to: $0.type) }) else {
            throw .invalid("unsupported_grant_type")
        }
        return try await grant.handler(GoTrueBody(request), request)
    }

    /// Reports a reached limit as a server error, because GoTrue's clients end the session at a
    /// 429.
    private func refreshOrWait(
        _ body: GoTrueBody, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        do { return try await refresh(body, for: request) } catch {
            throw error.keepingSession
        }
    }

    /// Exchanges a refresh token. Once the limit of the client's address is reached, each session
    /// has a limit of its own.
    private func refresh(
        _ body: GoTrueBody, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        // Counted by the client's own address: shared limits would let strangers lock out a whole
        // network, or all clients that come through one socket.
        let limit = options.limits.refreshes
        let reached = try await refusalAfterCounting(
            limit, name: "refreshes", for: request, alone: true)
        guard let presented = try body.text("refresh_token", upTo: 1_024) else {
            throw reached ?? .invalid("refresh_token required")
        }
        let users = users
        let limits = limits
        let isReached = reached != nil
        let refreshed = Locked<String?>(nil)
        let grant: Grant
        do {
            let (tokens, user) = try await sessions.rotate(presented) {
                (session, transaction) async throws(AccountError)
                    -> (claims: any Encodable & Sendable, value: GoTrueUser) in
                refreshed.withLock { $0 = session.id }
                if isReached {
                    try await limits.take(
                        limit, name: "refreshes of a session", for: .account(session.id),
                        in: transaction)
                }
                let (claims, user) = try await users.contents(
                    of: session, isRefresh: true, in: transaction)
                return (claims: claims, value: user)
            }
            grant = Grant(tokens: tokens, user: user)
        } catch {
            // The count was undone with the rest, and hooks are asked no more often than the limit
            // allows.
            if isReached, error.isOfHook, let session = refreshed.withLock({ $0 }) {
                try? await limits.take(
                    limit, name: "refreshes of a session", for: .account(session))
            }
            guard let reached, error.code == .invalidGrant else { throw refusal(of: error) }
            throw reached
        }
        return try response(to: grant)
    }

    /// Begins a session with a password. A reached limit refuses only clients without the secret of
    /// an earlier sign-in at the destination.
    private func signInWithPassword(
        _ body: GoTrueBody, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let hasher = try passwords()
        let device = Device(request, body: body)
        let reached = try await refusalAfterCounting(
            options.limits.signIns, name: "sign-ins", for: request)
        if let reached, device.secret == nil { throw reached }
        let destination = try allowed(body.destination())
        guard let password = try body.password() else { throw .invalidCredentials }
        if let reached, try await !isKnown(device.secret, at: destination) { throw reached }
        try await checkCaptcha(body, for: request)
        let giveBack = try await countTry(of: destination, from: device)
        let known = try await storedPassword(of: UserIdentity(destination))
        let better = try await verifyPassword(
            password, against: known?.hash, hasher: hasher, givingBack: giveBack)
        guard let known else { throw .invalidCredentials }
        let grant = try await beginPasswordSession(
            of: known, better: better, at: destination, from: device, givingBack: giveBack)
        // The password was changed, or the user deleted, during the check.
        guard let grant else { throw .invalidCredentials }
        return try response(to: grant)
    }

    /// A user, and the hash of the user's password.
    private typealias StoredPassword = (id: String, hash: PasswordHash)

    /// Begins a session after a right password, if the password is still the user's, and the
    /// address or number too; nil if not.
    ///
    /// - Parameter better: the hash to store in place of a weak hash; nil to keep the stored hash.
    private func beginPasswordSession(
        of known: StoredPassword, better: PasswordHash?, at destination: CodeDestination,
        from device: Device, givingBack giveBack: @escaping GivingBack
    ) async throws(GoTrueRefusal) -> Grant? {
        let identity = UserIdentity(destination)
        let users = users
        let begin = {
            @Sendable (transaction: any AccountTransaction)
                async throws(AccountError) -> Grant? in
            let isStillStored = try await StoredPasswords.confirm(
                known.hash, better: better, of: known.id, in: transaction)
            guard isStillStored else { return nil }
            let owner = try await users.people.owner(of: identity, in: transaction)
            guard let owner, owner.utf8.elementsEqual(known.id.utf8) else { return nil }
            // Only wrong passwords count.
            try await giveBack(transaction)
            return try await self.beginSession(
                of: known.id, by: "password", from: device, with: destination, in: transaction)
        }
        return try await translatingErrors { () async throws(AccountError) -> Grant? in
            do throws(AccountError) { return try await database.transaction(begin) } catch {
                // The password was right, whatever a hook does, and whether the user is banned.
                if error.isOfHook || error.code == .userBanned {
                    await giveBackToTheEnd(giveBack)
                }
                throw error
            }
        }
    }

    /// The user of an address or number, with the hash of the password; nil without either.
    private func storedPassword(
        of identity: UserIdentity
    ) async throws(GoTrueRefusal) -> StoredPassword? {
        let users = users
        return try await runReading { (transaction) throws(AccountError) -> StoredPassword? in
            let id = try await users.people.owner(of: identity, in: transaction)
            // Runs for an address without a user too, so that both take the same time. No user has
            // the empty ID.
            let hash = try await StoredPasswords.hash(of: id ?? "", in: transaction)
            guard let id, let hash else { return nil }
            return (id, hash)
        }
    }

    /// Whether the secret comes from a sign-in at the destination: its client has its own tries.
    private func isKnown(
        _ secret: DeviceSecret?, at destination: CodeDestination
    ) async throws(GoTrueRefusal) -> Bool {
        let clients = clients
        return try await runReading { (transaction) throws(AccountError) in
            try await clients.find(
                device: secret, address: nil, at: destination, in: transaction) != nil
        }
    }

    /// Counts a try of a password, committed before the password is looked at. A client that has
    /// signed in at the destination has its own tries, and unknown clients share theirs: strangers
    /// who guess do not keep the owner out.
    ///
    /// - Returns: what gives the try back.
    private func countTry(
        of destination: CodeDestination, from device: Device
    ) async throws(GoTrueRefusal) -> GivingBack {
        let clients = clients
        let limits = limits
        let client = try await runTransaction {
            (transaction) throws(AccountError) -> KnownClients.Client? in
            let known = try await clients.find(
                device: device.secret, address: device.address, at: destination, in: transaction)
            if let known {
                try await limits.take(
                    .passwordTries, name: "passwords", for: .known(known), in: transaction)
            } else {
                try await limits.takeShared(
                    .passwordTries, name: "passwords", of: destination, from: device.address,
                    in: transaction)
            }
            return known
        }
        return { (transaction) async throws(AccountError) in
            if let client {
                try await limits.giveBack(
                    .passwordTries, name: "passwords", for: .known(client), in: transaction)
            } else {
                try await limits.giveBackShared(
                    .passwordTries, name: "passwords", of: destination, from: device.address,
                    in: transaction)
            }
        }
    }

    /// Checks a password against the stored hash.
    ///
    /// - Parameter giveBack: gives the try back, if nothing is compared.
    /// - Returns: a better hash, if the stored hash has become weak.
    /// - Throws: `invalid_credentials`.
    private func verifyPassword(
        _ password: Password, against stored: PasswordHash?, hasher: PasswordHasher,
        givingBack giveBack: @escaping GivingBack
    ) async throws(GoTrueRefusal) -> PasswordHash? {
        let verdict = try await translatingErrors { () async throws(AccountError) in
            try await deriveFromPassword(givingBack: giveBack) { () async throws(AccountError) in
                try await hasher.verify(password, against: stored)
            }
        }
        switch verdict {
        case .wrong: throw .invalidCredentials
        case .correct(needsUpgrade: false): return nil
        // Without a better hash the stored hash stays: the password may be too short for a new hash
        // by now, or the hasher busy. The next sign-in tries again.
        case .correct(needsUpgrade: true): return try? await hasher.hash(password)
        }
    }

    /// Begins a session with the code that a browser brought. A reached limit refuses only requests
    /// without a valid code.
    private func exchangeBrowserCode(
        _ body: GoTrueBody, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        let reached = try await refusalAfterCounting(
            options.limits.signIns, name: "sign-ins", for: request)
        guard let code = try body.text("auth_code", upTo: Self.maximumCodeByteCount),
            let verifier = try body.text("code_verifier", upTo: Self.maximumCodeByteCount)
        else {
            throw reached
                ?? .invalid(
                    "invalid request: both auth code and code verifier should be non-empty")
        }
        guard let pkce = try? PKCE(verifier: verifier) else { throw reached ?? Self.badVerifier }
        let exchange = try await translatingErrors { () async throws(AccountError) in
            let name = try answers.name([
                Array("pkce".utf8), Array(code.utf8), Array(verifier.utf8),
            ])
            return try await takeBrowserCode(
                code, pkce: pkce, from: Device(request), keepingAs: name)
        }
        switch exchange {
        case .response(let response): return response
        case .wrongVerifier: throw reached ?? Self.badVerifier
        case .unknownCode:
            throw reached
                ?? GoTrueRefusal(
                    404, code: "flow_state_not_found",
                    message: "invalid flow state, no valid flow state found")
        }
    }

    private enum BrowserExchange: Sendable {
        case response(GoTrueResponse)
        case wrongVerifier, unknownCode
    }

    /// Begins a session with a code, or repeats the response to a used code, which the client may
    /// have lost.
    private func takeBrowserCode(
        _ code: String, pkce: PKCE, from device: Device, keepingAs name: RepeatedAnswers.Name
    ) async throws(AccountError) -> BrowserExchange {
        try await database.transaction { (transaction) throws(AccountError) -> BrowserExchange in
            let taken = try await BrowserCodes.take(code, pkce: pkce, in: transaction)
            if case .user(let id) = taken {
                let grant = try await self.beginSession(
                    of: id, by: "oauth", from: device, in: transaction)
                return .response(
                    try await self.response(to: grant, keptAs: name, in: transaction))
            }
            let stored = try await self.answers.storedResponse(name, in: transaction)
            if let stored { return .response(stored) }
            if case .wrongVerifier = taken { return .wrongVerifier }
            return .unknownCode
        }
    }

    /// The longest browser code or PKCE verifier, in bytes: longer than any that is valid.
    private static let maximumCodeByteCount = 256

    private static var badVerifier: GoTrueRefusal {
        GoTrueRefusal(
            400, code: "bad_code_verifier",
            message: "code challenge does not match previously saved code verifier"
        )
    }

    /// The hasher, if passwords are enabled.
    func passwords() throws(GoTrueRefusal) -> PasswordHasher {
        guard let hasher = options.passwords else {
            throw GoTrueRefusal(422, code: "provider_disabled", message: "Passwords are disabled")
        }
        return hasher
    }
}
