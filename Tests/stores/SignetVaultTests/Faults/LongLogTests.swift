// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SignetVault
import Synchronization
import TestSupport
import Testing

/// A writer that never pauses (review V6).
@Suite("The log of a busy writer") struct LongLogTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func logByteCount() -> Int {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: folder.file("vault") + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// Writes items in transactions of at most 4 MB of log.
    ///
    /// - Returns: the longest log after a transaction, and how often it became shorter.
    private func lengths(
        writing count: Int, to vault: FileVault
    ) throws -> (longest: Int, checkpoints: Int) {
        var (longest, last, checkpoints) = (0, 0, 0)
        for first in stride(from: 0, to: count, by: 250) {
            try vault.put(
                (first..<min(first + 250, count)).map { number in
                    NewItem(key: ItemKey("\(number)"), value: SecretValue("\(number)"))
                })
            let length = logByteCount()
            if length < last { checkpoints += 1 }
            (longest, last) = (max(longest, length), length)
        }
        return (longest, checkpoints)
    }

    @Test(
        "While one process writes a million items, the log has at most 16 MB",
        .tags(.faultPoints, .sampled))
    func million() throws {
        let vault = try folder.vault()
        let count = Effort.isFull ? 1_000_000 : 25_000
        #expect(try lengths(writing: count, to: vault).longest <= 16_000_000)
        #expect(try vault.verify().isClean)
    }

    // How long it becomes depends on the machine: where that is busy, a short read takes longer than
    // the writer waits.
    @Test(
        "Short reads, one after the other, do not keep the log from being checkpointed",
        .tags(.killRounds))
    func besideReaders() throws {
        let vault = try folder.vault()
        let reader = try folder.another()
        let isOver = Atomic(false)
        let checkpoints = Mutex(0)
        let errors = Mutex<[any Error]>([])
        // Threads, not tasks: they block.
        DispatchQueue.concurrentPerform(iterations: 3) { number in
            do {
                guard number == 0 else {
                    while !isOver.load(ordering: .relaxed) {
                        try reader.read { _ in _ = usleep(50_000) }
                    }
                    return
                }
                defer { isOver.store(true, ordering: .relaxed) }
                let count = try lengths(writing: 20_000, to: vault).checkpoints
                checkpoints.withLock { $0 = count }
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        #expect(errors.withLock { $0.isEmpty })
        #expect(checkpoints.withLock { $0 } > 0)
    }
}
