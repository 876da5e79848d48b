// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import TestSupport
import Testing

@Suite("Listeners of a vault that several processes write to")
struct ChangesElsewhereTests {
    let folder: VaultFolder
    let a = ItemKey("a")

    init() throws { folder = try VaultFolder() }

    private func make() throws -> (vault: FileVault, method: KeyFileUnlock) {
        let method = try KeyFileUnlock.create(at: folder.file("key"))
        return (
            try FileVault.create(at: folder.file(), with: method, options: .longWaiting), method
        )
    }

    private func writeElsewhere(_ text: String) throws {
        let lines = try Worker(["set", folder.file(), folder.file("key"), text]).remainingLines()
        #expect(lines == ["kept"])
    }

    /// The object that began to watch may go, while another's listener stays.
    @Test("Closing one object ends no listener of another", .timeLimit(.minutes(20)))
    func anObjectThatIsClosedTakesNoListenerOfAnother() async throws {
        let (vault, method) = try make()
        let other = try FileVault.open(at: folder.file(), options: .longWaiting)
        try other.unlock(with: method)
        let first = vault.changes()
        var changes = other.changes().makeAsyncIterator()
        vault.close()
        // Long enough for the one that is closed to have looked.
        try await Task.sleep(for: .milliseconds(1200))
        try writeElsewhere("elsewhere")
        while let change = await changes.next(isolation: nil), change != .changedElsewhere {}
        withExtendedLifetime(first) {}
    }

    /// Nothing calls the vault meanwhile.
    @Test("A listener hears of another process's write", .timeLimit(.minutes(20)))
    func aListenerHearsOfAnotherProcess() async throws {
        let (vault, _) = try make()
        var changes = vault.changes().makeAsyncIterator()
        for round in 0..<3 {
            try writeElsewhere("round \(round)")
            #expect(await changes.next(isolation: nil) == .changedElsewhere)
            #expect(try await vault.get(a)?.string() == "round \(round)")
        }
    }

    @Test(
        "The vault's own next call reports another process's write first",
        .timeLimit(.minutes(20)))
    func itsOwnCallReportsIt() async throws {
        let (vault, _) = try make()
        let b = ItemKey("b")
        var changes = vault.changes().makeAsyncIterator()
        try writeElsewhere("elsewhere")
        try await vault.write { try $0.set("here", for: b) }
        #expect(await changes.next(isolation: nil) == .changedElsewhere)
        #expect(await changes.next(isolation: nil) == .set(b))
    }

    @Test(
        "Writes of any object of this process are not reported as another's",
        .timeLimit(.minutes(20)))
    func ownWritesAreNotReportedAsElsewhere() async throws {
        let (vault, method) = try make()
        let other = try FileVault.open(at: folder.file(), options: .longWaiting)
        try other.unlock(with: method)
        var changes = vault.changes().makeAsyncIterator()
        #expect(throws: StoreError.self) {
            try other.writing { (writer) throws(StoreError) in
                try writer.set("undone", for: a)
                throw StoreError(.conflict, "undone")
            }
        }
        for number in 0..<6 {
            let key = ItemKey("\(number)")
            try await (number % 2 == 0 ? vault : other).write { try $0.set("v", for: key) }
            _ = try await other.get(key)
            // Long enough for a look in between.
            try await Task.sleep(for: .milliseconds(300))
            #expect(await changes.next(isolation: nil) == .set(key))
        }
        try writeElsewhere("elsewhere")
        #expect(await changes.next(isolation: nil) == .changedElsewhere)
    }
}
