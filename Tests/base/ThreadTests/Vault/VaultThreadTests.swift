// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("A vault on several threads")
struct VaultThreadTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("Threads that use two objects of a vault lose no write")
    func threadsOfTwoObjectsLoseNothing() throws {
        let vaults = [try folder.vault(), try folder.another()]
        let failures = failuresOnThreads(rounds: 25) { thread, round in
            let vault = vaults[thread % 2]
            let key = ItemKey("\(thread)-\(round)")
            try vault.set(SecretValue("\(thread) \(round)"), for: key, details: nil)
            guard
                try vaults[(thread + 1) % 2].entry(key, level: .strict)?.value.text
                    == "\(thread) \(round)",
                try vault.entry(ItemKey("\(thread)+\(round)")) == nil
            else { return false }
            return round % 3 != 0 ? true : try vault.remove(key)
        }
        #expect(failures == 0)
        let report = try vaults[0].verify()
        #expect(report.findings.isEmpty)
        #expect(report.itemCount == 8 * 16)
        #expect(report.generation == 1 + 8 * 25 + 8 * 9)
    }

    @Test("A counter raised by compare-and-swap on eight threads misses no step")
    func compareAndSwapCountsEveryStep() throws {
        let vaults = [try folder.vault(), try folder.another()]
        let key = ItemKey("counter")
        try vaults[0].set(SecretValue("0"), for: key, details: nil)
        let failures = failuresOnThreads(rounds: 10) { thread, _ in
            let vault = vaults[thread % 2]
            while true {
                guard let entry = try vault.entry(key), let count = Int(entry.value.text) else {
                    return false
                }
                do {
                    try vault.replace(
                        SecretValue("\(count + 1)"), for: key, details: nil,
                        ifRevision: entry.item.revision)
                    return true
                } catch let error as StoreError where error == StoreError(.conflict, "") {
                    continue
                }
            }
        }
        #expect(failures == 0)
        #expect(try vaults[1].entry(key)?.value.text == "80")
    }

    @Test("Locking, slots and rotation during reads and writes give no wrong answer")
    func lockingAndSlotsWorkDuringReadsAndWrites() throws {
        let vault = try folder.vault()
        let other = try folder.another()
        let key = ItemKey("a")
        try vault.set(SecretValue("v"), for: key, details: nil)
        let failures = failuresOnThreads(rounds: 20, threads: 4) { thread, round in
            switch thread {
            case 0:
                try vault.lock()
                try vault.unlock(with: VaultFolder.key(1))
            case 1:
                let slot = try other.addSlot(VaultFolder.key(UInt8(round + 50)))
                try other.removeSlot(id: slot)
            case 2: if round % 10 == 0 { try other.rotateDataKey() }
            default:
                do {
                    try vault.set(SecretValue("v"), for: key, details: nil)
                    return try vault.entry(key, level: .strict)?.value.text == "v"
                } catch let error as StoreError where error == StoreError(.locked, "") {
                    return true
                }
            }
            return true
        }
        #expect(failures == 0)
        #expect(try other.verify().isClean)
    }
}
