// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SessionServer
import SignetPlatform
import TestSupport

/// Servers on one database that are killed at random moments and started anew, and what they said.
final class KilledServers: Sendable {
    struct Told {
        var kills = 0
        var rotations: [(client: Int, token: String, next: String)] = []
        /// The tokens of sessions that were begun, by their names.
        var begun: [String: String] = [:]
        var ending: Set<String> = []
        var ended: Set<String> = []
        var errors: [String] = []
    }

    private let folder: String
    private let clients: Int
    private let state = Locked(Told())
    private let isOver = Locked(false)
    private let ends = DispatchGroup()

    init(_ folder: String, clients: Int) {
        self.folder = folder
        self.clients = clients
    }

    /// Runs so many at a time until so many were killed, and have said enough.
    func play(servers: Int, kills: Int, rotations: Int) async throws -> Told {
        for _ in 0..<servers {
            ends.enter()
            Thread { [self] in
                while !isOver.withLock({ $0 }) { live() }
                ends.leave()
            }.start()
        }
        while !state.withLock({
            $0.kills >= kills && $0.rotations.count >= rotations || !$0.errors.isEmpty
        }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        isOver.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            ends.notify(queue: .global()) { continuation.resume() }
        }
        return state.withLock { $0 }
    }

    /// One process, from its start to its end.
    private func live() {
        guard
            let process = try? SpawnedProgram(
                BuiltProgram.path("account-worker"), [folder, "\(clients)"],
                environment: ProcessInfo.processInfo.environment)
        else { return }
        // It is not waited for before it is killed: its number stays its own.
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
                hear(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
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
            case "ready": break
            default: told.errors.append(line)
            }
        }
    }
}
