// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SQLiteBridge
import SignetPlatform
import SignetVault
import TestPrograms
import TestSupport
import Testing

@Suite("A vault that is of no use is set aside whole") struct SettingAsideTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private static var options: VaultOptions {
        var options = VaultOptions()
        // 2026-07-25, a second before midnight in UTC.
        options.clock = .fixed(secondsSince1970: 1_785_023_999)
        options.busyTimeoutMilliseconds = 50
        return options
    }

    private func setAside(_ name: String = "vault") throws -> String {
        let path = try FileVault.setAside(at: folder.file(name), options: Self.options)
        return String(path.split(separator: "/").last ?? "")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("A vault moves with its log, and opens under its new name with all that was in it")
    func withLog() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "vault")
        #expect(try setAside() == "vault.unreadable-2026-07-25")
        #expect(try !names().contains { $0.hasPrefix("vault-") })
        #expect(try names().contains("vault.unreadable-2026-07-25-wal"))
        try folder.vault().close()
        #expect(try folder.accountsAlone().isEmpty)
        let aside = try folder.another("vault.unreadable-2026-07-25")
        #expect(try aside.allItems().count == 3)
    }

    @Test("Names that are taken are left alone, a log's and a dangling link's among them")
    func takenNames() throws {
        let day = "vault.unreadable-2026-07-25"
        for expected in [day, day + "-2"] {
            try folder.vault().close()
            #expect(try setAside() == expected)
        }
        #expect(FileManager.default.createFile(atPath: folder.file(day + "-3-wal"), contents: nil))
        #expect(unsafe symlink("nowhere", folder.file(day + "-4")) == 0)
        try folder.vault().close()
        #expect(try setAside() == day + "-5")
    }

    @Test(
        "Files that are damaged or no vault at all move too",
        arguments: [
            Data(), Data(repeating: 0x41, count: 9000), Data("SQLite format 3\0".utf8),
        ])
    func damaged(content: Data) throws {
        #expect(
            FileManager.default.createFile(
                atPath: folder.file(), contents: content, attributes: [.posixPermissions: 0o600]))
        #expect(
            FileManager.default.createFile(
                atPath: folder.file("vault-wal"), contents: Data("log".utf8),
                attributes: [.posixPermissions: 0o600]))
        let name = try setAside()
        #expect(try folder.bytes(name) == content)
        #expect(try folder.bytes(name + "-wal") == Data("log".utf8))
        try folder.vault().close()
    }

    @Test("A vault whose first page is overwritten moves with what its log holds")
    func overwritten() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "vault")
        let (log, count) = (try folder.bytes("vault-wal"), try folder.bytes("vault").count)
        try Data(repeating: 7, count: count).write(to: URL(fileURLWithPath: folder.file()))
        let name = try setAside()
        #expect(try folder.bytes(name + "-wal") == log)
    }

    @Test("A log that its vault left behind moves alone, and a new vault can be created")
    func leftover() throws {
        try folder.makeUncheckpointed(["a"], as: "vault")
        try FileManager.default.removeItem(atPath: folder.file())
        #expect(throws: StoreError(.unavailable, "")) { try folder.vault() }
        let name = try setAside()
        #expect(try names().contains(name + "-wal"))
        try folder.vault().close()
    }

    @Test("Nothing there is unavailable; a link, or a file that others may read, is refused")
    func refused() throws {
        #expect(throws: StoreError(.unavailable, "")) { try setAside() }
        try folder.vault().close()
        #expect(unsafe symlink(folder.file(), folder.file("link")) == 0)
        #expect(throws: StoreError(.insecureFile, "")) { try setAside("link") }
        #expect(unsafe chmod(folder.file(), 0o644) == 0)
        #expect(throws: StoreError(.insecureFile, "")) { try setAside() }
        #expect(try names() == ["link", "vault"])
    }

    @Test("A vault that is open, here or elsewhere, is busy and stays")
    func inUse() throws {
        let vault = try folder.vault()
        try vault.keep("a")
        #expect(throws: StoreError(.busy, "")) { try setAside() }
        try vault.keep("b")
        vault.close()
        let keyFile = folder.file("key")
        try FileVault.create(at: folder.file("other"), with: KeyFileUnlock.create(at: keyFile))
            .close()
        let worker = try Worker(["hold", folder.file("other"), keyFile])
        #expect(worker.line() == "in")
        #expect(throws: StoreError(.busy, "")) { try setAside("other") }
        // Not even when its file was overwritten meanwhile, so that SQLite cannot say.
        let file = try #require(FileHandle(forWritingAtPath: folder.file("other")))
        try file.write(contentsOf: Data(repeating: 7, count: 9000))
        try file.close()
        let error = #expect(throws: StoreError(.busy, "")) { try setAside("other") }
        #expect(error?.message.contains("vault-worker") == true)
        worker.kill()
        _ = worker.remainingLines()
        #expect(try setAside("other") == "other.unreadable-2026-07-25")
    }

    /// What a process leaves that is killed after each of the steps.
    @Test(
        "A process killed in the middle leaves the vault with its log, under one name or the other",
        arguments: 1...3)
    func killed(steps: Int) throws {
        try folder.makeUncheckpointed(["a", "b"], as: "vault")
        let aside = folder.file("vault.unreadable-2026-07-25")
        #expect(unsafe link(folder.file("vault-wal"), aside + "-wal") == 0)
        if steps > 1 { #expect(unsafe rename(folder.file(), aside) == 0) }
        if steps > 2 { #expect(unsafe unlink(folder.file("vault-wal")) == 0) }
        if steps == 1 {
            // Nothing had moved yet: it goes on where it is.
            let vault = try folder.another()
            #expect(try vault.allItems().count == 3)
            vault.close()
            #expect(try names() == ["vault"])
        } else {
            try folder.vault().close()
            let old = try folder.another("vault.unreadable-2026-07-25")
            #expect(try old.allItems().count == 3)
        }
    }

    @Test("A log goes with the vault that was set aside, not with a backup put in its place")
    func killedAndRestored() throws {
        try folder.makeUncheckpointed(["a", "b"], as: "vault")
        let backup = try folder.bytes("vault")
        let aside = folder.file("vault.unreadable-2026-07-25")
        #expect(unsafe link(folder.file("vault-wal"), aside + "-wal") == 0)
        #expect(unsafe rename(folder.file(), aside) == 0)
        #expect(
            FileManager.default.createFile(
                atPath: folder.file(), contents: backup, attributes: [.posixPermissions: 0o600]))
        #expect(try folder.another().allItems().count == 1)
        #expect(try folder.another("vault.unreadable-2026-07-25").allItems().count == 3)
    }

    @Test("While one process sets aside, or has reserved room, another is busy")
    func locks() throws {
        try folder.vault().close()
        for kind in [FolderLock.Kind.alone, .shared] {
            let lock = try FolderLock(ofFileAt: folder.file(), held: kind)
            #expect(throws: StoreError(.busy, "")) { try setAside() }
            withExtendedLifetime(lock) {}
        }
        #expect(try setAside() == "vault.unreadable-2026-07-25")
    }

    @Test("A clock beyond every calendar gives a name still")
    func strangeClock() throws {
        for (seconds, name) in [(-1e9, "1970-01-01"), (1e300, "")] {
            try folder.vault().close()
            var options = Self.options
            options.clock = .fixed(secondsSince1970: seconds)
            let path = try FileVault.setAside(at: folder.file(), options: options)
            #expect(path.contains("/vault.unreadable-" + name))
        }
    }
}
