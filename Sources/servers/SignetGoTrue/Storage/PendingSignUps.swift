// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

/// What a code grants once it is entered: whether it may make a user, with which password and
/// metadata, or which user gets the new destination (a phone number or an e-mail address).
/// ``put(_:for:purpose:as:after:in:)`` stores it with the code, and
/// ``take(_:purpose:showing:from:in:)`` takes it with the right code. A challenge is the random
/// name of a code, which its client may show.
///
/// If Ann and then a stranger sign up with Ann's address and a password each, and Ann enters a code
/// with her challenge, her password is set. Without the challenge no password is. The rules are:
///
/// - A client that shows the challenge gets what its own request asked for, no matter who else
///   asks.
/// - A request that shows the challenge of an earlier request comes from the same client: it
///   corrects the earlier request, and keeps the values that it does not name.
/// - Without a challenge, two people who ask for the same destination within an hour cannot be told
///   apart. A value on which they disagree is granted to neither: the code signs in the person who
///   enters it, but sets no password and no metadata, and gives the destination to no account. This
///   also holds if a request was sent no code, before or after: its sender may enter a different
///   request's code.
struct PendingSignUps: Sendable {
    // The table has a row for each request of the last hour that was sent a code, by the name of
    // its challenge, and for each destination a single row for all requests that were refused a
    // code.

    /// What one request asks for, or what a code grants.
    struct Row: Sendable, Equatable {
        /// Whether the code may make a user.
        var creates = true
        /// The user who gets the destination; nil for a sign-in or sign-up.
        var userID: String?
        /// The session that asked for the change.
        var sessionID: String?
        /// The hash of a new user's password; nil if there is none.
        var hash: String?
        /// The metadata as stored; nil if there are none.
        var metadata: String?
        /// Whether the request has a password that was not compared, because the request was
        /// refused.
        var hasUnreadPassword = false

        /// The row of a sign-in or sign-up.
        init(creates: Bool = true, metadata: GoTrueMetadata? = nil) {
            self.creates = creates
            self.metadata = metadata.flatMap { $0.members.isEmpty ? nil : $0.stored }
        }

        /// The row of a change that a session asks for.
        init(_ session: VerifiedSession) {
            userID = session.subject
            sessionID = session.sessionID
        }
    }

    private let secret: AccountSecret

    init(_ secret: AccountSecret) { self.secret = secret }

    /// Whether a request waits that may create or change a user. A later request that may not must
    /// not stop the waiting request.
    func isPending(
        _ destination: CodeDestination, purpose: CodePurpose, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let rows = try await transaction.run(
            Self.pending,
            values: [
                try key(destination, purpose: purpose),
                .integer(Self.needsSession(purpose) ? 1 : 0),
            ])
        return try rows.first?.integer(0) == 1
    }

    /// Writes what a request asks for, in the transaction that makes its code.
    ///
    /// - Parameters:
    ///   - challenge: the challenge of the code.
    ///   - earlier: the challenge that the request shows; nil if it shows none.
    func put(
        _ row: Row, for destination: CodeDestination, purpose: CodePurpose,
        as challenge: CodeChallenge, after earlier: CodeChallenge?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = try key(destination, purpose: purpose)
        let request = try requestName(challenge, for: destination, purpose: purpose)
        // Changes are not corrected: each belongs to its session, and asks for the same.
        if purpose != .newDestination {
            let earlierRequest = try requestName(earlier, for: destination, purpose: purpose)
            try await correct(row, key: key, after: earlierRequest, in: transaction)
            // A request that waits already only gets a further code.
            let followed = try await transaction.run(
                Self.follow, values: [request, earlierRequest, key])
            guard followed.isEmpty else { return }
        }
        let values: [SQLValue] = [
            request, key, .integer(row.creates ? 1 : 0), .text(row.userID), .text(row.hash),
            .text(row.metadata), .text(row.sessionID),
        ]
        try await reportingConflictAsEnded { () async throws(AccountError) in
            try await transaction.run(Self.putStatement, values: values)
        }
    }

    /// Records a request that was sent no code, however early it was refused: a different request's
    /// code must not grant what this request disagrees with. It still corrects an earlier request
    /// of its client, which then stands for it too.
    ///
    /// - Parameters:
    ///   - address: the client's address; nil where requests have none.
    ///   - isWithinLimit: whether the client may add a row for any destination that it names. If
    ///     not, a row is added only where a request waits already, and a row for the client alone:
    ///     a code entered from its address without a challenge then grants nothing more than the
    ///     sign-in for an hour.
    func recordRefused(
        _ row: Row, for destination: CodeDestination, purpose: CodePurpose,
        after earlier: CodeChallenge?, from address: ClientAddress?, isWithinLimit: Bool,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = try keyBytes(destination, purpose: purpose)
        let earlierRequest = try requestName(earlier, for: destination, purpose: purpose)
        if purpose != .newDestination {
            try await correct(row, key: .bytes(key), after: earlierRequest, in: transaction)
        }
        try await recordRefusal(
            row, under: key, unless: earlierRequest, anywhere: isWithinLimit, in: transaction)
        guard !isWithinLimit else { return }
        let clientKey = try clientKey(of: address, purpose: purpose)
        try await recordRefusal(
            Row(creates: false), under: clientKey, unless: .null, anywhere: true, in: transaction)
    }

