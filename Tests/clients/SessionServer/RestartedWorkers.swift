// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
internal import SignetBase
internal import TestPrograms

/// Workers that are killed at random moments and restarted, and what they report.
package final class RestartedWorkers: Sendable {
    private struct State {
        var family = 0
        var newest = 0
        var isOver = false
        var kills = 0
        /// Which process has said which token.
        var said: Set<String> = []
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

    /// The tokens that the server gave to workers that died before reporting them.
    package func torn(at server: StubServer) -> Int {
        server.answers().subtracting(state.withLock { $0.said }).count
    }

    /// Waits until a worker has a token of this number; false when the server has ended the family.
    package func wait(
        for number: Int, of family: Int, at server: StubServer, meanwhile: () throws -> Void
    ) async throws -> Bool {
        for look in 1... {
            let newest = state.withLock { $0.family == family ? $0.newest : 0 }
            if newest >= number { return true }
            if look.isMultiple(of: 50) {
                if try server.record().family != family { return false }
                try meanwhile()
            }
            try await Task.sleep(for: .microseconds(300))
        }
        return false
    }

    /// How many were killed.
    package func end() async -> Int {
        state.withLock { $0.isOver = true }
        await withCheckedContinuation { continuation in
            ends.notify(queue: .global()) { continuation.resume() }
        }
        return state.withLock { $0.kills }
    }

    /// One process, from its start to its end.
    private func live() {
        guard
            let process = try? PipedProgram(program, arguments, environment: environment)
        else { return }
        let killer = DispatchGroup()
        killer.enter()
        Thread { [self] in
            usleep(UInt32.random(in: 20_000...400_000))
            process.signal(SIGKILL)
            state.withLock { $0.kills += 1 }
            killer.leave()
        }.start()
        var pending = [UInt8]()
        process.read { part in
            pending += part
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                hear(String(decoding: pending[..<end], as: UTF8.self), from: process)
                pending.removeSubrange(...end)
            }
        }
        killer.wait()
        process.wait()
    }

    /// `token FAMILY-NUMBER`, or what a worker without a session says.
    private func hear(_ line: String, from process: PipedProgram) {
        let numbers = line.dropFirst("token ".count).split(separator: "-").compactMap { Int($0) }
        guard line.hasPrefix("token "), numbers.count == 2 else { return }
        state.withLock { state in
            state.said.insert("\(process.identifier) \(numbers[0])-\(numbers[1])")
            if numbers[0] > state.family { (state.family, state.newest) = (numbers[0], 0) }
            if numbers[0] == state.family { state.newest = max(state.newest, numbers[1]) }
        }
    }
}
