// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestPrograms
import TestSupport
import Testing

/// A backup replaces a vault that has a log.
@Suite("A restore leaves the old vault whole, or the new one") struct RestoreTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("A restored backup replaces the vault and any leftover log")
    func restore() throws {
        let vault = try folder.vault()
        try vault.keep("a")
        try vault.backup(to: folder.file("backup"))
        try vault.keep("b")
        #expect(throws: StoreError(.busy, "")) {
            var options = VaultOptions()
            options.busyTimeoutMilliseconds = 50
            try FileVault.restore(from: folder.file("backup"), to: folder.file(), options: options)
        }
        #expect(try vault.allItems().count == 2)
        vault.close()
        try FileManager.default.copyItem(atPath: folder.file(), toPath: folder.file("origin"))
        try folder.leave(["x", "y"], on: "origin", as: "left")
        for (target, count) in [("vault", 1), ("left", 1), ("new", 1)] {
            try FileVault.restore(from: folder.file("backup"), to: folder.file(target))
            let restored = try folder.another(target)
            #expect(try restored.allItems().map(\.key.account) == ["a"], "\(target)")
            #expect(try restored.allItems().count == count)
            restored.close()
            #expect(try folder.accountsAlone(target) == ["a"], "\(target)")
        }
        try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: folder.file("new")))
        try FileVault.restore(from: folder.file("backup"), to: folder.file("new"))
        #expect(try folder.accountsAlone("new") == ["a"])
        let other = try folder.vault("other")
        try other.keep("o")
        other.close()
        #expect(throws: StoreError(.alreadyExists, "")) {
            try FileVault.restore(from: folder.file("backup"), to: folder.file("other"))
        }
        #expect(try folder.accountsAlone("other") == ["o"])
        #expect(throws: StoreError(.notAVault, "")) {
            try Data(repeating: 65, count: 9000).write(
                to: URL(fileURLWithPath: folder.file("text")))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.file("text"))
            try FileVault.restore(from: folder.file("text"), to: folder.file())
        }
        #expect(try folder.accountsAlone() == ["a"])
    }

    /// `left`, with 30 items more in its log than the file has, and `backup` with one item.
    private func makeLeft() throws {
        let vault = try folder.vault()
        try vault.keep("a")
        try vault.backup(to: folder.file("backup"))
        vault.close()
        try folder.leave((0..<30).map { "\($0)" }, on: "vault", as: "left")
    }

    @Test(
        "A restore that is killed or loses power leaves the old vault or the new one",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases)
    func killed(cut: FaultWorld.Cut) throws {
        try makeLeft()
        let (file, log) = (try folder.bytes("left"), try folder.bytes("left-wal"))
        func restore(_ name: String, _ world: FaultWorld) throws {
            var options = VaultOptions.longWaiting
            options.fileSystemName = world.name
            try FileVault.restore(
                from: folder.file("backup"), to: folder.file(name), options: options)
        }
        folder.put(file, log, as: "count")
        let world = try FaultWorld()
        try restore("count", world)
        let count = world.count()
        #expect(count > 10)
        for n in Effort.cases(Array(1...count), oneOf: 4) {
            folder.put(file, log, as: "round-\(n)")
            let world = try FaultWorld()
            world.armCut(cut, at: n, seed: UInt64(n))
            _ = try? restore("round-\(n)", world)
            let vault = try folder.another("round-\(n)")
            #expect([1, 31].contains(try vault.allItems().count), "\(cut) \(n)")
            #expect(try vault.verify().isClean, "\(cut) \(n)")
            vault.close()
        }
    }

    /// Whether this process may mount: root, where namespaces are allowed.
    private static let mounts =
        (try? ChildProgram.run("/usr/bin/env", ["unshare", "-m", "true"]))?.status == 0

    @Test(
        "A restore that ends before its last step keeps all that the old vault acknowledged",
        .enabled(if: mounts, "mounting is not allowed here"))
    func endedBeforeTheName() throws {
        try makeLeft()
        // No file takes the name of one that is a mount point: the step after the log's is refused.
        let said = try ChildProgram.run(
            "/usr/bin/env",
            [
                "unshare", "-m", "bash", "-c",
                "mount --bind \"$2\" \"$2\" && \"$0\" restore \"$1\" \"$2\"",
                Worker.path, folder.file("backup"), folder.file("left"),
            ]
        ).text
        #expect(said.hasPrefix("error unavailable"), "\(said)")
        #expect(try folder.accountsAlone("left").count == 31)
        let vault = try folder.another("left")
        #expect(try vault.allItems().count == 31)
    }
}
