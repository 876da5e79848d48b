// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetSession

/// A session on a full disk: no token is spent, and nothing is lost.
struct FullDisk {
    private struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static let start = 1_780_000_000
    let server: StubServer
    let clock: SharedClock
    let disk: String

    /// - Parameters:
    ///   - folder: where the server and the clock are, which have room.
    ///   - disk: a small one of its own.
    init(folder: String, disk: String) {
        clock = SharedClock(folder: folder)
        server = StubServer(.strict, folder: folder, clock: clock)
        self.disk = disk
    }

    func run() async throws {
        try clock.set(Self.start)
        let method = try KeyFileUnlock.create(at: disk + "/key")
        let first = try FileVault.create(at: disk + "/vault", with: method)
        try await self.manager(over: first).adopt(server.signIn())
        // Its log is checkpointed: what is written next needs room.
        first.close()
        let vault = try FileVault.open(at: disk + "/vault")
        try vault.unlock(with: method)
        let manager = try manager(over: vault)
        await manager.start()

        let filled = try fill()
        try clock.set(Self.start + 400)
        try await check("1-1", "the token that is good still") { try await token(manager) }
        try clock.set(Self.start + 650)
        try await check("unavailable", "no token") { try await token(manager) }
        guard case .signedIn = manager.state else { throw Failure("it is not signed in any more") }
        try await check("0", "no exchange") { "\(try server.record().rotations)" }

        try FileManager.default.removeItem(atPath: disk + "/rest")
        // The pause after the failures is counted in real time.
        while try await token(manager) == "unavailable" {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await check("1-2", "the token of the only exchange") {
            try await token(manager)
        }
        let again = try FileVault.open(at: disk + "/vault")
        try again.unlock(with: method)
        try await check("1-2", "the same on the disk") {
            try await token(try self.manager(over: again))
        }
        let record = try server.record()
        guard record.ended == 0, record.rotations == 1 else { throw Failure("\(record)") }
        print("full disk: \(filled) bytes took all room, 0 sessions lost, 0 tokens spent")
    }

    private func manager(over vault: FileVault) throws -> SessionManager {
        var options = SessionOptions()
        options.refreshesAhead = false
        return try SessionManager(
            store: vault, service: "api.example", backend: server, options: options,
            clock: clock.source)
    }

    private func token(_ manager: SessionManager) async throws -> String {
        do throws(SessionError) {
            return try await manager.accessToken().exposedText
        } catch {
            return error.code.rawValue
        }
    }

    /// Fills the disk to the last byte.
    private func fill() throws -> Int {
        _ = FileManager.default.createFile(atPath: disk + "/rest", contents: nil)
        guard let file = FileHandle(forWritingAtPath: disk + "/rest") else {
            throw Failure("no file on the disk")
        }
        var (count, size) = (0, 65_536)
        while size > 0 {
            do {
                try file.write(contentsOf: Data(count: size))
                count += size
            } catch {
                size /= 2
            }
        }
        try file.close()
        return count
    }

    private func check(
        _ wanted: String, _ what: String, _ body: () async throws -> String
    ) async throws {
        let found = try await body()
        guard found == wanted else { throw Failure("\(what): \(found) and not \(wanted)") }
    }
}
