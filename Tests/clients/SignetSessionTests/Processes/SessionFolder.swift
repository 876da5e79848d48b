// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetSession
import SignetVault
import TestSupport

/// What processes share: a vault with its key, a clock, a server.
final class SessionFolder {
    var path: String { folder.path }
    let clock: SharedClock
    let server: StubServer
    let vault: FileVault
    private let kind: StubServer.Kind
    private let folder: PrivateFolder
    private let manager: SessionManager

    init(_ kind: StubServer.Kind) throws {
        self.kind = kind
        folder = try PrivateFolder()
        clock = SharedClock(folder: folder.path)
        server = StubServer(kind, folder: folder.path, clock: clock)
        vault = try FileVault.create(
            at: folder.path + "/vault", with: KeyFileUnlock.create(at: folder.path + "/key"),
            options: .longWaiting)
        manager = try Self.manager(over: vault, server, clock)
    }

    /// Another client of the same session, in this process.
    func client(waitingFor time: Duration) throws -> SessionManager {
        let vault = try FileVault.open(at: path + "/vault", options: .longWaiting)
        try vault.unlock(with: KeyFileUnlock(path: path + "/key"))
        return try Self.manager(over: vault, server, clock, waitingFor: time)
    }

    /// Programs that are to be started.
    func workers() -> RestartedWorkers {
        RestartedWorkers(
            BuiltProgram.path("session-worker"), [kind.rawValue, path],
            environment: ["XDG_STATE_HOME": path + "/state"])
    }

    private static func manager(
        over vault: FileVault, _ server: StubServer, _ clock: SharedClock,
        waitingFor time: Duration = .seconds(600)
    ) throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        options.requestTimeout = time
        return try SessionManager(
            store: vault, service: "api.example", backend: server, options: options,
            clock: clock.source)
    }

    /// A person signs in.
    func adopt() async throws { try await manager.adopt(server.signIn()) }
}
