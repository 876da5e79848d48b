// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import SignetVaultTesting
import Testing

@Suite("Migration between stores", .timeLimit(.minutes(20)))
struct StoreMigrationTests {
    private let destination = InMemoryStore()

    @Test("Every item is copied, and the source keeps it")
    func everyItemIsMoved() async throws {
        let source = try await MigrationFixture.source()
        let before = try await MigrationFixture.contents(of: source)
        var steps: [Int] = []
        var migration = StoreMigration(from: source, to: destination, conflictPolicy: .keep)
        migration.batchCount = 5
        let report = try await migration.run { done, all in
            #expect(all == MigrationFixture.count)
            steps.append(done)
        }
        #expect(report.added == MigrationFixture.count)
        #expect(report.total == MigrationFixture.count)
        #expect(steps == steps.sorted())
        #expect(steps.last == MigrationFixture.count)
        #expect(try await MigrationFixture.contents(of: destination) == before)
        #expect(try await MigrationFixture.contents(of: source) == before)
    }

    @Test("Equal items are not written again")
    func equalItemsAreNotWritten() async throws {
        let source = try await MigrationFixture.source()
        let watched = FaultyStore(destination)
        _ = try await StoreMigration(from: source, to: watched).run()
        watched.forgetCalls()
        let again = try await StoreMigration(from: source, to: watched).run()
        #expect(again.alreadyThere == MigrationFixture.count)
        #expect(again.total == MigrationFixture.count)
        #expect(!watched.calls.contains { $0.operation.isWrite })
    }

