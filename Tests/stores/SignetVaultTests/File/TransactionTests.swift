// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import SignetVault
import TestSupport
import Testing

private struct Own: Error, Equatable {}

/// What ``FileVault/read(_:)`` and ``FileVault/write(_:)`` promise about several items together.
@Suite("Transactions of several items")
struct TransactionTests {
    let folder: VaultFolder
    let a = ItemKey("a")
    let b = ItemKey("b")

    init() throws { folder = try VaultFolder() }

    private func error(of body: () throws -> Void) -> StoreError? {
        do { try body() } catch { return error as? StoreError }
        return nil
    }

    private func accounts(_ vault: FileVault) throws -> [String] {
        try vault.read { try $0.allItems() }.map(\.key.account).sorted()
    }

    @Test("All items of a write are kept, or none")
    func allItemsOfAWriteAreKeptOrNone() throws {
        let vault = try folder.vault()
        try vault.write { try $0.set("before", for: a) }
        #expect(throws: Own()) {
            try vault.write { writer in
                try writer.set("changed", for: a)
                try writer.set("new", for: b)
                throw Own()
            }
        }
        #expect(try vault.read { try $0.get(a)?.string() } == "before")
        #expect(try vault.read { try $0.get(b) } == nil)
        let revisions = try vault.write { writer in
            [try writer.set("changed", for: a), try writer.set("new", for: b)]
        }
        #expect(
            try vault.read { [try $0.item(a)?.revision, try $0.item(b)?.revision] } == revisions)
        #expect(try accounts(folder.another()) == ["a", "b"])
        #expect(try vault.verify().isClean)
    }

    @Test("A closure that throws another vault's full disk runs once, and that error comes out")
    func fullDiskOfAnother() throws {
        let world = try FaultWorld()
        var options = VaultOptions.longWaiting
        options.fileSystemName = world.name
        let other = try folder.vault("other", options)
        let vault = try folder.vault()
        world.arm(.full, at: 1, of: .write, forGood: true)
        defer { world.disarm() }
        var (runs, own) = (0, nil as StoreError?)
        let thrown = error {
            try vault.write { writer in
                runs += 1
                try writer.set("new", for: a)
                do { try other.write { try $0.set("new", for: b) } } catch {
                    own = error as? StoreError
                    throw error
                }
            }
        }
        #expect(runs == 1)
        #expect(own?.message.contains(SystemFailure.quoted(folder.file("other"))) == true)
        #expect(thrown?.message == own?.message)
        #expect(try accounts(vault) == [])
    }

    @Test("Listeners hear of saved changes only", .timeLimit(.minutes(20)))
    func listenersHearOfSavedChanges() async throws {
        let vault = try folder.vault()
        let (a, b) = (a, b)
        var changes = vault.changes().makeAsyncIterator()
        _ = try? await vault.write { writer in
            try writer.set("v", for: a)
            throw Own()
        }
        try await vault.write { writer in
            try writer.set("v", for: b)
            try writer.remove(b)
        }
        #expect(await changes.next(isolation: nil) == .set(b))
        #expect(await changes.next(isolation: nil) == .removed(b))
    }

    /// Buckets and state are sealed once, at the end: until then, proofs use the sums that the
    /// transaction itself keeps.
    @Test("A write reads what it has written", arguments: [ReadLevel.strict, .lazy])
    func aWriteReadsWhatItHasWritten(_ level: ReadLevel) throws {
        let vault = try folder.vault("vault", VaultOptions(level: level))
        try vault.write { writer in
            for number in 0..<20 { try writer.set("old", for: ItemKey("\(number)")) }
        }
        try vault.write { writer in
            for number in 0..<10 {
                let key = ItemKey("\(number)")
                let revision = try writer.set("new \(number)", for: key)
                #expect(try writer.get(key)?.string() == "new \(number)")
                #expect(try writer.item(key)?.revision == revision)
                #expect(
                    try writer.replace(SecretValue("newer"), for: key, ifRevision: revision) != nil)
                #expect(throws: StoreError(.alreadyExists, "")) {
                    try writer.replace(SecretValue("x"), for: key, ifRevision: nil)
                }
            }
            try writer.set("added", for: a)
            #expect(try writer.remove(ItemKey("0")))
            #expect(try writer.entry(ItemKey("0")) == nil)
            #expect(try !writer.remove(ItemKey("0")))
            #expect(try writer.list(service: "example.com").count == 20)
            #expect(try writer.allItems().count == 20)
            #expect(try writer.clear(service: "example.com", itemClass: .token) == 0)
        }
        #expect(try vault.verify().isClean)
        #expect(try vault.read { try $0.get(ItemKey("9"))?.string() } == "newer")
        try vault.write { writer in
            try writer.set("last", for: b)
            #expect(try writer.clear(service: "example.com") == 21)
            #expect(try writer.allItems().isEmpty)
            try writer.set("after", for: a)
        }
        #expect(try accounts(vault) == ["a"])
        #expect(try vault.verify().isClean)
    }

    @Test("A refusal that the closure catches undoes nothing")
    func aRefusalThatIsCaughtUndoesNothing() throws {
        let vault = try folder.vault()
        try vault.write { writer in
            try writer.set("first", for: a)
            #expect(throws: StoreError(.alreadyExists, "")) {
                try writer.replace(SecretValue("x"), for: a, ifRevision: nil)
            }
            #expect(throws: StoreError(.invalidItem, "")) {
                try writer.set("x", for: ItemKey(service: "", account: ""))
            }
            #expect(throws: StoreError(.emptyMatch, "")) { try writer.clear(service: "") }
            try writer.set("second", for: b)
        }
        #expect(try accounts(vault) == ["a", "b"])
        #expect(try vault.verify().isClean)
    }

    @Test("A failed partial change is not saved, even if the closure ignores the error")
    func aCaughtPartialFailureIsNotSaved() throws {
        // A strict vault would fail before the first change.
        let vault = try folder.vault("vault", VaultOptions(level: .lazy))
        try vault.write { try $0.set("before", for: a) }
        try folder.tamper("vault", "UPDATE bucket SET b=zeroblob(84)")
        let corrupt = StoreError(.corrupt, "")
        let inside = Locked<[StoreError?]>([])
        #expect(throws: corrupt) {
            try vault.write { writer in
                inside.withLock { $0.append(error(of: { _ = try writer.set("half", for: a) })) }
                // A transaction that will not be saved does nothing more.
                inside.withLock { $0.append(error(of: { _ = try writer.set("other", for: b) })) }
            }
        }
        #expect(inside.withLock { $0 } == [corrupt, corrupt])
        #expect(try folder.number("SELECT count(*) FROM item") == 1)
        #expect(try folder.number("SELECT max(gen) FROM item") == 2)
    }

    @Test("A read sees one state, whatever is written meanwhile")
    func aReadSeesOneState() throws {
        let vault = try folder.vault()
        try vault.write { try $0.set("before", for: a) }
        let other = try folder.another()
        let seen = try vault.read { reader in
            let first = try reader.get(a)?.string()
            try other.write { writer in
                try writer.set("after", for: a)
                try writer.set("after", for: b)
            }
            try other.rotateDataKey()
            return [first, try reader.get(a)?.string(), try reader.get(b)?.string()]
        }
        #expect(seen == ["before", "before", nil])
        #expect(
            try vault.read { [try $0.get(a)?.string(), try $0.get(b)?.string()] } == [
                "after", "after",
            ])
    }

    @Test("A transaction refuses calls after its closure")
    func aTransactionRefusesCallsAfterItsClosure() throws {
        let vault = try folder.vault()
        let kept = try vault.write { writer in
            try writer.set("v", for: a)
            return Kept(reader: writer, writer: writer)
        }
        let reader = try vault.read { Kept(reader: $0, writer: kept.writer) }.reader
        let unsupported = StoreError(.unsupported, "")
        #expect(throws: unsupported) { try reader.get(a) }
        #expect(throws: unsupported) { try reader.allItems() }
        #expect(throws: unsupported) { try kept.reader.list(service: "example.com") }
        #expect(throws: unsupported) { try kept.writer.set("x", for: a) }
        #expect(throws: unsupported) { try kept.writer.remove(a) }
        #expect(throws: unsupported) { try kept.writer.clear(service: "example.com") }
        // Nor does a later transaction revive it.
        try vault.write { writer in
            #expect(throws: unsupported) { try kept.writer.set("x", for: b) }
            try writer.set("w", for: a)
        }
        #expect(try accounts(vault) == ["a"])
    }

    /// A thread that waited for itself would wait forever, and so would two that wait for each
    /// other: one that writes in a read, and one that reads in a write.
    @Test("A nested transaction is refused and never waits", .timeLimit(.minutes(20)))
    func nestingIsRefusedAndNeverWaits() throws {
        let vault = try folder.vault()
        let unsupported = StoreError(.unsupported, "")
        try vault.write { writer in
            try writer.set("outer", for: a)
            #expect(throws: unsupported) { try vault.write { try $0.set("inner", for: b) } }
            #expect(throws: unsupported) { try vault.addSlot(VaultFolder.key(2)) }
            #expect(throws: unsupported) { try vault.read { try $0.get(a) } }
        }
        try vault.read { _ in
            #expect(throws: unsupported) { try vault.read { try $0.get(a) } }
            #expect(throws: unsupported) { try vault.write { try $0.set("inner", for: b) } }
        }
        #expect(try accounts(vault) == ["a"])
    }

    @Test("Closing inside a write takes effect after its end", .timeLimit(.minutes(20)))
    func closingInsideOfAWriteWaitsForItsEnd() throws {
        let vault = try folder.vault()
        try vault.write { writer in
            try writer.set("v", for: a)
            vault.close()
            try writer.set("w", for: b)
        }
        #expect(throws: StoreError(.locked, "")) { try vault.read { try $0.get(a) } }
        #expect(try accounts(folder.another()) == ["a", "b"])
    }

    @Test("The async forms behave the same, and a cancelled task writes nothing")
    func theFormsWithAsyncAreTheSame() async throws {
        let vault = try folder.vault()
        let (a, b) = (a, b)
        await #expect(throws: Own()) {
            try await vault.write { writer in
                try writer.set("v", for: a)
                throw Own()
            }
        }
        await #expect(throws: Own()) { try await vault.read { _ in throw Own() } }
        try await vault.write { writer in
            try writer.set("v", for: a)
            try writer.set("w", for: b)
        }
        #expect(
            try await vault.read { try [$0.get(a)?.string(), $0.get(b)?.string()] } == ["v", "w"])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await vault.write { try $0.remove(a) }
        }
        task.cancel()
        await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
        #expect(try await vault.item(a) != nil)
    }

    @Test("A locked vault runs no closure, and a read-only one none that writes")
    func aLockedOrReadOnlyVaultRunsNoClosure() throws {
        let vault = try folder.vault()
        try vault.lock()
        #expect(throws: StoreError(.locked, "")) { try vault.read { _ in Issue.record("it ran") } }
        #expect(throws: StoreError(.locked, "")) { try vault.write { _ in Issue.record("it ran") } }
        vault.close()
        var options = VaultOptions.longWaiting
        options.isReadOnly = true
        let readOnly = try folder.another("vault", options)
        #expect(throws: StoreError(.readOnly, "")) {
            try readOnly.write { _ in Issue.record("it ran") }
        }
    }
}

/// What should not be kept.
private struct Kept {
    let reader: VaultReader
    let writer: VaultWriter
}
