// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts

/// Prepares the options of a connection, for ``PostgresConfiguration``: keywords of libpq,
/// PostgreSQL's library in C, each with its value.
///
/// 1. ``parse(_:)`` reads a connection string: `postgresql://app@db1,db2/accounts` has the host
///    `db1,db2`, the user `app` and the database (`dbname`) `accounts`.
/// 2. ``complete(_:)`` checks the hosts, and adds what is missing, above all how the server is
///    authenticated: `sslmode` is `verify-full`.
/// 3. ``eachHost(_:)`` gives each host its own options, because each is tried for its own time: all
///    of these with the host `db1`, and all of these with `db2`.
enum ConnectionOptions {
    /// If a keyword occurs twice, libpq takes the last value.
    typealias Options = [(name: String, value: String)]

    /// The options in a connection string, without defaults.
    static func parse(_ connection: String) throws(AccountError) -> Options {
        guard hasNoRawPassword(connection) else {
            throw AccountError(
                .invalidParameter,
                "The URI of a connection has an '@' too many. Percent-encode user and password.")
        }
        do throws(PGFailure) {
            return try PGOptions.parse(connection)
        } catch {
            throw AccountError(
                .invalidParameter, "libpq cannot parse the connection string.")
        }
    }

    /// Whether no raw `@` or `/` can be in a password, as in `postgresql://ann:p@ss@db/x`: it makes
    /// a part of the password a host, which libpq quotes, or a socket that any local user can open.
    private static func hasNoRawPassword(_ connection: String) -> Bool {
        let schemes = ["postgresql://", "postgres://"]
        guard let scheme = schemes.first(where: { connection.utf8.starts(with: $0.utf8) }) else {
            return true
        }
        let text = connection.utf8.dropFirst(scheme.utf8.count)
            .prefix { $0 != UInt8(ascii: "?") }
        // One `@` ends user and password, and none comes after the hosts.
        let at = UInt8(ascii: "@")
        let database = text.drop { $0 != UInt8(ascii: "/") }
        return text.count { $0 == at } <= 1 && !database.contains(at)
    }

