// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetSessionTesting
import SignetVault
import TestSupport
import Testing

/// No gates here: a vault in a file, and tasks of several priorities.
@Suite(
    "Attack: concurrent sign-ins and sign-outs over a real vault", .serialized,
    .timeLimit(.minutes(20)))
struct AttackVaultTests {
    @Test(
        "E1 memory and vault agree", .tags(.sampled, .sessionKills),
        arguments: [0, 1, 2])
    func race(_ kind: Int) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/attack-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: path) }
        let vault = try FileVault.create(
            at: path + "/vault", with: KeyFileUnlock.create(at: path + "/key"))
        let fixture = ManagerFixture(vault)
        var wrong = 0
        var shown = ""
        let noise = (0..<4).map { _ in
            Task(priority: .medium) { while !Task.isCancelled { await Task.yield() } }
        }
        for round in 0..<Effort.rounds(150) {
            let manager = try fixture.manager()
            try await manager.adopt(fixture.server.signIn("user-1"))
            let grant = try fixture.server.signIn("user-2")
            let other = try fixture.server.signIn("user-3")
            if kind == 2 { fixture.clock.advance(by: .seconds(3400)) }
            let low = Task(priority: .background) {
                if kind == 2 { _ = await manager.outcome() } else { try await manager.adopt(grant) }
            }
            let high = Task(priority: .high) {
                try? await Task.sleep(for: .microseconds(Int.random(in: 0...3000)))
                if kind == 0 { await manager.signOut() } else { try await manager.adopt(other) }
            }
            _ = await low.result
            _ = await high.result
            try await Task.sleep(for: .milliseconds(20))
            let (mine, stored) = (await manager.outcome(), await (try fixture.manager()).outcome())
            if mine != stored {
                wrong += 1
                shown = "round \(round): in hand \(mine), in the vault \(stored)"
            }
        }
        for task in noise { task.cancel() }
        #expect(wrong == 0, "\(wrong) of 150; \(shown)")
    }
}
