// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetSession
import SignetVault
import TestSupport

/// What processes share: a vault with its key, a clock, a server.
final class SessionFolder {
    let path: String
    let clock: SharedClock
    let server: StubServer
    private let vault: FileVault
    private let manager: SessionManager

    init(_ kind: StubServer.Kind) throws {
        // In memory where there is such a place: thousands of rounds wait for no disk.
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/signet-session-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        clock = SharedClock(folder: path)
        server = StubServer(kind, folder: path, clock: clock)
        vault = try FileVault.create(
            at: path + "/vault", with: KeyFileUnlock.create(at: path + "/key"), options: .patient)
        var options = SessionOptions()
        options.refreshesAhead = false
        manager = try SessionManager(
            store: vault, service: "api.example", backend: server, options: options,
            clock: clock.source)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A person signs in.
    func adopt() async throws { try await manager.adopt(server.signIn()) }
}