    /// Adds defaults for missing options, above all how to authenticate the server.
    static func complete(_ given: Options) throws(AccountError) -> Options {
        // libpq treats an empty value as absent.
        var options = given.filter { !$0.value.isEmpty }
        guard !options.contains(where: { $0.value.utf8.contains(0) }) else {
            throw AccountError(.invalidParameter, "A part of the connection has a zero byte.")
        }
        // A service is a file with further options, and replication a protocol without statements.
        for name in ["service", "replication"] where has(name, in: options) {
            throw AccountError(.invalidParameter, "A connection has no '\(shown: name)' here.")
        }
        guard has("host", in: options) || has("hostaddr", in: options) else { throw noHost }
        try checkHosts(options)
        // Only for its errors: `PostgresConfiguration.hosts` asks again for each connection.
        _ = try eachHost(options)
        let defaults = [
            ("sslmode", isLocal(options) ? "prefer" : "verify-full"), ("gssencmode", "disable"),
            // A standby takes no writes; with several hosts, takes the host that does.
            ("target_session_attrs", "read-write"), ("fallback_application_name", "signet"),
            // After 30 s without traffic the server is asked every 10 s: three times without an
            // answer, and the connection is lost.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ]
        for (name, value) in defaults where !has(name, in: options) {
            options.append((name, value))
        }
        return options + [("client_encoding", "UTF8")]
    }

    /// The values of a keyword, in the order in which they were given.
    static func values(of name: String, in options: Options) -> [String] {
        options.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The same options for each host alone, in the order in which they are tried.
    static func eachHost(_ options: Options) throws(AccountError) -> [Options] {
        // libpq takes what the string leaves out from its environment variables.
        let hosts = list("host", in: options, or: "PGHOST")
        let addresses = list("hostaddr", in: options, or: "PGHOSTADDR")
        // A port that is left out would be that of the variable. Without any, libpq takes its own.
        // The empty port is left out below.
        let ports =
            list("port", in: options, or: "PGPORT")?.map { $0.isEmpty ? "5432" : $0 } ?? [""]
        let count = try requireHostCount(hosts, addresses: addresses, ports: ports)
        let common = options.filter { option in
            !["host", "hostaddr", "port"].contains { option.name.utf8.elementsEqual($0.utf8) }
        }
        return try (0..<count).map { (place) throws(AccountError) in
            let host = hosts?[place] ?? ""
            let address = addresses?[place] ?? ""
            guard !host.isEmpty || !address.isEmpty else { throw noHost }
            let own = [
                (name: "host", value: host), (name: "hostaddr", value: address),
                (name: "port", value: ports.count == 1 ? ports[0] : ports[place]),
            ]
            return common + own.filter { !$0.value.isEmpty }
        }
    }

    /// How many hosts there are to connect to.
    ///
    /// - Throws: `invalidParameter` unless there is an address for each host, or no address, and
    ///   one port, or a port for each host.
    private static func requireHostCount(
        _ hosts: [String]?, addresses: [String]?, ports: [String]
    ) throws(AccountError) -> Int {
        guard let count = addresses?.count ?? hosts?.count else { throw noHost }
        let hasEachHost = hosts.map { $0.count == count } ?? true
        let hasEachPort = ports.count == 1 || ports.count == count
        guard hasEachHost, hasEachPort else {
            throw AccountError(
                .invalidParameter,
                "There are \(hosts?.count ?? 0) hosts and \(addresses?.count ?? 0) addresses, with "
                    + "\(ports.count) ports, in the connection string and libpq's variables: give as "
                    + "many addresses as hosts, or none, and one port, or one for each host.")
        }
        return count
    }

    /// A password in a URI that is not percent-encoded becomes part of a host, or a port, which
    /// libpq quotes when it cannot connect.
    private static func checkHosts(_ options: Options) throws(AccountError) {
        let hosts = values(of: "host", in: options).flatMap(elements(of:))
        let ports = values(of: "port", in: options).flatMap(elements(of:))
        guard hosts.allSatisfy(mayBeHost), ports.allSatisfy(mayBePort) else {
            throw AccountError(
                .invalidParameter,
                "A host or port in the connection string is not valid. In a URI, percent-encode the "
                    + "password.")
        }
    }

    /// Whether the text can be a name or an address, the folder of a socket, or an abstract socket.
    private static func mayBeHost(_ text: String) -> Bool {
        if text.utf8.first == UInt8(ascii: "/") { return true }
        if text.utf8.first == UInt8(ascii: "@") {
            return !text.utf8.dropFirst().contains(UInt8(ascii: "@"))
        }
        return text.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "-._:%".utf8.contains($0) || $0 >= 0x80
        }
    }

    private static func mayBePort(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isASCIIDigit || $0.isSpaceOrTab }
    }

    /// The elements of an option, or else of an environment variable; nil if both are missing.
    private static func list(
        _ name: String, in options: Options, or variable: String? = nil
    ) -> [String]? {
        let value = values(of: name, in: options).last ?? variable.flatMap(PGEnvironment.value)
        return value.flatMap { $0.isEmpty ? nil : elements(of: $0) }
    }

    private static var noHost: AccountError {
        AccountError(
            .invalidParameter,
            "The connection names no host: a name, an address, or the folder of a socket.")
    }

    /// The parts of a list that has commas between them, as libpq has lists of hosts.
    private static func elements(of list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func has(_ name: String, in options: Options) -> Bool {
        !values(of: name, in: options).isEmpty
    }

    /// Whether every host that may be connected to is this machine.
    private static func isLocal(_ options: Options) -> Bool {
        // If these are set, libpq takes the address, or more, from there.
        for name in ["PGHOSTADDR", "PGSERVICE"] where PGEnvironment.value(name) != nil {
            return false
        }
        let name = has("hostaddr", in: options) ? "hostaddr" : "host"
        return values(of: name, in: options).flatMap(elements(of:)).allSatisfy(isLocalHost)
    }

    private static func isLocalHost(_ text: String) -> Bool {
        let host = text.utf8
        // The folder of a socket, or an abstract socket.
        if host.first == UInt8(ascii: "/") || host.first == UInt8(ascii: "@") { return true }
        if host.elementsEqual("localhost".utf8) || host.elementsEqual("::1".utf8) { return true }
        return host.starts(with: "127.".utf8)
            && host.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    }
}
