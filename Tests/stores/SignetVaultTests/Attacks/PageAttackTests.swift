// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import SignetVaultTesting
import TestSupport
import Testing

/// Damaged pages, random but repeatable: no level may crash, hang, or give a wrong answer.
@Suite("Damaged pages")
struct PageAttackTests {
    @Test(
        "Damaged pages give the right answer or an error",
        .timeLimit(.minutes(20)), arguments: 0..<4)
    func damagedPagesGiveNoFalseAnswer(seed: UInt64) throws {
        let folder = try VaultFolder()
        let keys = (0..<60).map { ItemKey("\($0)") }
        let vault = try folder.vault()
        try vault.put(keys.map { NewItem(key: $0, value: SecretValue($0.account)) })
        // Older rows, which stay in the pages' free space unless SQLite wipes it.
        try vault.put(
            keys.prefix(20).map { NewItem(key: $0, value: SecretValue("new" + $0.account)) })
        vault.close()
        let original = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let values = Dictionary(
            uniqueKeysWithValues: keys.enumerated().map {
                ($1, $0 < 20 ? "new" + $1.account : $1.account)
            })
        var random = Sequence(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var answers = 0
        for round in 0..<60 {
            var file = original
            for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&file, &random) }
            let name = "damaged-\(round)"
            #expect(
                FileManager.default.createFile(
                    atPath: folder.file(name), contents: file,
                    attributes: [.posixPermissions: 0o600]))
            answers += look(folder, name, keys, values)
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: folder.file(name) + suffix)
            }
        }
        // Otherwise nothing was tested.
        #expect(answers > 0)
    }

    /// Asks at every level. Every answer must be right; errors are fine.
    private func look(
        _ folder: VaultFolder, _ name: String, _ keys: [ItemKey], _ values: [ItemKey: String]
    )
        -> Int
    {
        var answers = 0
        guard let vault = try? folder.another(name, VaultOptions(level: .strict)) else { return 0 }
        defer { vault.close() }
        for key in keys.shuffled().prefix(12) {
            for level in [ReadLevel.strict] {
                do throws(StoreError) {
                    let entry = try vault.entry(key, level: level)
                    #expect(entry?.value.text == values[key], "\(name) \(level) \(key)")
                    answers += 1
                } catch {}
            }
        }
        do throws(StoreError) {
            let absent = try vault.entry(ItemKey("absent"))
            #expect(absent == nil)
            let list = try vault.list(service: "example.com")
            #expect(list.count == keys.count, "\(name)")
            let all = try vault.allItems()
            #expect(all.count == keys.count, "\(name)")
            answers += 1
        } catch {}
        // A write that succeeds must be there, and must not hide the damage from others.
        do throws(StoreError) {
            try vault.set(SecretValue("written"), for: keys[30], details: nil)
            let entry = try vault.entry(keys[30], level: .strict)
            #expect(entry?.value.text == "written", "\(name)")
        } catch {}
        do throws(StoreError) {
            try vault.rotateDataKey()
            let report = try vault.verify()
            if report.isClean { #expect(report.itemCount == keys.count, "\(name)") }
        } catch {}
        return answers
    }

    private func damage(_ file: inout Data, _ random: inout Sequence) {
        let pages = file.count / 4096
        let page = Int.random(in: 1..<pages, using: &random)
        let start = page * 4096
        let other = Int.random(in: 1..<pages, using: &random) * 4096
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            // A bit in the page's header or its list of cells.
            let place = start + Int.random(in: 0..<40, using: &random)
            file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1:
            // Two cells change places.
            let count = Int(file[start + 3]) << 8 | Int(file[start + 4])
            guard (2...500).contains(count), file[start] != 0 else { return }
            let header = file[start] <= 5 ? 12 : 8
            let a = start + header + 2 * Int.random(in: 0..<count, using: &random)
            let b = start + header + 2 * Int.random(in: 0..<count, using: &random)
            for offset in 0..<2 { file.swapAt(a + offset, b + offset) }
        case 2:
            // One page in place of another.
            file.replaceSubrange(start..<start + 4096, with: Data(file[other..<other + 4096]))
        case 3:
            // Two pages change places.
            let kept = Data(file[start..<start + 4096])
            file.replaceSubrange(start..<start + 4096, with: Data(file[other..<other + 4096]))
            file.replaceSubrange(other..<other + 4096, with: kept)
        default:
            let place = start + Int.random(in: 0..<4096, using: &random)
            file[place] = UInt8.random(in: .min ... .max, using: &random)
        }
    }

    /// splitmix64: the same numbers every time.
    private struct Sequence: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}

@Suite("Unusual options and callbacks of a program")
struct CallerAttackTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private static let hugeTimes = [Int.max, Int.max - 1, Int.max / 1000, 1]

    @Test("A vault accepts time limits up to the largest integer", arguments: hugeTimes)
    func hugeTimesAreTimes(seconds: Int) throws {
        var options = VaultOptions()
        options.autoLockSeconds = seconds
        options.busyTimeoutMilliseconds = seconds
        let vault = try folder.vault("vault", options)
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        #expect(try vault.item(ItemKey("a")) != nil)
    }

    @Test("A store in memory accepts time limits up to the largest integer", arguments: hugeTimes)
    func hugeTimesAreTimesInMemory(seconds: Int) async throws {
        let store = InMemoryStore(autoLockSeconds: seconds)
        _ = try await store.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        #expect(try await store.item(ItemKey("a")) != nil)
    }

    @Test(
        "A time limit of zero or less locks at once, and does not crash",
        arguments: [0, -1, Int.min])
    func noTimeIsNoCrash(seconds: Int) throws {
        var options = VaultOptions()
        options.autoLockSeconds = seconds
        options.busyTimeoutMilliseconds = seconds
        let vault = try folder.vault("vault", options)
        #expect(throws: StoreError(.locked, "")) { try vault.allItems() }
        _ = InMemoryStore(autoLockSeconds: seconds)
    }

    @Test("Callbacks may use the vault that calls them", .timeLimit(.minutes(20)))
    func callbacksMayUseTheVault() async throws {
        let vault = try folder.vault()
        let key = ItemKey("a")
        try await vault.put(
            (0..<300).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("v")) })
        try vault.rotateDataKey { _, _ in
            _ = try? vault.set(SecretValue("from progress"), for: key, details: nil)
        }
        #expect(try await vault.entry(key)?.value.text == "from progress")
        let report = try vault.verify { _, _ in
            _ = try? vault.set(SecretValue("from verify"), for: key, details: nil)
        }
        #expect(report.isClean)
        _ = try await vault.update(key) { _ in
            _ = try await vault.allItems()
            try await vault.set(SecretValue("inner"), for: ItemKey("b"), details: nil)
            return SecretValue("outer")
        }
        #expect(try await vault.entry(key)?.value.text == "outer")
        #expect(try await vault.entry(ItemKey("b"))?.value.text == "inner")
        #expect(throws: StoreError(.locked, "")) {
            try vault.rotateDataKey { _, _ in vault.close() }
        }
    }
}
