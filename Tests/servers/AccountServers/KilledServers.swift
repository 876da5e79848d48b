// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SessionServer
import SignetBase
import TestPrograms
import TestSupport

/// Servers on one database that are killed at random moments and restarted, and what they reported.
package final class KilledServers: Sendable {
    package struct Told: Sendable {
        package var kills = 0
        package var rotations: [(client: Int, token: String, next: String)] = []
        /// The tokens of sessions that were begun, by their names.
        package var begun: [String: String] = [:]
        package var ending: Set<String> = []
        package var ended: Set<String> = []
        /// How often a code was right.
        package var used: [String: Int] = [:]
        package var unused = 0
        /// How often a limit admitted a caller, by subject, and how often it did not.
        package var taken: [String: Int] = [:]
        package var limited = 0
        /// How often a client was told to retry.
        package var later = 0
        /// How many have opened the database.
        package var ready = 0
        package var errors: [String] = []

        /// Exchanges of tokens and tries of codes.
        package var exchanges: Int {
            rotations.count + unused + used.values.reduce(0, +)
        }
    }

    private let place: AccountPlace
    private let folder: String
    private let clients: Int
    private let state = Locked(Told())
    private let isOver = Locked(false)
    private let ends = DispatchGroup()

    package init(_ place: AccountPlace, folder: String, clients: Int) {
        self.place = place
        self.folder = folder
        self.clients = clients
    }

    /// Runs so many at a time until so many were killed, and have said enough.
    ///
    /// - Parameters:
    ///   - ready: how often the database is to be opened.
    ///   - hazard: is called again and again meanwhile, with how much of that is done: 0 to 1.
    package func play(
        servers: Int, kills: Int, exchanges: Int, ready: Int = 0,
        hazard: @Sendable (Double) async throws -> Void = { _ in }
    ) async throws -> Told {
        for _ in 0..<servers {
            ends.enter()
            Thread { [self] in
                while !isOver.withLock({ $0 }) { live() }
                ends.leave()
            }.start()
        }
        var problem: (any Error)?
        while problem == nil {
            let (done, isDone) = state.withLock { told in
                (
                    min(Double(told.exchanges) / Double(max(exchanges, 1)), 1),
                    told.kills >= kills && told.exchanges >= exchanges && told.ready >= ready
                        || !told.errors.isEmpty
                )
            }
            if isDone { break }
            do { try await hazard(done) } catch { problem = error }
            try await Task.sleep(for: .milliseconds(5))
        }
        isOver.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            ends.notify(queue: .global()) { continuation.resume() }
        }
        if let problem { throw problem }
        return state.withLock { $0 }
    }

    /// One process, from its start to its end.
    private func live() {
        guard
            let process = try? PipedProgram(
                BuiltProgram.path("account-worker"), [place.text, folder, "\(clients)"],
                environment: ProcessInfo.processInfo.environment)
        else { return }
        // Most are killed at work, some at their start.
        let isReady = DispatchSemaphore(value: 0)
        if Int.random(in: 0..<4) == 0 { isReady.signal() }
        let killer = DispatchGroup()
        killer.enter()
        Thread { [self] in
            // Or all is over: one may never be ready, without a database.
            while isReady.wait(timeout: .now() + .milliseconds(100)) == .timedOut,
                !isOver.withLock({ $0 })
            {}
            usleep(UInt32.random(in: 20_000...400_000))
            process.signal(SIGKILL)
            state.withLock { $0.kills += 1 }
            killer.leave()
        }.start()
        var pending = [UInt8]()
        process.read { part in
            pending += part
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                hear(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
            isReady.signal()
        }
        isReady.signal()
        killer.wait()
        process.wait()
    }

    private func hear(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        state.withLock { told in
            switch words.first {
            case "rotated" where words.count == 4:
                told.rotations.append((Int(words[1]) ?? -1, words[2], words[3]))
            case "begun" where words.count == 3: told.begun[words[1]] = words[2]
            case "ending" where words.count == 2: told.ending.insert(words[1])
            case "ended" where words.count == 2: told.ended.insert(words[1])
            case "used" where words.count == 3: told.used[words[1], default: 0] += 1
            case "unused" where words.count == 2: told.unused += 1
            case "taken" where words.count == 2: told.taken[words[1], default: 0] += 1
            case "limited" where words.count == 2: told.limited += 1
            case "later" where words.count == 2: told.later += 1
            case "ready" where words.count == 1: told.ready += 1
            case "sent": break
            default: told.errors.append(line)
            }
        }
    }
}
