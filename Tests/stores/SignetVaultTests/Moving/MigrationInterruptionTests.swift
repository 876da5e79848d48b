// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

/// A migration that stops at each of its calls, and is run again.
struct MigrationInterruptionTests {
    struct Interruption: Sendable, CustomTestStringConvertible {
        let code: StoreError.Code
        let moment: FaultyStore.Moment
        let isInSource: Bool
        let removes: Bool

        var testDescription: String {
            "\(code.rawValue) \(moment) a call to the \(isInSource ? "source" : "destination"), "
                + (removes ? "removing" : "copying")
        }
    }

    static let interruptions: [Interruption] = [FaultyStore.Moment.before, .after].flatMap {
        moment in
        [true, false].flatMap { isInSource in
            [true, false].map { removes in
                Interruption(
                    code: moment == .before ? .unavailable : .timedOut, moment: moment,
                    isInSource: isInSource,
                    removes: removes)
            }
        }
    }

    @Test(
        "A migration interrupted at any call loses nothing and doubles nothing",
        arguments: interruptions)
    func nothingIsLostAndNothingDoubled(_ interruption: Interruption) async throws {
        let wanted = try await MigrationFixture.contents(of: MigrationFixture.source())
        var number = 0
        var isFinished = false
        while !isFinished {
            number += 1
            let (source, destination) = (try await MigrationFixture.source(), InMemoryStore())
            // Some are already there, as after an earlier interruption.
            try await destination.put([MigrationFixture.item(0), MigrationFixture.item(7)])
            let (from, to) = (FaultyStore(source), FaultyStore(destination))
            (interruption.isInSource ? from : to).failCall(
                number, with: interruption.code, moment: interruption.moment)
            var migration = StoreMigration(
                from: from, to: to, removesFromSource: interruption.removes)
            migration.batchCount = 5
            do throws(StoreError) {
                _ = try await migration.run()
                isFinished = true
            } catch {
                #expect(error.code == interruption.code, "call \(number)")
            }

            // Between the runs every item is in at least one of them, unchanged.
            let between = try await MigrationFixture.contents(of: source).union(
                MigrationFixture.contents(of: destination))
            #expect(Set(between.map(\.value)) == Set(wanted.map(\.value)), "call \(number)")
            from.recover()
            to.recover()

            _ = try await migration.run()
            let after = try await MigrationFixture.contents(of: destination)
            #expect(after.map(\.value).sorted() == wanted.map(\.value).sorted(), "call \(number)")
            #expect(Set(after.map(\.details)) == Set(wanted.map(\.details)), "call \(number)")
            #expect(Set(after.map(\.created)) == Set(wanted.map(\.created)), "call \(number)")
            let left = try await source.allItems().count
            #expect(left == (interruption.removes ? 0 : MigrationFixture.count), "call \(number)")
        }
        #expect(number > 20, "every call was interrupted once")
    }

    @Test("A destination that stays unavailable loses nothing")
    func aStoreThatStaysAwayLosesNothing() async throws {
        let (source, destination) = (try await MigrationFixture.source(), InMemoryStore())
        let wanted = try await MigrationFixture.contents(of: source)
        let to = FaultyStore(destination)
        var migration = StoreMigration(from: source, to: to, removesFromSource: true)
        migration.batchCount = 3
        to.failCalls(from: 1 + MigrationFixture.count + 8, with: .unavailable)
        await #expect(throws: StoreError(.unavailable, "")) { try await migration.run() }
        await #expect(throws: StoreError(.unavailable, "")) { try await migration.run() }
        to.recover()
        _ = try await migration.run()
        #expect(
            try await MigrationFixture.contents(of: destination).map(\.value).sorted()
                == wanted.map(\.value).sorted())
        #expect(try await source.allItems().isEmpty)
    }
}
