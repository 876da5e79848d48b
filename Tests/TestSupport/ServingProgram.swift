// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A program that serves, and is told what to do by lines of JSON on its standard input: it answers
/// each with one. It ends when its input does: with its owner, and when this process is killed.
/// What it complains about is in the log of the tests.
///
/// Not Foundation's `Process`, which hears of an end by a socket that a program started in the same
/// moment inherits, and then waits for that one's end too; and which reads beyond its memory where a
/// process has more than 1,360 open files.
package final class ServingProgram: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let identifier: pid_t
    private let ended: DispatchGroup
    private let conversation: Conversation

    package init(_ executable: String, _ arguments: [String]) throws {
        let (input, output) = (try Ends(), try Ends())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        var variables =
            unsafe ProcessInfo.processInfo.environment.map {
                unsafe strdup("\($0)=\($1)")
            } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var identifier = pid_t()
        let code = unsafe posix_spawn(
            &identifier, executable, &actions, nil, &words, &variables)
        close(input.reading)
        close(output.writing)
        let handles = [input.writing, output.reading].map {
            FileHandle(fileDescriptor: $0, closeOnDealloc: true)
        }
        guard code == 0 else {
            throw Failure(description: "\(executable) was not started: \(code)")
        }
        self.identifier = identifier
        // At once, whoever owns it: of exit tests, Swift Testing sees no end behind an older one.
        let (ended, child) = (DispatchGroup(), identifier)
        ended.enter()
        Thread {
            while waitpid(child, nil, 0) < 0, errno == EINTR {}
            ended.leave()
        }.start()
        self.ended = ended
        conversation = Conversation(input: handles[0], output: handles[1])
    }

    /// A pair of sockets, one of which is closed in all other programs from the beginning.
    private struct Ends {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
            guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
                throw Failure(description: "there is no pair of sockets: \(errno)")
            }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    deinit { conversation.close() }

    /// What it says by itself.
    package func said<Answer: Decodable>(_ type: Answer.Type) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: try await conversation.answer())
    }

    package func tell<Answer: Decodable>(
        _ command: some Encodable, as type: Answer.Type
    ) async throws -> Answer {
        let question = try JSONEncoder().encode(command) + [0x0a]
        return try JSONDecoder().decode(
            Answer.self, from: try await conversation.answer(to: question))
    }

    /// Ends it now: nobody answers at its port any more.
    package func stop() {
        conversation.close()
        ended.wait()
    }

    /// Holds it still while the body runs: its port takes connections, and nobody answers.
    package func whileStopped<Value>(_ body: () async throws -> Value) async throws -> Value {
        kill(identifier, SIGSTOP)
        defer { kill(identifier, SIGCONT) }
        return try await body()
    }
}
