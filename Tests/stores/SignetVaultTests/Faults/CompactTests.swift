// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

/// A file frees the space of removed items (review S7). Killed writers: `CrashTests`.
@Suite("Compacting a vault") struct CompactTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func byteCount(_ name: String = "vault") throws -> Int {
        try folder.bytes(name).count
    }

    /// A vault with two items and much free space from removed ones.
    private func makeLoose(_ name: String = "vault", byteCount: Int = 1_000_000) throws -> FileVault
    {
        let vault = try folder.vault(name)
        try vault.keep("a", "b")
        for number in 0..<3 {
            let value = SecretValue(String(repeating: "v", count: byteCount))
            try vault.set(value, for: ItemKey("large \(number)"), details: nil)
        }
        for number in 0..<3 { #expect(try vault.remove(ItemKey("large \(number)"))) }
        vault.close()
        return try folder.another(name)
    }

    @Test("The file shrinks and keeps its content")
    func shrinks() throws {
        let vault = try makeLoose()
        let other = try folder.another()
        let (before, generation) = (try byteCount(), try vault.verify().generation)
        #expect(before > 3_000_000)
        let freed = try vault.compact()
        #expect(freed == Int64(before - (try byteCount())))
        #expect(try byteCount() < 100_000)
        #expect(try vault.verify().generation == generation)
        for each in [vault, other] {
            #expect(try each.allItems().count == 2)
            #expect(try each.entry(ItemKey("a"))?.value.text == "a")
            #expect(try each.verify().isClean)
        }
        try other.keep("c")
        try vault.keep("d")
        #expect(try vault.allItems().count == 4)
        #expect(try vault.compact() == 0)
        vault.close()
        other.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vault"])
        #expect(try folder.accountsAlone() == ["a", "b", "c", "d"])
    }

    @Test("Compacting is refused while locked or damaged, and changes nothing")
    func refused() throws {
        let vault = try makeLoose(byteCount: 10_000)
        try vault.lock()
        #expect(throws: StoreError(.locked, "")) { try vault.compact() }
        vault.close()
        try folder.tamper("vault", "UPDATE val SET b = zeroblob(length(b)) WHERE v = 1")
        let before = try folder.bytes("vault")
        let damaged = try folder.another()
        #expect(throws: StoreError(.corrupt, "")) { try damaged.compact() }
        damaged.close()
        #expect(try folder.bytes("vault") == before)
    }

    @Test(
        "A compact that is killed or loses power leaves the vault as it was, or compacted",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases)
    func killed(cut: FaultWorld.Cut) throws {
        try makeLoose("origin", byteCount: 60_000).close()
        let file = try folder.bytes("origin")
        func compact(_ name: String, _ world: FaultWorld, at n: Int) throws {
            var options = VaultOptions.longWaiting
            options.fileSystemName = world.name
            let vault = try folder.another(name, options)
            if n > 0 { world.armCut(cut, at: n, seed: UInt64(n)) } else { world.reset() }
            defer { vault.close() }
            try vault.compact()
        }
        folder.put(file, Data(), as: "count")
        let world = try FaultWorld()
        try compact("count", world, at: 0)
        let count = world.count()
        #expect(count > 20)
        #expect(try byteCount("count") < file.count / 2)
        for n in Effort.cases(Array(1...count), oneOf: 8) {
            folder.put(file, Data(), as: "round-\(n)")
            let world = try FaultWorld()
            _ = try? compact("round-\(n)", world, at: n)
            let vault = try folder.another("round-\(n)")
            #expect(try vault.allItems().count == 2, "\(cut) \(n)")
            try vault.keep("c")
            vault.close()
            #expect(try folder.accountsAlone("round-\(n)") == ["a", "b", "c"], "\(cut) \(n)")
        }
    }
}
