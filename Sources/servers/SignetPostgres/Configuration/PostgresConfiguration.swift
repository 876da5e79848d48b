// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SignetBase

/// The location of a PostgreSQL database, and its time limits.
///
/// Printing shows nothing. A server that is neither behind a Unix socket nor on loopback must show
/// a certificate for its name (`sslmode=verify-full`). To use a different mode, name it in the
/// connection string.
public struct PostgresConfiguration: Sendable, Redacted {
    package let options: [(name: String, value: String)]

    /// The schema with the tables, `public`: 1 to 63 lower-case ASCII letters, digits and `_`, not
    /// beginning with a digit. It is the whole search path.
    public var schema = "public"
    /// The most open connections: 8; 1 to 200.
    public var maximumConnectionCount = 8
    /// How long a transaction waits for a connection: 5 s; 10 ms to 600 s.
    public var waitingTime = Duration.seconds(5)
    /// The limit for connecting to one address, including TLS and sign-in: 5 s; 10 ms to 600 s.
    /// With several hosts, the next host is tried then. With several addresses of a name, the next
    /// address is tried if no connection was established. The system's resolver decides how long
    /// the name look-up takes. A connection whose server has not confirmed sent data for three
    /// quarters of this limit is lost (`tcp_user_timeout`).
    public var connectTimeout = Duration.seconds(5)
    /// The limit for one statement: 5 s; 10 ms to 600 s. The server then ends it, or after another
    /// 2 s the connection is closed.
    public var statementTimeout = Duration.seconds(5)
    /// How long a statement waits for another transaction's row: 3 s; 10 ms to 600 s.
    public var lockTimeout = Duration.seconds(3)
    /// How long a transaction may be idle between two statements: 10 s; 10 ms to 600 s.
    public var idleTransactionTimeout = Duration.seconds(10)

    /// Reads a libpq connection string: `postgresql://user@host/database?sslrootcert=…`, or `host=…
    /// dbname=…`.
    ///
    /// If the string leaves out a value, it comes from libpq's variables (`PGPASSWORD`,
    /// `PGPASSFILE`) and defaults, except the host and `sslmode`. `options` may be anything; the
    /// settings that Signet relies on are made afterwards.
    ///
    /// Several hosts are tried in their order, whatever `load_balance_hosts` says.
    ///
    /// - Throws: `invalidParameter` for a string that libpq cannot read, without a host, with an
    ///   impossible host or port (in a URI, user and password are percent-encoded), with different
    ///   numbers of hosts and ports, or with `service` or `replication`. Nothing of the string is
    ///   in the error.
    public init(_ connection: String) throws(AccountError) {
        options = try ConnectionOptions.complete(try ConnectionOptions.parse(connection))
    }

    /// Takes the parts of a connection.
    ///
    /// - Parameters:
    ///   - host: a name or an address, or the folder of a Unix socket (`/run/postgresql`).
    ///   - port: the server's port.
    ///   - database: the database's name.
    ///   - user: the role that the server signs in as.
    ///   - password: nil for none, or a password of `PGPASSFILE`.
    ///   - rootCertificate: the file of the certificates that the server's certificate is checked
    ///     with. Without it libpq reads `~/.postgresql/root.crt`.
    /// - Throws: `invalidParameter` for an empty or impossible host, or a zero byte.
    public init(
        host: String, port: UInt16 = 5432, database: String, user: String,
        password: String? = nil, rootCertificate: String? = nil
    ) throws(AccountError) {
        var options = [
            (name: "host", value: host), ("port", "\(port)"), ("dbname", database), ("user", user),
        ]
        if let password { options.append(("password", password)) }
        if let rootCertificate { options.append(("sslrootcert", rootCertificate)) }
        self.options = try ConnectionOptions.complete(options)
    }

    /// - Throws: `invalidParameter` for a value that is out of its range.
    func check() throws(AccountError) {
        let range = Duration.milliseconds(10) ... .seconds(600)
        if let fault = ParameterRange.fault(
            .init("maximumConnectionCount", value: maximumConnectionCount, in: 1...200),
            .init("waitingTime", value: waitingTime, in: range),
            .init("connectTimeout", value: connectTimeout, in: range),
            .init("statementTimeout", value: statementTimeout, in: range),
            .init("lockTimeout", value: lockTimeout, in: range),
            .init("idleTransactionTimeout", value: idleTransactionTimeout, in: range))
        {
            throw AccountError(.invalidParameter, fault)
        }
        let name = Array(schema.utf8)
        guard (1...63).contains(name.count), !(name.first?.isASCIIDigit ?? true),
            name.allSatisfy({
                $0.isASCIIDigit || $0 == UInt8(ascii: "_") || (0x61...0x7a).contains($0)
            })
        else {
            throw AccountError(
                .invalidParameter,
                "schema is 1 to 63 small letters of ASCII, digits and _, no digit first, not "
                    + "\(shown: schema).")
        }
    }

    /// The options of libpq for each of the hosts, in the order in which they are tried.
    package var hosts: [[(name: String, value: String)]] {
        get throws(AccountError) {
            let hosts = try ConnectionOptions.eachHost(options)
            guard ConnectionOptions.values(of: "tcp_user_timeout", in: options).isEmpty else {
                return hosts
            }
            // Less than the limit for an address, so that the next address has time after a silent
            // address.
            let longest = (connectTimeout * 3 / 4).milliseconds
            return hosts.map { $0 + [("tcp_user_timeout", "\(longest)")] }
        }
    }

    /// The settings that statements are written for, made on each new connection.
    var settings: String {
        let settings = [
            // No temporary table can stand in for a table of Signet's.
            ("search_path", "\"\(schema)\", pg_temp"), ("client_min_messages", "error"),
            ("standard_conforming_strings", "on"),
            ("statement_timeout", "\(statementTimeout.milliseconds)"),
            ("lock_timeout", "\(lockTimeout.milliseconds)"),
            (
                "idle_in_transaction_session_timeout",
                "\(idleTransactionTimeout.milliseconds)"
            ),
        ].map { "set_config('\($0)', '\($1)', false)" }.joined(separator: ", ")
        // Once a commit is answered, the disk has it. And a server that has lost its client ends
        // the statement, if its system can tell.
        return """
            SELECT \(settings), set_config('synchronous_commit', CASE
                current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                ELSE current_setting('synchronous_commit') END, false),
                CASE WHEN version() LIKE '%linux%'
                THEN set_config('client_connection_check_interval', '250', false) END
            """
    }
}
