// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetBase
import SignetSession
import TestSupport
import Testing

/// Records of an old local user, in files: the old id, and a record of its owner.
private struct OldRecords {
    let folder: String
    /// The step at which the process is killed.
    var deadly: String?

    func migration(_ store: any SecureStore) -> LegacyMigration {
        let (folder, deadly) = (folder, deadly)
        @Sendable func die(_ step: String) { if deadly == step { kill(getpid(), SIGKILL) } }
        return LegacyMigration(store: store, service: "api.example") {
            try? String(contentsOfFile: folder + "/old-id", encoding: .utf8)
        } move: { migration in
            die("claimed")
            try Data(migration.to.text.utf8).write(
                to: URL(fileURLWithPath: folder + "/owner"), options: .atomic)
            die("moved")
        } forget: {
            die("before forgetting")
            try? FileManager.default.removeItem(atPath: folder + "/old-id")
            die("forgotten")
        }
    }

    var owner: String? { try? String(contentsOfFile: folder + "/owner", encoding: .utf8) }
    var hasOldID: Bool { FileManager.default.fileExists(atPath: folder + "/old-id") }

    func vault() throws -> FileVault {
        if !FileManager.default.fileExists(atPath: folder + "/vault") {
            return try FileVault.create(
                at: folder + "/vault", with: KeyFileUnlock.create(at: folder + "/key"))
        }
        let vault = try FileVault.open(at: folder + "/vault")
        try vault.unlock(with: KeyFileUnlock(path: folder + "/key"))
        return vault
    }

    /// Launches, signs this user in if there is no session, and waits until the user is shown.
    func play(_ user: String) async throws -> AuthFlowDriver {
        let vault = try vault()
        let fixture = DriverFixture(ManagerFixture(vault))
        let driver = try fixture.driver(legacy: migration(vault))
        await driver.ask(.launch)
        try await until { !driver.current.isBusy }
        if driver.current.state == .guest {
            await driver.ask(.signIn(AuthFlow.Provider(rawValue: user)))
        }
        try await until { driver.current.user != nil || driver.current.failure != nil }
        return driver
    }
}

/// A process that dies at any point while old records are moved.
@Suite("The migration of an old local user")
struct MigrationTests {
    @Test(
        "After a kill at any step the next launch finishes the migration first",
        arguments: ["claimed", "moved", "before forgetting", "forgotten"])
    func killed(_ step: String) async throws {
        let folder = try PrivateFolder()
        try Data("local-7".utf8).write(to: URL(fileURLWithPath: folder.path + "/old-id"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, step = step as String] in
            _ = try await OldRecords(folder: path, deadly: step).play("user-1")
        }
        let records = OldRecords(folder: folder.path)
        let driver = try await records.play("user-1")
        #expect(driver.current.userID == AuthFlow.UserID("user-1"))
        #expect(records.owner == "user-1" && !records.hasOldID)
    }

    @Test("Records that one account has started to claim are not another's")
    func claimed() async throws {
        let folder = try PrivateFolder()
        try Data("local-7".utf8).write(to: URL(fileURLWithPath: folder.path + "/old-id"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            _ = try await OldRecords(folder: path, deadly: "moved").play("user-1")
        }
        let records = OldRecords(folder: folder.path)
        let vault = try records.vault()
        _ = try await vault.clear(service: "nothing")
        try await vault.remove(ManagerFixture.item)
        vault.close()
        let driver = try await records.play("user-2")
        #expect(driver.current.userID == AuthFlow.UserID("user-2"))
        #expect(records.owner == "user-1" && records.hasOldID)
    }

    @Test(
        "A missing, empty or equal old id needs no migration",
        arguments: [nil, "", "user-1"] as [String?])
    func nothingToMove(_ old: String?) async throws {
        let folder = try PrivateFolder()
        if let old {
            try Data(old.utf8).write(to: URL(fileURLWithPath: folder.path + "/old-id"))
        }
        let records = OldRecords(folder: folder.path, deadly: "claimed")
        let driver = try await records.play("user-1")
        #expect(driver.current.user != nil && records.owner == nil)
    }
}
