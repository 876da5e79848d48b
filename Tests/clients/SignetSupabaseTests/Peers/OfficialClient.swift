// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestPrograms
import TestSupport

/// `supabase-auth` of the environment that `Scripts/interop-venv.sh` makes.
enum OfficialClient {
    private struct Given: Encodable {
        let port: Int
        let key: String
        let verifier: String
    }

    private struct Answer: Decodable { let url: String }

    /// It runs against a server, and reports the errors that it got.
    static func live(with server: GoTrueServer) async throws -> String {
        try await call(server.port, "", script: "official_life")
    }

    private static let interpreter: String? = {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let path =
            named ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let question =
            "import importlib.util as u, sys; sys.exit(u.find_spec('supabase_auth') is None)"
        return (try? run(path, ["-c", question], Data())) == nil ? nil : path
    }()

    static var isAvailable: Bool { interpreter != nil }
    static var isRequired: Bool { KeyServer.isRequired }

    /// Makes its calls, and says where it sends a browser.
    static func call(
        _ port: Int, _ verifier: String, key: String = Fixture.key,
        script name: String = "official_client"
    ) async throws -> String {
        guard let interpreter else {
            throw ServingProgram.Failure(
                description: "supabase-auth is not here: Scripts/interop-venv.sh installs it")
        }
        let given = try JSONEncoder().encode(Given(port: port, key: key, verifier: verifier))
        let script = try Recording.path(of: name)
        let output = try await Task.detached {
            try run(interpreter, ["-B", script], given)
        }.value
        return try JSONDecoder().decode(Answer.self, from: output).url
    }

    private static func run(_ path: String, _ arguments: [String], _ input: Data) throws -> Data {
        let outcome = try ChildProgram.run(path, arguments, input: Array(input))
        guard outcome.status == 0 else {
            throw ServingProgram.Failure(
                description: "\(path) ended with \(outcome.status): \(outcome.complaint)")
        }
        return Data(outcome.output)
    }
}

/// The server of `recorder.py`: it accepts everything, and records it.
final class Recording: Sendable {
    struct Request: Decodable {
        let method: String
        let path: String
        let pairs: [[String]]
        let allFields: [String: String]
        let sent: JSONValue?

        enum CodingKeys: String, CodingKey {
            case method, path
            case pairs = "query"
            case allFields = "fields"
            case sent = "body"
        }

        var target: String { "\(method) \(path)" }
        var query: [[String]] { pairs.sorted { $0[0] < $1[0] } }

        /// Except for those whose reason is in the test.
        var fields: [String: String] {
            allFields.filter {
                !OfficialClientTests.fieldsOfTheLibrary.contains($0.key)
                    && !OfficialClientTests.fieldsOfTheirs.contains($0.key)
            }
        }

        /// But for nulls, objects without a member (which hold nothing but nulls in theirs), and
        /// what is random.
        var body: JSONValue? {
            guard case .object(let members)? = sent else { return sent }
            return Self.withoutNulls(.object(members))
        }

        private static func withoutNulls(_ value: JSONValue) -> JSONValue? {
            guard case .object(let members) = value else { return value == .null ? nil : value }
            var kept: [String: JSONValue] = [:]
            for (name, member) in members {
                if OfficialClientTests.random.contains(name) {
                    kept[name] = .integer(Int64(member.stringValue?.utf8.count ?? 0))
                } else if let member = withoutNulls(member) {
                    kept[name] = member
                }
            }
            return kept.isEmpty ? nil : .object(kept)
        }
    }

    private struct Ready: Decodable { let port: Int }
    private struct Requests: Decodable { let requests: [Request] }
    private struct Question: Encodable {}

    let port: Int
    private let program: ServingProgram

    init() async throws {
        guard let python = KeyServer.python else {
            throw ServingProgram.Failure(description: KeyServer.absence)
        }
        program = try ServingProgram(python, ["-B", "-u", Self.path(of: "recorder")])
        port = try await program.said(Ready.self).port
    }

    func requests() async throws -> [Request] {
        try await program.tell(Question(), as: Requests.self).requests
    }

    static func path(of script: String) throws -> String {
        guard
            let url = Bundle.module.url(
                forResource: script, withExtension: "py", subdirectory: "Scripts")
        else { throw ServingProgram.Failure(description: "no script \(script).py") }
        return url.path
    }
}
