// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

extension OneTimeCodes {
    // A client asks for a code to a destination: a phone number or an e-mail address.
    //
    //     let sent = try await codes.send(to: .email(mailbox), for: .signIn, from: address)
    //     // The client keeps `sent.challenge`, the random name of its code.
    //
    // A request goes through these steps. All but the first run in one transaction (`issue`):
    // 1. countRequest: the limit of the client's address, in a transaction of its own.
    // 2. takeLimits: the limits of the destination. A client that signed in there before is known,
    //    by its secret (a device) or by its address, and has a share of them for itself.
    // 3. newRequest: the request, with the challenge that names its code.
    // 4. requireMayAsk: not during the client's pause, and not while too many codes are live.
    // 5. The code and its message are stored. An `Outbox` sends the message.

    /// Decides whether a message goes to the destination, in the transaction that makes the code.
    public typealias Knowing =
        @Sendable (any AccountTransaction, CodeRequest) async throws(AccountError) -> Bool

    /// Makes a code and puts its message into the outbox, in one transaction.
    ///
    /// The client's limit is counted before, in its own transaction, so that a refused request
    /// counts too. The limits of the destination follow, by the rules of `FACTORS.md`.
    ///
    /// - Parameters:
    ///   - destination: the phone number or the address.
    ///   - purpose: what the code is for; it is good for nothing else.
    ///   - address: the client's address, whose limit counts; nil if requests have no address.
    ///   - device: the secret that the client keeps since it signed in (``KnownClients``).
    ///   - challenge: the ``Sent/challenge`` of an earlier request of the same client. Without it,
    ///     or if the database has forgotten it, the request counts as a new client's.
    ///   - page: where the link in the message leads, which does the same as the code
    ///     (``verify(link:for:then:)``); nil for a message without. Only mailboxes get links.
    ///   - isKnown: whether a message goes to the destination. It must run the same statements
    ///     whatever it finds. For an unknown destination the same steps are done, but the message
    ///     is not sent, and no code is right.
    /// - Throws: `tooManyRequests` with `retryAfter`, also before ``CodePolicy/resendAfter`` is
    ///   over for this client, and while 3 codes are live for the destination and purpose (5 for a
    ///   known client); the database's errors. Nothing is sent then.
    public func send(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        device: DeviceSecret? = nil, challenge: CodeChallenge? = nil,
        linkingTo page: LinkPage? = nil, isKnown: @escaping Knowing = { _, _ in true }
    ) async throws(AccountError) -> Sent {
        try await issue(
            to: destination, for: purpose, from: address, device: device, challenge: challenge,
            linkingTo: page, isKnown: isKnown
        ).sent
    }

    /// Counts a request against its client's limit, in its own transaction.
    /// ``send(to:for:from:device:challenge:linkingTo:isKnown:)`` does this itself.
    ///
    /// Code that sends in its own transaction calls this first: inside that transaction a refusal
    /// would roll the count back, and would cost nothing.
    package func countRequest(from address: ClientAddress?) async throws(AccountError) {
        try await limits.take(policy.sentFromAddress, name: "codes asked for", from: address)
    }

    /// Makes a code in the caller's transaction, which must not be committed after an error. It
    /// takes the destination's limits only: call `countRequest` before the transaction.
    @discardableResult
    package func send(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        device: DeviceSecret? = nil, challenge: CodeChallenge? = nil,
        in transaction: any AccountTransaction, isKnown: Knowing
    ) async throws(AccountError) -> Sent {
        let client = Client(address: address, device: device, challenge: challenge)
        return try await issue(
            to: destination, for: purpose, from: client, linkingTo: nil, in: transaction,
            isKnown: isKnown
        ).sent
    }

    /// Sends a code like ``send(to:for:from:device:challenge:linkingTo:isKnown:)``, and returns the
    /// code too, for checks.
    package func issue(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        device: DeviceSecret? = nil, challenge: CodeChallenge? = nil,
        linkingTo page: LinkPage? = nil, isKnown: @escaping Knowing = { _, _ in true }
    ) async throws(AccountError) -> (sent: Sent, code: OneTimeCode) {
        do { try await countRequest(from: address) } catch {
            // A client that signed in with the destination gets its message in spite of the limit
            // of its address: strangers may have used that limit up.
            guard error.code == .tooManyRequests,
                try await hasSignedIn(device, at: destination)
            else { throw error }
        }
        let client = Client(address: address, device: device, challenge: challenge)
        return try await database.transaction { (transaction) throws(AccountError) in
            try await issue(
                to: destination, for: purpose, from: client, linkingTo: page, in: transaction,
                isKnown: isKnown)
        }
    }

