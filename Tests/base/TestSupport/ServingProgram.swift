// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestPrograms

/// A program that serves, and is told what to do by lines of JSON on its standard input: it answers
/// each with one. It ends when its input does: with its owner, and when this process is killed.
/// What it complains about is in the log of the tests.
package final class ServingProgram: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let program: PipedProgram
    private let conversation: Conversation

    package init(_ executable: String, _ arguments: [String]) throws {
        program = try PipedProgram(executable, arguments)
        conversation = Conversation(input: program.input, output: program.output)
    }

    deinit { conversation.close() }

    /// What it says by itself.
    package func said<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: try await conversation.answer())
    }

    package func tell<Value: Decodable>(
        _ command: some Encodable, as type: Value.Type
    ) async throws -> Value {
        let question = try JSONEncoder().encode(command) + [0x0a]
        return try JSONDecoder().decode(
            Value.self, from: try await conversation.answer(to: question))
    }

    /// Ends it now: its port no longer answers.
    package func stop() {
        conversation.close()
        program.wait()
    }

    /// Suspends it while the body runs: its port accepts connections and never answers.
    package func whileStopped<Value>(_ body: () async throws -> Value) async throws -> Value {
        program.stop()
        defer { program.signal(SIGCONT) }
        return try await body()
    }
}
