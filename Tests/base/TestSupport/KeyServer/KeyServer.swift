// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The web server of `Scripts/key_server.py` on loopback, which does what a test tells it. It ends
/// with its owner, and when this process is killed.
package final class KeyServer: Sendable {
    package typealias Failure = ServingProgram.Failure

    /// What has been requested at a path.
    package struct Facts: Decodable, Sendable {
        package struct Request: Decodable, Sendable {
            package let method: String
            package let target: String
            package let fields: [[String]]
            package let body: String

            /// The values of a field, by its name in small letters.
            package func values(of name: String) -> [String] {
                fields.filter { $0[0].lowercased() == name }.map { $0[1] }
            }
        }

        /// Requests so far.
        package let count: Int
        /// Connections on which these came.
        package let connections: Int
        /// Answers that the client did not wait for.
        package let abandoned: Int
        /// Bytes of answers that were written, heads included.
        package let sent: Int
        package let last: Request?
    }

    private struct Ports: Decodable {
        let port: Int
        let tlsPort: Int?
    }

    private struct Command: Encodable {
        let `do`: String
        var path: String?
        var gate: String?
        var behaviour: Behaviour?
    }

    private struct Nothing: Decodable {}

    /// The interpreter; only its standard library is used.
    package static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    package static var isAvailable: Bool { python != nil }
    package static let absence: String =
        "python3 is not here, and nothing else serves keys on loopback"
    /// Whether its absence is a failure.
    package static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    /// Where http is.
    package let port: Int
    private let tlsPort: Int?
    /// Where https is; 0 without a certificate.
    package var securePort: Int { tlsPort ?? 0 }
    private let program: ServingProgram
    private let host: String

    /// Starts one, with a certificate in PEM for https where it is to have that.
    ///
    /// - Parameter host: the address where it listens.
    package init(
        certificate: URL? = nil, key: URL? = nil, host: String = "127.0.0.1"
    ) async throws {
        guard let python = Self.python,
            let script = Bundle.module.url(
                forResource: "key_server", withExtension: "py", subdirectory: "Scripts")
        else { throw Failure(description: Self.absence) }
        program = try ServingProgram(
            python,
            ["-B", "-u", script.path] + [certificate, key].compactMap { $0?.path }
                + ["--host", host])
        self.host = host.contains(":") ? "[\(host)]" : host
        let ports = try await program.said(Ports.self)
        (port, tlsPort) = (ports.port, ports.tlsPort)
    }

    package func url(_ path: String) -> String { "http://\(host):\(port)\(path)" }

    /// The address over TLS, with a host that the certificate may or may not name.
    package func secureURL(_ path: String, host: String = "localhost") -> String {
        "https://\(host):\(tlsPort ?? 0)\(path)"
    }

    /// What a path answers with from now on.
    package func set(_ path: String, _ behaviour: Behaviour) async throws {
        let _: Nothing = try await tell(Command(do: "set", path: path, behaviour: behaviour))
    }

    package func facts(_ path: String) async throws -> Facts {
        try await tell(Command(do: "facts", path: path))
    }

    /// Releases everyone who waits at a gate, now and later.
    package func release(_ gate: String) async throws {
        let _: Nothing = try await tell(Command(do: "release", gate: gate))
    }

    /// Closes a gate again.
    package func close(_ gate: String) async throws {
        let _: Nothing = try await tell(Command(do: "close", gate: gate))
    }

    /// Polls until the condition holds. The test's own time limit ends it.
    package func wait(_ path: String, until condition: (Facts) -> Bool) async throws {
        while !condition(try await facts(path)) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Ends it now: its port no longer answers.
    package func stop() { program.stop() }

    private func tell<Value: Decodable>(_ command: Command) async throws -> Value {
        try await program.tell(command, as: Value.self)
    }
}
