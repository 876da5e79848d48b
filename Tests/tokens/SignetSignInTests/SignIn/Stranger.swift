// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program of another user of this machine (`stranger.py`).
final class Stranger: Sendable {
    static let user: UInt32 = 65534
    /// Only root can start one.
    static let isPossible = geteuid() == 0 && KeyServer.isAvailable
    static let absence = "only root can start another user's program, and python3 is needed"

    private struct Command: Encodable {
        let `do`: String
        var port = 0
        var target = ""
        var how = "plain"
    }

    private struct Answer: Decodable {
        var text: String?
        var port: Int?
        var count: Int?
    }

    private let program: ServingProgram

    init() throws {
        guard let python = KeyServer.python,
            let script = Bundle.module.url(
                forResource: "stranger", withExtension: "py", subdirectory: "Scripts")
        else { throw ServingProgram.Failure(description: Self.absence) }
        program = try ServingProgram(python, ["-B", "-u", script.path])
    }

    /// The answer to a request.
    func call(_ port: Int, _ target: String, _ how: String = "plain") async throws -> String {
        try await tell(Command(do: "call", port: port, target: target, how: how)).text ?? ""
    }

    /// Sends a request, and hangs up at once.
    func leave(_ port: Int, _ target: String, _ how: String) async throws {
        _ = try await tell(Command(do: "leave", port: port, target: target, how: how))
    }

    /// Connects and stays. The caller's own port.
    func hold(_ port: Int, _ how: String) async throws -> Int {
        try await tell(Command(do: "hold", port: port, how: how)).port ?? 0
    }

    /// Connects and says nothing, as often as possible, until ``calm()``.
    func flood(_ port: Int) async throws {
        _ = try await tell(Command(do: "flood", port: port))
    }

    /// How many connections there were.
    func calm() async throws -> Int { try await tell(Command(do: "calm")).count ?? 0 }

    private func tell(_ command: Command) async throws -> Answer {
        try await program.tell(command, as: Answer.self)
    }
}
