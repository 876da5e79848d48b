// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
internal import SignetPlatform

/// Workers that are killed at random moments and started anew, and what they say.
package final class WorkerDesk: Sendable {
    private struct State {
        var family = 0
        var newest = 0
        var isOver = false
        var kills = 0
    }

    private let program: String
    private let arguments: [String]
    private let environment: [String: String]
    private let state = Locked(State())
    private let ends = DispatchGroup()

    /// - Parameter environment: what is added to this process's.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }

    package func start(_ count: Int) throws {
        for _ in 0..<count {
            ends.enter()
            Thread { [self] in
                while !state.withLock({ $0.isOver }) { live() }
                ends.leave()
            }.start()
        }
    }

    /// Waits until a worker has a token of this number; false when the server has ended the family.
    package func wait(for number: Int, of family: Int, at server: StubServer) async throws -> Bool {
        for look in 1... {
            let newest = state.withLock { $0.family == family ? $0.newest : 0 }
            if newest >= number { return true }
            if look.isMultiple(of: 50), try server.record().family != family { return false }
            try await Task.sleep(for: .microseconds(300))
        }
        return false
    }

    /// How many were killed.
    package func end() -> Int {
        state.withLock { $0.isOver = true }
        ends.wait()
        return state.withLock { $0.kills }
    }

    /// One process, from its start to its end.
    private func live() {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = output
        guard (try? process.run()) != nil else { return }
        let identifier = process.processIdentifier
        let killer = Thread { [self] in
            usleep(UInt32.random(in: 20_000...400_000))
            kill(identifier, SIGKILL)
            state.withLock { $0.kills += 1 }
        }
        killer.start()
        var pending = [UInt8]()
        while true {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            pending += more
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                hear(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
        process.waitUntilExit()
    }

    /// `token FAMILY-NUMBER`, or what a worker without a session says.
    private func hear(_ line: String) {
        let numbers = line.dropFirst("token ".count).split(separator: "-").compactMap { Int($0) }
        guard line.hasPrefix("token "), numbers.count == 2 else { return }
        state.withLock { state in
            if numbers[0] > state.family { (state.family, state.newest) = (numbers[0], 0) }
            if numbers[0] == state.family { state.newest = max(state.newest, numbers[1]) }
        }
    }
}
