// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// A writer keeps what it has proved from one transaction to the next. Whatever happens in between,
/// what it keeps can be read.
@Suite("What a writer has proved before") struct KeptProofTests {
    let folder: VaultFolder
    private let corrupt = StoreError(.corrupt, "")

    init() throws { folder = try VaultFolder() }

    /// Keys whose items are in one bucket, at least three.
    private func neighbours(in vault: FileVault) throws -> [ItemKey] {
        var keys: [String: [ItemKey]] = [:]
        for number in 0..<4000 {
            let key = ItemKey("\(number)")
            try vault.set(SecretValue("old"), for: key)
            let id = try #require(
                try folder.text("SELECT hex(id) FROM item WHERE gen=(SELECT max(gen) FROM item)"))
            let bucket = String(id.prefix(3))
            keys[bucket, default: []].append(key)
            if keys[bucket]?.count == 3 { return keys[bucket] ?? [] }
        }
        return []
    }

    private struct Stop: Error {}

    /// What may happen to a vault between two writes of another object.
    struct Event: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (FileVault, FileVault) throws -> Void

        init(
            _ name: String, _ run: @escaping @Sendable (FileVault, FileVault) throws -> Void
        ) {
            (testDescription, self.run) = (name, run)
        }
    }

    static let table: [Event] =
        [
            Event("nothing", { _, _ in }),
            Event("another object writes", { _, other in try other.keep("b") }),
            Event(
                "a transaction is undone",
                { vault, _ in
                    #expect(throws: Stop.self) {
                        try vault.write { writer in
                            try writer.remove(ItemKey("0"))
                            try writer.set(SecretValue("x"), for: ItemKey("b"))
                            throw Stop()
                        }
                    }
                }),
            Event("it is compacted", { vault, _ in try vault.compact() }),
            Event("another object compacts", { _, other in try other.compact() }),
            Event("the data key is replaced", { vault, _ in try vault.rotateDataKey() }),
            Event("another object replaces it", { _, other in try other.rotateDataKey() }),
            Event(
                "the root key is replaced",
                { vault, _ in
                    try vault.rotateRootKey(keeping: [VaultFolder.key(1)])
                }),
            Event("the log is checkpointed", { _, other in other.close() }),
        ]

    @Test("What is kept after any event can be read, and damage is found", arguments: table)
    func kept(event: Event) throws {
        let vault = try folder.vault()
        let keys = try neighbours(in: vault)
        try #require(keys.count == 3)
        let (victim, first, second) = (keys[0], keys[1], keys[2])
        // Proves the bucket.
        try vault.set(SecretValue("1"), for: first)
        let other = try folder.another()
        try event.run(vault, other)
        try vault.set(SecretValue("2"), for: first)
        #expect(try folder.another().entry(first)?.value.text == "2")
        let row = "WHERE id=(SELECT id FROM item WHERE gen=(SELECT max(gen) FROM item))"
        try vault.set(SecretValue("3"), for: victim)
        try folder.tamper("vault", "UPDATE item SET vt=zeroblob(16) \(row)")
        _ = try? event.run(vault, other)
        #expect(throws: corrupt) { try vault.set(SecretValue("4"), for: second) }
        #expect(throws: corrupt) {
            try vault.write { writer in
                // In the same transaction as a removal beside the damage.
                try writer.remove(first)
                try writer.set(SecretValue("4"), for: second)
            }
        }
        #expect(throws: corrupt) {
            try vault.replace(SecretValue("4"), for: second, ifRevision: nil)
        }
        #expect(throws: corrupt) { try folder.another().entry(second) }
        #expect(try vault.remove(victim))
        #expect(throws: corrupt) { try vault.set(SecretValue("5"), for: victim) }
    }
}
