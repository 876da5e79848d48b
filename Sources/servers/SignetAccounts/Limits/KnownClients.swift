// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which clients have signed in with a destination (a phone number or an e-mail address) in the
/// last 30 days, in a table, so that strangers who ask and guess do not lock them out.
///
/// A client is known by the ``DeviceSecret`` that it keeps. A client that shows none is known by
/// its address: an IPv4 address, or the first 64 bits of an IPv6 address. Strangers may share an
/// address, so let clients keep the secret.
///
/// ```swift
/// return try await clients.remember(
///     device: shown, address: client, at: mailbox, of: user, in: transaction)
/// ```
///
/// ``remember(device:address:at:of:in:)`` runs in the transaction that begins the session, and
/// ``find(device:address:at:in:)`` before each later try: its result is a subject of
/// ``RateLimits``. A known client gets limits of its own, and nothing else: it proves neither who
/// asks nor that a session exists. The database holds HMACs under the application's secret, each of
/// a client together with a destination. They are deleted with their user, and by
/// ``RateLimits/sweep()`` once they have ended.
public struct KnownClients: Sendable {
    /// A client that has signed in with a destination: a subject of limits.
    public struct Client: Sendable {
        let key: [UInt8]
        /// Whether the client showed its secret. If not, its address is known, which strangers may
        /// share.
        let isDevice: Bool
    }

    /// How long a client is known after its last sign-in, in milliseconds: 30 days.
    static let lifetime: Int64 = 30 * 86_400_000

    let secret: AccountSecret

    /// Clients whose names are HMACs under this secret, the same for all servers.
    public init(secret: AccountSecret) { self.secret = secret }

    /// Remembers the client of a sign-in for 30 days.
    ///
    /// - Parameters:
    ///   - device: the secret that the client showed, whether or not it was known.
    ///   - address: the client's address, remembered if it showed no secret. Nil if requests have
    ///     no address.
    ///   - destination: what the person signed in with, **after** the code or the password was
    ///     found right.
    ///   - user: the user who signed in; deleting the user forgets the client.
    ///   - transaction: the transaction of the sign-in.
    /// - Returns: the secret for the client to keep: the secret that it showed, or a new secret.
    /// - Throws: `conflict` if the user does not exist; the database's errors.
    public func remember(
        device: DeviceSecret?, address: ClientAddress?, at destination: CodeDestination,
        of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> DeviceSecret {
        let secretToKeep = if let device { device } else { try DeviceSecret() }
        var keys = [try rowKey(of: secretToKeep, at: destination)]
        if device == nil, let address { keys.append(try rowKey(of: address, at: destination)) }
        for key in keys {
            try await transaction.run(
                Self.rememberStatement, values: [.bytes(key), .text(user), .integer(Self.lifetime)])
        }
        return secretToKeep
    }

    /// The client, if it has signed in with this destination in the last 30 days; nil if not. The
    /// same single statement runs for known and for unknown clients.
    ///
    /// - Parameters:
    ///   - device: the secret that the client shows.
    ///   - address: the client's address, which counts if the secret is absent or unknown.
    ///   - destination: what the person asks or signs in with.
    ///   - transaction: the transaction that decides.
    /// - Throws: the database's errors.
    public func find(
        device: DeviceSecret?, address: ClientAddress?, at destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Client? {
        let deviceKey: [UInt8]? =
            if let device { try rowKey(of: device, at: destination) } else { nil }
        let addressKey: [UInt8]? =
            if let address { try rowKey(of: address, at: destination) } else { nil }
        // The statement takes two keys: a client that shows only a secret, or only has an address,
        // gives the same key twice.
        guard let preferredKey = deviceKey ?? addressKey else { return nil }
        let otherKey = addressKey ?? preferredKey
        let rows = try await transaction.run(
            Self.findStatement,
            values: [.bytes(preferredKey), .bytes(otherKey), .integer(Self.lifetime)])
        // The first row is that of the secret, if there is one: the secret belongs to this client
        // alone, and strangers may share the address.
        return try rows.first.map { (row) throws(AccountError) in
            let key = try row.bytes(0)
            return Client(key: key, isDevice: key == deviceKey)
        }
    }

    /// The clients that are known for a user, the last ones first, at most 100.
    static func clients(
        of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [Client] {
        let rows = try await transaction.run(listStatement, values: [.text(user)])
        return try rows.map { (row) throws(AccountError) in
            // Limits count by the key alone.
            Client(key: try row.bytes(0), isDevice: false)
        }
    }

    // A row's key is an HMAC under the application's secret. It covers a number for each kind, so
    // that no address finds the row of a secret; 3 is that of KnownClients+Factors. `limited` is
    // the part that limits count: of a destination the text in lower case, of an IPv6 address the
    // first 64 bits.
    private func rowKey(
        of device: DeviceSecret, at destination: CodeDestination
    ) throws(AccountError) -> [UInt8] {
        try secret.code("known client", over: [[1], device.bytes, destination.limited])
    }

    private func rowKey(
        of address: ClientAddress, at destination: CodeDestination
    ) throws(AccountError) -> [UInt8] {
        try secret.code("known client", over: [[2], address.limited, destination.limited])
    }

    // `{now}` is the database's clock in milliseconds.
    static let rememberStatement: SQLStatement = """
        INSERT INTO signet_known_clients (key, user_id, ends_at) VALUES ($1, $2, {now} + $3)
        ON CONFLICT (key) DO UPDATE SET user_id = $2, ends_at = {now} + $3
        """
    // No row of the present clock ends later than a new row would. A row that ends more than a
    // minute (60,000 ms) later was written before the clock was set back, and counts as ended.
    static let findStatement: SQLStatement = """
        SELECT key FROM signet_known_clients
        WHERE key IN ($1, $2) AND ends_at > {now} AND ends_at <= {now} + $3 + 60000
        ORDER BY CASE WHEN key = $1 THEN 0 ELSE 1 END
        """
    static let listStatement: SQLStatement = """
        SELECT key FROM signet_known_clients WHERE user_id = $1
        ORDER BY ends_at DESC, key LIMIT 100
        """
    // For a sweep. `{free}` leaves out rows that another transaction has locked.
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_known_clients WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_known_clients
        WHERE key IN (SELECT key FROM ended) AND ends_at <= {now}
        RETURNING 1
        """

    /// Makes the table (``AccountSchema``): a row for each client and destination.
    static let steps = [
        SchemaStep(
            "clients.1",
            statements: [
                """
                CREATE TABLE signet_known_clients (
                    key {bytes} NOT NULL PRIMARY KEY,
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    ends_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_known_clients_by_end ON signet_known_clients (ends_at)",
                "CREATE INDEX signet_known_clients_by_user ON signet_known_clients (user_id)",
            ])
    ]
}
