// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A program that is waited for by the system alone. Foundation's `Process` hears of an end by a
/// socket, which another program that was started in the same moment may have inherited: then it
/// waits for that one's end too.
package struct SpawnedProgram: Sendable {
    private struct Failure: Error { let code: Int32 }

    let identifier: pid_t
    private let output: Int32

    package init(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws {
        var ends: [Int32] = [-1, -1]
        // Closed in every other program from the beginning.
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
            throw Failure(code: errno)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var identifier = pid_t()
        let code = unsafe posix_spawn(&identifier, path, &actions, nil, &words, &variables)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw Failure(code: code)
        }
        self.identifier = identifier
        output = ends[0]
    }

    /// Reads what it says, to its end.
    package func read(_ hear: (ArraySlice<UInt8>) -> Void) {
        defer { close(output) }
        var octets = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(output, &octets, octets.count)
            if count > 0 { hear(octets[..<count]) } else if count == 0 || errno != EINTR { return }
        }
    }

    package func signal(_ number: Int32) { kill(identifier, number) }

    package func wait() {
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
}
