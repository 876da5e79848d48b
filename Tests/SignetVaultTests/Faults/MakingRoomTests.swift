// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        "A log that only reserves room does not keep a vault from being read alone",
        arguments: [0, 3])
    func readAlone(writes: Int) throws {
        let keyFile = folder.file("key")
        try FileVault.create(at: folder.file(), with: KeyFileUnlock.create(at: keyFile)).close()
        let worker = try Worker(["reserve", folder.file(), keyFile, "\(writes)"])
        #expect(worker.remainingLines() == ["reserved"])
        #expect(VaultPlace.logByteCount(ofFileAt: folder.file()) > 50_000)
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
        let writer = try FileVault.open(at: folder.file(), options: .patient)
        try writer.unlock(with: KeyFileUnlock(path: keyFile))
        try writer.keep("a")
        #expect(throws: StoreError(.unavailable, "")) { try vault.allItems() }
    }
}
