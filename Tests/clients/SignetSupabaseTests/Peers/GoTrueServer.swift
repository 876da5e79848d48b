// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport

/// The server of `gotrue_server.py`, and a client of it over a real connection.
final class GoTrueServer: Sendable {
    static let secret = "super-secret-jwt-token-with-at-least-32-characters"

    private struct Settings: Encodable {
        let key = Fixture.key
        let secret = GoTrueServer.secret
        let lifetime: Int
        let autoconfirm: Bool
    }

    private struct Ready: Decodable { let port: Int }

    private struct Order: Encodable {
        let `do`: String
        var to: String?
        var by: Int?
        var off: Bool?
        var status: Int?
        var body: String?
        var fields: [String: String]?
        var times: Int?
        var path: String?
    }

    struct Counts: Decodable {
        let counts: [String: Int]
        let sessions: Int
        let users: Int
    }

    private struct Sent: Decodable { let code: String }
    private struct Done: Decodable {}

    let port: Int
    private let program: ServingProgram

    init(lifetime: Int = 3600, autoconfirm: Bool = false) async throws {
        guard let python = KeyServer.python,
            let script = Bundle.module.url(
                forResource: "gotrue_server", withExtension: "py", subdirectory: "Scripts")
        else { throw ServingProgram.Failure(description: KeyServer.absence) }
        program = try ServingProgram(python, ["-B", "-u", script.path])
        let settings = Settings(lifetime: lifetime, autoconfirm: autoconfirm)
        port = try await program.tell(settings, as: Ready.self).port
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    func project() throws -> SupabaseProject { try SupabaseProject(url: EndpointURL(origin)) }

    /// With the long timeouts that a starved machine needs.
    func auth(hasAlwaysConfirmedEmail: Bool = false) throws -> SupabaseAuth {
        var project = try project()
        project.hasAlwaysConfirmedEmail = hasAlwaysConfirmedEmail
        return try SupabaseAuth(
            project, publishableKey: Fixture.key, transport: CurlTransport.curl,
            timeout: .seconds(60))
    }

    func verifier() throws -> SupabaseTokenVerifier {
        let secret = SecretKey(copying: Self.secret.utf8)
        return try SupabaseTokenVerifier(
            project(), legacySecret: HMACKey(secret: secret, algorithm: .hs256), options: .still)
    }

    /// The code that the person gets in a message.
    func code(to destination: String) async throws -> OneTimeCode {
        let sent = try await program.tell(Order(do: "code", to: destination), as: Sent.self)
        return try OneTimeCode(sent.code)
    }

    func advance(by seconds: Int) async throws {
        _ = try await program.tell(Order(do: "advance", by: seconds), as: Done.self)
    }

    func ban(_ destination: String, _ isOn: Bool) async throws {
        _ = try await program.tell(Order(do: "ban", to: destination, off: !isOn), as: Done.self)
    }

    func fail(
        _ path: String, _ status: Int, _ body: String = "", times: Int = 1,
        fields: [String: String] = [:]
    ) async throws {
        _ = try await program.tell(
            Order(
                do: "fail", status: status, body: body, fields: fields, times: times, path: path),
            as: Done.self)
    }

    /// The next answer is lost on its way.
    func loseAnswer() async throws {
        _ = try await program.tell(Order(do: "lose", times: 1), as: Done.self)
    }

    func counts() async throws -> Counts {
        try await program.tell(Order(do: "counts"), as: Counts.self)
    }

    /// Connections are refused from now on.
    func stop() { program.stop() }

    func whileStopped<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await program.whileStopped(body)
    }

    /// What a browser does with an address: where it is sent to.
    func visit(_ address: String) async throws -> String {
        let answer = try await CurlTransport.curl.exchange(
            TransportRequest(url: EndpointURL(address), timeout: .seconds(60)))
        return answer.values(of: "Location").first ?? "status \(answer.status)"
    }
}