    private func hasSignedIn(
        _ device: DeviceSecret?, at destination: CodeDestination
    ) async throws(AccountError) -> Bool {
        guard let device else { return false }
        let clients = KnownClients(secret: secret)
        return try await database.read { (transaction) throws(AccountError) in
            try await clients.find(
                device: device, address: nil, at: destination, in: transaction) != nil
        }
    }

    /// The evidence that a request shows of its client.
    private struct Client {
        let address: ClientAddress?
        let device: DeviceSecret?
        let challenge: CodeChallenge?
    }

    /// Takes the destination's limits, and stores a code and its message. For an unknown
    /// destination the steps are the same, so that a client cannot tell.
    private func issue(
        to destination: CodeDestination, for purpose: CodePurpose, from client: Client,
        linkingTo page: LinkPage?, in transaction: any AccountTransaction, isKnown: Knowing
    ) async throws(AccountError) -> (sent: Sent, code: OneTimeCode) {
        let kind = try await takeLimits(of: destination, from: client, in: transaction)
        let key = try rowKey(of: destination, for: purpose)
        let request = try await newRequest(showing: client.challenge, key: key, in: transaction)
        try await requireMayAsk(for: request, by: kind, key: key, in: transaction)
        let code = try Self.randomCode(policy.digitCount)
        let codeMAC = try mac(
            code, challenge: request.challenge, sentTo: destination, for: purpose)
        // Random, so that it is the HMAC of no code.
        let macOfNoCode = try [UInt8].random(count: Self.macByteCount)
        let link = try newLink(to: page, at: destination, of: request)
        let isSent = try await isKnown(transaction, request)
        try await transaction.run(
            Self.insertStatement,
            values: [
                .bytes(request.challenge.bytes), .bytes(key), .bytes(request.client.bytes),
                .bytes(try askerKey(destination, from: client.address)), .integer(kind.rawValue),
                .bytes(isSent ? codeMAC : macOfNoCode), .integer(policy.lifetime.milliseconds),
                link.hash, link.destination,
            ])
        let message = CodeMessage(
            id: try request.challenge.messageID(), destination: destination, purpose: purpose,
            code: code, link: link.text)
        try await put(message, of: request, isSent: isSent, in: transaction)
        let sent = Sent(
            challenge: request.challenge, lifetime: policy.lifetime,
            resendAfter: policy.resendAfter)
        return (sent, code)
    }

    /// Puts the message with the code into the outbox, also if it is not to be sent: the rows of
    /// known and unknown destinations look alike.
    private func put(
        _ message: CodeMessage, of request: CodeRequest, isSent: Bool,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await OutboxRow(message: message, isSent: isSent).insert(
            key: try secret.code("code message", over: [request.challenge.bytes]),  // an HMAC
            lifetime: policy.lifetime, secret: secret, in: transaction)
    }

    /// Takes the destination's limits: of a known client its share, as long as that has room; else
    /// the share of all clients. Simultaneous requests for a destination go on one at a time.
    ///
    /// - Returns: how the client is known at the destination.
    private func takeLimits(
        of destination: CodeDestination, from client: Client, in transaction: any AccountTransaction
    ) async throws(AccountError) -> CodeClient {
        let kind = try await clientKind(of: client, at: destination, in: transaction)
        if try await takeKnownShare(of: destination, by: kind, in: transaction) { return kind }
        let address = client.address
        // Of this share, one address gets a quarter in the long run.
        try await limits.takeShared(
            policy.sentToAll, name: "codes sent", of: destination, from: address, in: transaction)
        if kind == .other, try await isGuessedAt(destination, by: .other, in: transaction) {
            try await limits.takeShared(
                policy.sentWhileGuessing, name: "codes while guessing", of: destination,
                from: address, in: transaction)
        }
        return kind
    }

    /// How a client is known at the destination. After too many wrong codes it counts as unknown.
    private func clientKind(
        of client: Client, at destination: CodeDestination, in transaction: any AccountTransaction
    ) async throws(AccountError) -> CodeClient {
        let found = try await KnownClients(secret: secret).find(
            device: client.device, address: client.address, at: destination, in: transaction)
        guard let found else { return .other }
        let kind = found.isDevice ? CodeClient.knownDevice : .knownAddress
        return try await isGuessedAt(destination, by: kind, in: transaction) ? .other : kind
    }

