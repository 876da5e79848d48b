// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetJOSE
import TestPrograms
import TestSupport

/// A service behind a real HTTP server on loopback: `front.py`, which hands requests over.
final class Front: Sendable {
    private struct Ready: Decodable { let port: Int }

    private struct Request: Decodable {
        let method: String
        let target: String
        let peer: String
        let fields: [[String]]
        let body: Data
    }

    private struct Reply: Encodable {
        let status: Int
        let fields: [[String]]
        let body: Data
    }

    let scene: Scene
    let origin: String
    private let program: Dialogue
    private let serving: Task<Void, Never>

    /// - Parameters:
    ///   - counts: whether limits of addresses count.
    ///   - clock: of the session tokens.
    init(
        counts: Bool = true, clock: TimeSource = .still,
        change: @escaping (inout GoTrueOptions) throws -> Void = { _ in }
    ) async throws {
        guard let python = KeyServer.python else {
            throw ServingProgram.Failure(description: KeyServer.absence)
        }
        let program = try Dialogue(python, ["-B", "-u", Front.path(of: "front")])
        let ready = try JSONDecoder().decode(Ready.self, from: await program.line() ?? Data())
        self.program = program
        origin = "http://127.0.0.1:\(ready.port)"
        let scene = try await Scene(
            place: origin + "/auth/v1", clock: clock, change: change)
        self.scene = scene
        serving = Task {
            while let line = await program.line() {
                guard let request = try? JSONDecoder().decode(Request.self, from: line) else {
                    return
                }
                let reply = await Self.answer(request, scene.service, counts)
                guard let text = try? JSONEncoder().encode(reply) else { return }
                program.write(text)
            }
        }
    }

    deinit { program.close() }

    private static func answer(
        _ request: Request, _ service: GoTrueService, _ counts: Bool
    ) async -> Reply {
        let parts = request.target.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = String(parts[0])
        var fields = request.fields.map { GoTrueRequest.Field(name: $0[0], value: $0[1]) }
        // The application's own route for the deletion of an account, without the project's key.
        if path == "/v1/auth/me" {
            path = "/auth/v1/user"
            fields.append(.init(name: "apikey", value: Scene.key))
        }
        let client = TrustedProxies.none.client(peer: request.peer, forwarded: [])
        let response = await service.answer(
            GoTrueRequest(
                method: request.method,
                path: path.hasPrefix("/auth/v1") ? String(path.dropFirst(8)) : "/elsewhere",
                query: parts.count > 1 ? String(parts[1]) : "",
                fields: fields, body: Array(request.body),
                client: counts ? client : nil))
        return Reply(
            status: response.status, fields: response.fields.map { [$0.name, $0.value] },
            body: Data(response.body))
    }

    static func path(of script: String, _ kind: String = "py") throws -> String {
        guard
            let url = Bundle.module.url(
                forResource: script, withExtension: kind, subdirectory: "Scripts")
        else { throw ServingProgram.Failure(description: "no script \(script).\(kind)") }
        return url.path
    }
}

/// A program that speaks in lines, and is spoken to in lines.
final class Dialogue: Sendable {
    private let program: PipedProgram
    private let lines: AsyncStream<Data>

    init(_ executable: String, _ arguments: [String]) throws {
        let program = try PipedProgram(executable, arguments)
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        (self.program, lines) = (program, stream)
        Thread {
            var buffer = Data()
            program.read { more in
                buffer += more
                while let end = buffer.firstIndex(of: 0x0a) {
                    continuation.yield(Data(buffer[..<end]))
                    buffer = Data(buffer[(end + 1)...])
                }
            }
            continuation.finish()
        }.start()
    }

    /// The next line; nil at the end. One caller at a time.
    func line() async -> Data? {
        for await line in lines { return line }
        return nil
    }

    func write(_ line: Data) { try? program.input.write(contentsOf: line + [0x0a]) }

    func close() { try? program.input.close() }

    /// The status that it ended with.
    func end() -> Int32 {
        close()
        return program.wait().status
    }
}
