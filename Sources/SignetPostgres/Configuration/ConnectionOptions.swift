// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts
internal import SignetPlatform

/// The keywords that libpq is given.
enum ConnectionOptions {
    typealias Options = [(name: String, value: String)]

    static func parse(_ connection: String) throws(AccountError) -> Options {
        do throws(PGFailure) {
            return try PGOptions.parse(connection)
        } catch {
            throw AccountError(
                .invalidParameter, "libpq cannot parse the connection string.")
        }
    }

    /// Adds defaults for missing options, above all how to authenticate the server.
    static func complete(_ given: Options) throws(AccountError) -> Options {
        // libpq treats an empty value as absent.
        var options = given.filter { !$0.value.isEmpty }
        guard !options.contains(where: { $0.value.utf8.contains(0) }) else {
            throw AccountError(.invalidParameter, "A part of the connection has a zero byte.")
        }
        for name in ["service", "replication"] where has(name, options) {
            throw AccountError(.invalidParameter, "A connection has no '\(name)' here.")
        }
        guard has("host", options) || has("hostaddr", options) else {
            throw AccountError(
                .invalidParameter,
                "The connection names no host: a name, an address, or the folder of a socket.")
        }
        let defaults = [
            ("sslmode", isLocal(options) ? "prefer" : "verify-full"), ("gssencmode", "disable"),
            // A standby takes no writes; of several hosts, the one that does.
            ("target_session_attrs", "read-write"), ("fallback_application_name", "signet"),
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ]
        for (name, value) in defaults where !has(name, options) { options.append((name, value)) }
        return options + [("client_encoding", "UTF8")]
    }

    static func values(of name: String, _ options: Options) -> [String] {
        options.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    private static func has(_ name: String, _ options: Options) -> Bool {
        !values(of: name, options).isEmpty
    }

    /// Whether every host that may be connected to is this machine.
    private static func isLocal(_ options: Options) -> Bool {
        // Where these are set, libpq takes the address, or more, from there.
        for name in ["PGHOSTADDR", "PGSERVICE"] where ProcessEnvironment.value(name) != nil {
            return false
        }
        let name = has("hostaddr", options) ? "hostaddr" : "host"
        let hosts = values(of: name, options).flatMap {
            $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }
        return hosts.allSatisfy { host in
            host.first == UInt8(ascii: "/") || host.first == UInt8(ascii: "@")
                || host.elementsEqual("localhost".utf8) || host.elementsEqual("::1".utf8)
                || host.starts(with: "127.".utf8)
                    && host.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        }
    }
}