    @Test("Different times are no conflict")
    func differentTimesAreNoConflict() async throws {
        let source = try await MigrationFixture.source()
        try await destination.put([MigrationFixture.item(1, modified: 9000)])
        let report = try await StoreMigration(from: source, to: destination).run()
        #expect(report.alreadyThere == 1)
        #expect(
            try await destination.item(MigrationFixture.key(1))?.modified
                == ItemTime(milliseconds: 9000))
    }

    /// A differing item in both stores: its time in the destination, and which one is left.
    @Test(
        "A differing item follows the conflict policy",
        arguments: [
            (StoreMigration.ConflictPolicy.keep, UInt64(1), "other"), (.replace, 3000, "value 1"),
            (.newer, 1999, "value 1"), (.newer, 2000, "other"), (.newer, 2001, "other"),
        ])
    func differingItemsFollowThePolicy(
        _ policy: StoreMigration.ConflictPolicy, _ modified: UInt64, _ left: String
    ) async throws {
        let source = try await MigrationFixture.source()
        try await destination.put([MigrationFixture.item(1, value: "other", modified: modified)])
        let migration = StoreMigration(
            from: source, to: destination, conflictPolicy: policy, removesFromSource: true)
        let report = try await migration.run()
        #expect(report.added == MigrationFixture.count - 1)
        #expect(report.kept == (left == "other" ? 1 : 0))
        #expect(report.replaced == (left == "other" ? 0 : 1))
        #expect(try await destination.get(MigrationFixture.key(1))?.string() == left)
        // What was not copied stays where it is.
        #expect((try await source.item(MigrationFixture.key(1)) != nil) == (left == "other"))
        #expect(try await source.allItems().count == (left == "other" ? 1 : 0))
    }

    @Test("One conflict refuses the whole migration before any write")
    func oneConflictRefusesAll() async throws {
        let source = try await MigrationFixture.source()
        // The last in the order, so that everything before it would have been written by then.
        let last = try await #require(source.allItems().map(\.key).sorted().last)
        try await destination.set("other", for: last)
        let watched = FaultyStore(destination)
        let migration = StoreMigration(from: source, to: watched, removesFromSource: true)
        #expect(try await migration.conflicts() == [last])
        await #expect(throws: StoreError(.conflict, "")) { try await migration.run() }
        #expect(!watched.calls.contains { $0.operation.isWrite })
        #expect(try await source.allItems().count == MigrationFixture.count)
    }

    @Test("Different details are a conflict")
    func otherDetailsAreAConflict() async throws {
        let source = try await MigrationFixture.source()
        var item = MigrationFixture.item(3)
        item.details = ItemDetails(comment: "another")
        try await destination.put([item])
        #expect(
            try await StoreMigration(from: source, to: destination).conflicts() == [
                MigrationFixture.key(3)
            ])
    }

    @Test("Only included items are moved")
    func onlyIncludedItemsAreMoved() async throws {
        let source = try await MigrationFixture.source()
        var migration = StoreMigration(from: source, to: destination, removesFromSource: true)
        migration.includes = { $0.key.service == "service 1" }
        let report = try await migration.run()
        #expect(report.added == 4)
        #expect(report.removedFromSource == 4)
        #expect(try await destination.allItems().allSatisfy { $0.key.service == "service 1" })
        #expect(try await source.allItems().count == MigrationFixture.count - 4)
    }

    @Test("A migration from a store into itself is refused", arguments: [true, false])
    func aStoreIsNotEmptiedIntoItself(_ throughAnotherObject: Bool) async throws {
        let store = try await MigrationFixture.source()
        let other: any SecureStore = throughAnotherObject ? FaultyStore(store) : store
        let before = try await MigrationFixture.contents(of: store).map(\.value).sorted()
        for policy in StoreMigration.ConflictPolicy.allCases {
            let migration = StoreMigration(
                from: store, to: other, conflictPolicy: policy, removesFromSource: true)
            await #expect(throws: StoreError(.invalidParameter, "")) { try await migration.run() }
        }
        #expect(try await MigrationFixture.contents(of: store).map(\.value).sorted() == before)
    }

    @Test("An item written to the source meanwhile stays there")
    func itemsWrittenToTheSourceMeanwhileStay() async throws {
        let source = try await MigrationFixture.source()
        let key = MigrationFixture.key(2)
        let meddling = MeddlingStore(destination) {
            _ = try? await source.set("changed meanwhile", for: key)
        }
        let migration = StoreMigration(
            from: source, to: meddling, conflictPolicy: .replace, removesFromSource: true)
        let report = try await migration.run()
        #expect(report.changedInSource == 1)
        #expect(report.removedFromSource == MigrationFixture.count - 1)
        #expect(try await source.get(key)?.string() == "changed meanwhile")
        let again = try await StoreMigration(
            from: source, to: destination, conflictPolicy: .replace, removesFromSource: true
        ).run()
        #expect(again.replaced == 1)
        #expect(try await destination.get(key)?.string() == "changed meanwhile")
        #expect(try await source.allItems().isEmpty)
    }

    @Test("A destination that loses an item does not empty the source")
    func aDestinationThatForgetsEmptiesNoSource() async throws {
        let source = try await MigrationFixture.source()
        let destination = destination
        let forgetful = MeddlingStore(destination) {
            _ = try? await destination.remove(MigrationFixture.key(2))
        }
        let migration = StoreMigration(from: source, to: forgetful, removesFromSource: true)
        await #expect(throws: StoreError(.conflict, "")) { try await migration.run() }
        #expect(try await source.item(MigrationFixture.key(2)) != nil)
    }

    @Test("Cancellation leaves whole items, and another run moves the rest")
    func cancellationLeavesWholeItems() async throws {
        let source = try await MigrationFixture.source()
        // The first batch is written, and then the task is cancelled before anything else happens.
        let waiting = MeddlingStore(destination) {
            while !Task.isCancelled { await Task.yield() }
        }
        var migration = StoreMigration(from: source, to: waiting, conflictPolicy: .keep)
        migration.batchCount = 4
        let task = Task { [migration] in try await migration.run() }
        while try await destination.allItems().isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
        #expect(try await destination.allItems().count == 4)
        _ = try await StoreMigration(from: source, to: destination).run()
        #expect(
            try await MigrationFixture.contents(of: destination)
                == MigrationFixture.contents(of: source))
    }

    @Test("A batch has 1 to 10,000 items", arguments: [0, -1, 10_001])
    func aBatchHasItsLimits(_ count: Int) async throws {
        var migration = StoreMigration(from: InMemoryStore(), to: destination)
        migration.batchCount = count
        await #expect(throws: StoreError(.invalidParameter, "")) { try await migration.run() }
    }
}
