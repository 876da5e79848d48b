// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

/// The checks find their faults: every broken store fails the check for its fault.
struct StoreConformanceTests {
    struct Broken: Sendable, CustomTestStringConvertible {
        let store: TransparentStore
        let finding: String

        init(_ store: TransparentStore, _ finding: String) {
            self.store = store
            self.finding = finding
        }

        var testDescription: String { "\(type(of: store))" }
    }

    static let broken: [Broken] = [
        Broken(ReadsErrorsAsAbsence(), "a locked store says so"),
        Broken(ComposesNames(), "told apart by their octets"),
        Broken(IgnoresClass(), "class and access group are part of the name"),
        Broken(DropsTypes(), "values of any bytes and any type"),
        Broken(EndsAtNUL(), "values of any bytes and any type"),
        Broken(ForgetsDetails(), "writing again replaces the value"),
        Broken(ForgetsCreation(), "keeps the times that it brings"),
        Broken(AddReplaces(), "adding does not replace"),
        Broken(IgnoresRevisions(), "replacing goes by the revision"),
        Broken(SkipsEqualWrites(), "every writing has a revision of its own"),
        Broken(ListsInAnyOrder(), "in their order"),
        Broken(ListsWhatBeginsAlike(), "in their order"),
        Broken(ClearsEveryClass(), "clearing removes what it names"),
        Broken(ClearsAllWhenEmpty(), "an empty service matches nothing"),
        Broken(CutsOffLongNames(), "longer than allowed is refused"),
        Broken(WritesHalfABatch(), "refused writes none"),
        Broken(NeverLocks(), "a locked store says so"),
        Broken(SaysAbsentWhenLocked(), "a locked store says so"),
        Broken(ExcludesNone(), "one caller's at a time"),
        Broken(ExcludesNone(), "ends with the limit"),
        Broken(ExcludesAll(), "leaves the others free"),
        Broken(SaysBusyWhenCancelled(), "ends with its task"),
        Broken(SaysBusyAtTheLimit(), "ends with the limit"),
        Broken(NotesWhoHasAccess(), "and ends with it"),
        Broken(NeedsAnUnlockForAccess(), "a locked store gives exclusive access"),
    ]

    @Test("The checks find the fault of each broken store", arguments: broken)
    func findsTheFault(_ broken: Broken) async {
        let base = broken.store.base
        let failures = await StoreConformance.failures(of: broken.store, features: .all) {
            base.unlock()
        }
        #expect(failures.contains { $0.check.contains(broken.finding) }, "\(failures)")
    }

    @Test("The checks find nothing in a good store")
    func findsNothingInAGoodStore() async {
        let store = TransparentStore()
        let failures = await StoreConformance.failures(of: store, features: .all) {
            store.base.unlock()
        }
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("Checks for features that a store does not have are left out")
    func skipsWhatAStoreDoesNotHave() {
        let all = StoreConformance.checks(for: .all)
        #expect(StoreConformance.checks().count < all.count)
        #expect(StoreConformance.checks().allSatisfy { $0.requires.isEmpty })
        #expect(Set(all.map(\.name)).count == all.count)
    }

    @Test("A store that cannot be unlocked is a finding")
    func aStoreThatCannotBeUnlockedIsAFinding() async throws {
        let check = try #require(
            StoreConformance.checks(for: .all).first { $0.requires == .locking })
        await #expect(throws: StoreCheck.Failure.self) { try await check.run(on: InMemoryStore()) }
    }
}
