// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import TestSupport
import Testing

/// Every damaged vault at every level. A case has the name of its fixture; the expected answers of
/// each level are in the manifest, written by hand (Python/damage.py).
@Suite(
    "Damaged vaults that the other implementation made", .timeLimit(.minutes(20)),
    .tags(.vaultBits, .sampled)
)
struct DamagedVaultTests {
    private static let sample = Effort.cases(Manifest.checkedIn.damaged, oneOf: 8)

    @Test("Each level of reading gives the expected answer", arguments: sample)
    func levels(damaged: DamagedVault) throws {
        let folder = try FixtureFolder()
        let path = try Fixtures.damaged(damaged.name, in: folder)
        let expected = damaged.expected
        guard let vault = open(path, damaged) else { return }
        guard let lazy = expected.lazy, let strict = expected.strict else { return }
        let values = try right(damaged)
        let key = damaged.key.key
        #expect(read(vault, key, .lazy, values) == lazy, "lazy")
        #expect(read(vault, key, .strict, values) == strict, "strict")
        for other in values.keys where other != key {
            let said = damaged.others.first { $0.key.key == other }
            #expect(read(vault, other, .lazy, values) == said?.lazy ?? "value", "lazy, \(other)")
            #expect(
                read(vault, other, .strict, values) == said?.strict ?? "value", "strict, \(other)")
        }
        let places = try vault.verify().findings.map(\.place)
        let verified = try #require(expected.verify)
        #expect(verified == "clean" ? places == [] : places.contains(verified), "verify: \(places)")
    }

    @Test(
        "A strict list is complete or refused",
        arguments: sample.filter { $0.expected.list != nil })
    func list(damaged: DamagedVault) throws {
        let folder = try FixtureFolder()
        let vault = try openVault(
            try Fixtures.damaged(damaged.name, in: folder), damaged.method.method, level: .strict)
        let values = try right(damaged)
        let keys = Set(values.keys.filter { values[$0].flatMap(\.self) != nil })
        let found = outcome { () throws(StoreError) -> String in
            let listed = try vault.allItems().map(\.key)
            return listed.count == keys.count && Set(listed) == keys ? "complete" : "incomplete"
        }
        #expect(found == damaged.expected.list)
    }

    @Test(
        "A salvage gives only right values, and all that a lazy read gives",
        arguments: sample.filter { $0.expected.lazy != nil })
    func salvage(damaged: DamagedVault) throws {
        let folder = try FixtureFolder()
        let path = try Fixtures.damaged(damaged.name, in: folder)
        let method = damaged.method.method
        let report = try VaultSalvage(of: path, with: method, to: path + ".new", with: method).run()
        let saved = try openVault(path + ".new", method)
        #expect(try saved.allItems().count == report.savedCount)
        let vault = try openVault(path, method, level: .lazy)
        for (key, _) in try right(damaged) {
            guard let value = try? vault.entry(key, level: .lazy)?.value.octets else { continue }
            #expect(try saved.entry(key)?.value.octets == value, "\(key)")
        }
    }

    @Test(
        "Writing another item neither heals damage nor traps",
        arguments: sample.filter { $0.expected.verify != nil })
    func write(damaged: DamagedVault) throws {
        let folder = try FixtureFolder()
        let path = try Fixtures.damaged(damaged.name, in: folder)
        let vault = try openVault(path, damaged.method.method)
        let new = ItemKey(service: "not there before", account: damaged.name)
        var written = true
        do { _ = try vault.set(SecretValue("new"), for: new, details: nil) } catch {
            written = false
        }
        if written {
            #expect(try vault.entry(new, level: .lazy)?.value.octets == Array("new".utf8))
        }
        _ = try? vault.remove(damaged.key.key)
        _ = try? vault.set(SecretValue("again"), for: damaged.key.key, details: nil)
        _ = try? vault.addSlot(TestKey(kind: .rawKey, octets: [UInt8](repeating: 9, count: 32)))
        let wasClean = damaged.expected.verify == "clean"
        if wasClean { #expect(try vault.verify().findings == []) }
        _ = try? vault.rotateDataKey()
        _ = try? vault.rotateRootKey(keeping: [damaged.method.method], droppingOthers: true)
        _ = try? vault.clear(service: "example.com", itemClass: nil, accessGroup: "")
        if wasClean { #expect(try vault.verify().findings == []) }
    }

    @Test(
        "A row that was rolled back or deleted is still noticed after other writes",
        arguments: sample.filter { damaged in
            [
                "roll-back-row", "delete-row", "resurrect", "old-", "empty-", "delete-bucket",
                "bucket-",
            ]
            .contains { damaged.name.hasPrefix($0) }
                && ![nil, "clean"].contains(damaged.expected.verify)
        })
    func notAbsorbed(damaged: DamagedVault) throws {
        let folder = try FixtureFolder()
        let path = try Fixtures.damaged(damaged.name, in: folder)
        let vault = try openVault(path, damaged.method.method)
        for number in 0..<20 {
            let new = ItemKey(service: "not there before", account: "\(number)")
            _ = try? vault.set(SecretValue("new"), for: new, details: nil)
        }
        _ = try? vault.rotateDataKey()
        _ = try? vault.rotateRootKey(keeping: [damaged.method.method], droppingOthers: true)
        #expect(try vault.verify().findings != [])
        if damaged.expected.strict == "corrupt" {
            #expect(read(vault, damaged.key.key, .strict, try right(damaged)) == "corrupt")
        }
    }

    /// The vault, unlocked; nil when that fails, as expected or not.
    private func open(_ path: String, _ damaged: DamagedVault) -> FileVault? {
        let expected = damaged.expected
        let vault: FileVault
        do {
            vault = try FileVault.open(at: path, options: VaultOptions(level: .lazy))
            #expect(expected.open == nil, "it opened")
        } catch {
            #expect(error.code.rawValue == expected.open, "open: \(error)")
            return nil
        }
        do {
            try vault.unlock(with: damaged.method.method)
            #expect(expected.unlock == nil, "it was unlocked")
            return vault
        } catch {
            #expect(error.code.rawValue == expected.unlock, "unlock: \(error)")
            return nil
        }
    }

    private func right(_ damaged: DamagedVault) throws -> [ItemKey: [UInt8]?] {
        try Manifest.vault(damaged.base == "nothing" ? "several" : damaged.base).values
    }

    private func read(
        _ vault: FileVault, _ key: ItemKey, _ level: ReadLevel, _ values: [ItemKey: [UInt8]?]
    ) -> String {
        outcome { () throws(StoreError) -> String in
            let found = try vault.entry(key, level: level)?.value.octets
            if found == values[key].flatMap(\.self) { return "value" }
            return found.map { "older:\(hex($0))" } ?? "absent"
        }
    }
}