    /// Whether clients of this kind have sent too many wrong codes for the destination.
    private func isGuessedAt(
        _ destination: CodeDestination, by kind: CodeClient, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let wrong = ownWrongCodeLimit(of: kind)
        return try await limits.isReached(
            wrong.limit, name: wrong.name, for: .destination(destination), in: transaction)
    }

    /// Takes a message from the shares of known clients: from the devices' share, or else from the
    /// share of all known clients.
    ///
    /// - Returns: whether a share had room.
    private func takeKnownShare(
        of destination: CodeDestination, by kind: CodeClient, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard kind != .other else { return false }
        if kind == .knownDevice,
            try await takeIfFree(
                policy.sentToDevices, name: "codes sent to known devices", at: destination,
                in: transaction)
        {
            return true
        }
        return try await takeIfFree(
            policy.sentToKnown, name: "codes sent to known clients", at: destination,
            in: transaction)
    }

    /// Takes a limit that has room.
    ///
    /// - Returns: whether it had room.
    func takeIfFree(
        _ limit: RateLimit, name: StaticString, at destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        do {
            try await limits.take(
                limit, name: name, for: .destination(destination), in: transaction)
            return true
        } catch {
            // Nothing was written.
            guard error.code == .tooManyRequests else { throw error }
            return false
        }
    }

    /// A new request, of the client that made the request whose challenge is shown.
    private func newRequest(
        showing earlier: CodeChallenge?, key: [UInt8], in transaction: any AccountTransaction
    ) async throws(AccountError) -> CodeRequest {
        let new = CodeChallenge(bytes: try .random(count: CodeChallenge.byteCount))
        // The same statement without an earlier challenge: no row has the new challenge yet.
        let client = try await transaction.run(
            Self.findClient, values: [.bytes((earlier ?? new).bytes), .bytes(key)]
        ).first?.bytes(0)
        return CodeRequest(
            challenge: new, client: client.map(CodeChallenge.init(bytes:)) ?? new)
    }

    /// Refuses during the client's pause, and while too many codes are live.
    private func requireMayAsk(
        for request: CodeRequest, by kind: CodeClient, key: [UInt8],
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let rows = try await transaction.run(
            Self.pauseAndLiveCodes,
            values: [
                .bytes(key), .bytes(request.client.bytes),
                .integer(policy.resendAfter.milliseconds), .integer(Int64(policy.tries)),
                .integer(Self.clockStep),
            ])
        // The statement counts and adds up, so its answer is always one row.
        guard let row = rows.first else { return }
        let pause = try row.integer(0)
        let liveCount = try row.integer(1)
        let untilFirstEnds = try row.integer(2)
        guard pause <= 0 else { throw .tooManyRequests(after: pause) }
        guard liveCount < kind.maximumLiveCount else {
            throw .tooManyRequests(after: untilFirstEnds)
        }
    }

    /// A clock that is set back by more milliseconds than this ends the codes, which would
    /// otherwise live longer.
    static var clockStep: Int64 { 60_000 }

    private static let findClient: SQLStatement =
        "SELECT client FROM signet_codes WHERE challenge = $1 AND key = $2"
    /// How long the client's pause still takes, how many codes are live, and how long until the
    /// first of them ends, in milliseconds like the database's clock `{now}`.
    ///
    /// `$1` is the row's key, `$2` the client, `$3` the pause, `$4` the number of tries and `$5`
    /// `clockStep`. A code that was sent in the future comes from a clock that has been set back
    /// since: it causes no pause if it is ahead by more than a pause, and is not live if it is
    /// ahead by more than `clockStep`.
    private static let pauseAndLiveCodes: SQLStatement = """
        SELECT COALESCE(MAX(CASE
                WHEN client = $2 AND sent_at > {now} - $3 AND sent_at <= {now} + $3
                THEN sent_at + $3 - {now} END), 0),
            COUNT(CASE WHEN used = 0 AND tries < $4 AND ends_at > {now} AND sent_at <= {now} + $5
                THEN 1 END),
            COALESCE(MIN(CASE
                WHEN used = 0 AND tries < $4 AND ends_at > {now} AND sent_at <= {now} + $5
                THEN ends_at - {now} END), 0)
        FROM signet_codes WHERE key = $1
        """
    /// The column `asker` is an HMAC of the client's address, and `known` the raw value of its
    /// `CodeClient`.
    private static let insertStatement: SQLStatement = """
        INSERT INTO signet_codes
            (challenge, key, client, asker, known, code, sent_at, ends_at, tries, used, link,
            link_to)
        VALUES ($1, $2, $3, $4, $5, $6, {now}, {now} + $7, 0, 0, $8, $9)
        """
}
