// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetPlatform
import SignetVault
import TestSupport
import Testing

@Suite("On a full disk") struct MakingRoomTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test(
        "An item is removed and the vault compacted in less room than the item has, and what is missing is enough",
        .enabled(if: RoomTests.canMount, "no file system may be mounted here"))
    func removal() throws {
        let (status, said) = try RoomTests.onDisk(
            [Worker.path, "full", folder.path], disk: folder.path)
        #expect(status == 0 && said.contains("made room"), "\(said)")
        print(said, terminator: "")
    }

    @Test(
        "Without room for temporary files, a long vault is not copied into memory to be compacted",
        .enabled(if: RoomTests.canMount, "no file system may be mounted here"))
    func temporaryFiles() throws {
        let small = folder.file("small")
        try FileManager.default.createDirectory(
            atPath: small, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let (status, said) = try RoomTests.onDisk(
            [Worker.path, "temporaries", small, folder.path], disk: small)
        #expect(
            status == 0 && said.contains("refused: ") && said.contains("compacted in memory"),
            "\(said)")
        print(said, terminator: "")
    }

    @Test(
        "A log that only reserves room does not keep a vault from being read alone",
        arguments: [0, 3])
    func readAlone(writes: Int) throws {
        let keyFile = folder.file("key")
        try FileVault.create(at: folder.file(), with: KeyFileUnlock.create(at: keyFile)).close()
        let worker = try Worker(["reserve", folder.file(), keyFile, "\(writes)"])
        #expect(worker.remainingLines() == ["reserved"])
        #expect(PrivatePlace.logByteCount(ofFileAt: folder.file()) > 50_000)
        var options = VaultOptions()
        options.isReadOnly = true
        // What was written is in the log alone, or may be.
        guard writes == 0 else {
            #expect(throws: StoreError(.unavailable, "")) {
                try FileVault.open(at: folder.file(), options: options)
            }
            return
        }
        let vault = try FileVault.open(at: folder.file(), options: options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        #expect(try vault.allItems().isEmpty && vault.verify().isClean)
        // A write that the log takes is noticed.
        let writer = try FileVault.open(at: folder.file(), options: .longWaiting)
        try writer.unlock(with: KeyFileUnlock(path: keyFile))
        try writer.keep("a")
        #expect(throws: StoreError(.unavailable, "")) { try vault.allItems() }
    }

    @Test("A hostile log of holes counts as empty, however long it is")
    func hostileLog() throws {
        // SQLite stops at a frame of page 0; the holes of a file are such frames.
        var header: [UInt8] = [0x37, 0x7f, 0x06, 0x82, 0x00, 0x2d, 0xe2, 0x18, 0, 0, 0x10, 0]
        header += [UInt8](repeating: 0, count: 1_000_000)
        try Data(header).write(to: URL(fileURLWithPath: folder.file() + "-wal"))
        let content = try #require(PrivatePlace.LogContent(ofFileAt: folder.file()))
        #expect(content.frameCount == 0)
    }

    @Test(
        "A hostile log of the greatest length is no trap for those who reserve room",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "files are shorter here"))
    func longestLog() throws {
        // A file system whose files may be that long.
        let place = "/dev/shm/signet-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: place) }
        let path = place + "/vault"
        try FileVault.create(at: path, with: VaultFolder.key(1)).close()
        let log = unsafe open(path + "-wal", O_RDWR | O_CREAT, 0o600)
        #expect(ftruncate(log, .max) == 0)
        close(log)
        let vaults = try (0..<2).map { _ in try FileVault.open(at: path) }
        for vault in vaults { try vault.unlock(with: VaultFolder.key(1)) }
        try vaults[0].makeRoom(forValueByteCount: 1000)
        // The second reserves after what others may have reserved.
        #expect(throws: StoreError(.unavailable, "")) {
            try vaults[1].makeRoom(forValueByteCount: 1000)
        }
        try vaults[0].keep("a")
        try vaults[1].makeRoom(forValueByteCount: 1000)
        #expect(try vaults[1].allItems().count == 1)
    }
}