    /// Writes the values on which all requests agree that are refused under a key.
    ///
    /// - Parameters:
    ///   - earlier: a request that stands for the refused request, if it waits.
    ///   - anywhere: whether to write the row where no request waits.
    private func recordRefusal(
        _ row: Row, under key: [UInt8], unless earlier: SQLValue, anywhere: Bool,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let values: [SQLValue] = [
            .bytes(try secret.code("gotrue refused", over: [key])), .bytes(key), earlier,
            .text(row.userID), .text(row.hash), .text(row.metadata), .integer(anywhere ? 1 : 0),
        ]
        try await reportingConflictAsEnded { () async throws(AccountError) in
            try await transaction.run(Self.recordRefusalStatement, values: values)
        }
    }

    /// Gives the next code what the request with the shown challenge asked for, and a sign-up a
    /// further hour. Without a challenge the hour is only prolonged if a single client has asked:
    /// otherwise strangers could keep each other waiting.
    func resend(
        _ destination: CodeDestination, purpose: CodePurpose, as challenge: CodeChallenge,
        after earlier: CodeChallenge?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = try key(destination, purpose: purpose)
        let earlierRequest = try requestName(earlier, for: destination, purpose: purpose)
        let request = try requestName(challenge, for: destination, purpose: purpose)
        // A change that a session asked for keeps its end.
        if purpose != .newDestination {
            try await transaction.run(Self.prolong, values: [key, earlierRequest])
        }
        try await reportingConflictAsEnded { () async throws(AccountError) in
            try await transaction.run(Self.follow, values: [request, earlierRequest, key])
        }
    }

    /// Ends the changes that a user's sessions asked for. Asking again is no conflict.
    ///
    /// A change also ends with the session that asked for it, so signing out everywhere or setting
    /// a new password ends what a stolen session began. Its row stays, because later requests may
    /// disagree: otherwise a stranger could hide a conflict by ending their own session or account.
    static func end(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(endStatement, values: [.text(userID)])
    }

    /// The hash of the password that waits for a code; nil if none or several wait.
    func hash(
        _ destination: CodeDestination, in transaction: any AccountTransaction
    ) async throws(AccountError) -> String? {
        let rows = try await transaction.run(
            Self.hashStatement, values: [try key(destination, purpose: .signIn)])
        guard rows.count == 1, let row = rows.first else { return nil }
        return try row.text(0)
    }

    /// Takes the requests that wait for a destination, once.
    ///
    /// - Parameters:
    ///   - challenge: the challenge of the right code, if the client has shown it.
    ///   - address: the address of the client that entered the code.
    /// - Returns: what the code grants; nil if no request waits.
    func take(
        _ destination: CodeDestination, purpose: CodePurpose, showing challenge: CodeChallenge?,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Row? {
        let request = try requestName(challenge, for: destination, purpose: purpose)
        var rows = try await transaction.run(
            Self.takeStatement, values: [try key(destination, purpose: purpose)])
        guard !rows.isEmpty else { return nil }
        if challenge == nil {
            rows += try await transaction.run(
                Self.clientRefusals, values: [.bytes(try clientKey(of: address, purpose: purpose))])
        }
        var waiting: [Waiting] = []
        for row in rows { waiting.append(try Waiting(row, own: request)) }
        return Waiting.granted(
            waiting, isShown: challenge != nil, needsSession: Self.needsSession(purpose))
    }

    /// Corrects the earlier request of the same client, if it waits.
    private func correct(
        _ row: Row, key: SQLValue, after earlier: SQLValue, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            Self.correctStatement,
            values: [
                key, earlier, .integer(row.creates ? 1 : 0), .text(row.hash), .text(row.metadata),
                .integer(row.hasUnreadPassword ? 1 : 0),
            ])
    }

    /// Reports a conflict as `sessionEnded`: the session may have ended since the statement found
    /// it, while the user is held.
    private func reportingConflictAsEnded(_ write: () async throws(AccountError) -> Void)
        async throws(AccountError)
    {
        do { try await write() } catch {
            throw error.code == .conflict
                ? AccountError(.sessionEnded, "The session has ended.") : error
        }
    }

    /// The name of a destination and purpose, under which all requests for them wait.
    private func key(
        _ destination: CodeDestination, purpose: CodePurpose
    ) throws(AccountError) -> SQLValue {
        .bytes(try keyBytes(destination, purpose: purpose))
    }

    private func keyBytes(
        _ destination: CodeDestination, purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        let kind = UserIdentity(destination).issuer
        return try secret.code(
            "gotrue pending",
            over: [Array(purpose.name.utf8), Array(kind.utf8), Array(destination.exposedText.utf8)])
    }

    /// The name of a client, under which its refused requests are recorded. All clients without an
    /// address have the same key.
    private func clientKey(
        of client: ClientAddress?, purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        try secret.code(
            "gotrue refused client", over: [Array(purpose.name.utf8), client?.limited ?? []])
    }

    /// The name of a request; a challenge of a different destination or purpose gives a name that
    /// no request has. The challenge itself, which a copy of the database must not reveal, is not
    /// stored.
    private func requestName(
        _ challenge: CodeChallenge?, for destination: CodeDestination, purpose: CodePurpose
    ) throws(AccountError) -> SQLValue {
        guard let challenge else { return .null }
        let key = try keyBytes(destination, purpose: purpose)
        return .bytes(try secret.code("gotrue request", over: [key, Array(challenge.text.utf8)]))
    }

    /// Whether a session asks for changes of this purpose, which end with it.
    private static func needsSession(_ purpose: CodePurpose) -> Bool {
        purpose == .newDestination
    }
}

extension SQLValue {
    /// A text, or NULL for nil.
    static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}
