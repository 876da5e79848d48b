// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension OneTimeCodes {
    // The message of a code may hold a link, which does the same as the code. Both are one row, so
    // whichever is used first ends both. A link says neither destination nor purpose: the row has
    // the destination sealed, and its key proves both.

    /// The columns of a link, and the link for the message; NULL without a page.
    struct StoredLink {
        let hash, destination: SQLValue
        let text: String?
    }

    /// Makes the link of a request. That of an unknown destination looks the same, and is not sent.
    func newLink(
        to page: LinkPage?, at destination: CodeDestination, of request: CodeRequest
    ) throws(AccountError) -> StoredLink {
        // No phone gets a link: who reads a message aloud should read six digits.
        guard let page, case .email = destination else {
            return StoredLink(hash: .null, destination: .null, text: nil)
        }
        let token = try LinkToken()
        let sealed = try secret.seal(
            destination.bytes, label: Self.linkLabel, bound: [request.challenge.bytes])
        return StoredLink(
            hash: .bytes(try hash(token)), destination: .bytes(sealed),
            text: page.link(with: token))
    }

    /// Uses a link up, and runs `work` in the same transaction. Its code ends with it.
    ///
    /// A link is good as long as its code, except that wrong guesses at the code do not end it.
    /// Take a limit of the client before, as for a code; none is taken here, because a link cannot
    /// be guessed. A link shows that its holder reads the mailbox, and **not** that they asked:
    /// grant what a request asked for only to a client that shows the request's challenge.
    ///
    /// - Parameters:
    ///   - token: what the page posted.
    ///   - purpose: what the link is for; it is good for nothing else.
    ///   - work: what follows, such as finding or adding the account. It receives the request whose
    ///     link was used, and where the link was sent. If it throws, the link is still good.
    /// - Throws: `wrongCode` for a link that is wrong, used or expired, or for another purpose; the
    ///   errors of `work` and of the database.
    public func verify<Value: Sendable>(
        link token: LinkToken, for purpose: CodePurpose,
        then work:
            @escaping @Sendable (any AccountTransaction, CodeRequest, CodeDestination)
            async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await database.transaction { (transaction) throws(AccountError) -> Value in
            let (request, destination) = try await useUp(token, for: purpose, in: transaction)
            return try await work(transaction, request, destination)
        }
    }

    private func useUp(
        _ token: LinkToken, for purpose: CodePurpose, in transaction: any AccountTransaction
    ) async throws(AccountError) -> (CodeRequest, CodeDestination) {
        let rows = try await transaction.run(
            Self.findLink, values: [.bytes(try hash(token)), .integer(Self.clockStep)])
        guard let row = rows.first else { throw Self.wrongLink }
        let challenge = CodeChallenge(bytes: try row.bytes(0))
        let client = CodeChallenge(bytes: try row.bytes(1))
        let plain = try secret.open(
            try row.bytes(3), label: Self.linkLabel, bound: [challenge.bytes])
        guard let destination = CodeDestination(bytes: plain[...]),
            try rowKey(of: destination, for: purpose) == row.bytes(2)
        else { throw Self.wrongLink }
        let used = try await transaction.run(Self.useLink, values: [.bytes(challenge.bytes)])
        guard !used.isEmpty else { throw Self.wrongLink }
        return (CodeRequest(challenge: challenge, client: client), destination)
    }

    private func hash(_ token: LinkToken) throws(AccountError) -> [UInt8] {
        try secret.code(Self.linkLabel, over: [token.bytes])
    }

    private static let linkLabel: StaticString = "code link"

    private static var wrongLink: AccountError {
        AccountError(
            .wrongCode, "This link is wrong, or no longer good. Please ask for a new one.")
    }

    /// `$2` is `clockStep`; `{lock}` holds the row until the transaction ends.
    private static let findLink: SQLStatement = """
        SELECT challenge, client, key, link_to FROM signet_codes
        WHERE link = $1 AND used = 0 AND ends_at > {now} AND sent_at <= {now} + $2 {lock}
        """
    private static let useLink: SQLStatement =
        "UPDATE signet_codes SET used = 1 WHERE challenge = $1 AND used = 0 RETURNING used"
}
