// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import TestSupport
import Testing

@Suite("Good vaults that the other implementation made")
struct GoodVaultTests {
    @Test(
        "Every method opens it, and it has exactly the expected items",
        arguments: Manifest.checkedIn.vaults)
    func read(good: GoodVault) throws {
        let folder = try FixtureFolder()
        for method in good.methods where method.isSupported {
            for level in [ReadLevel.lazy, .strict] {
                let path = try folder.vault(Fixtures.good(good.name))
                let vault = try openVault(path, method.method, level: level)
                #expect(vault.id == bytes(good.vaultID))
                try expectItems(good, in: vault)
                for key in good.absent { #expect(try vault.entry(key.key) == nil) }
            }
        }
    }

    @Test("Verification counts everything and finds nothing", arguments: Manifest.checkedIn.vaults)
    func verify(good: GoodVault) throws {
        let folder = try FixtureFolder()
        let vault = try openVault(
            try folder.vault(Fixtures.good(good.name)), try #require(good.methods.first).method)
        let report = try vault.verify()
        #expect(report.findings == [])
        #expect(report.itemCount == good.items.count)
        #expect(report.valueCount == good.items.count)
        #expect(report.slotCount == good.slotCount)
        #expect(report.dataKeyCount == good.dataKeyCount)
        #expect(report.generation == good.generation)
    }

    @Test(
        "After writes, rotations and new slots it is still whole",
        arguments: Manifest.checkedIn.vaults)
    func write(good: GoodVault) throws {
        let folder = try FixtureFolder()
        let path = try folder.vault(Fixtures.good(good.name))
        let method = try #require(good.methods.first).method
        let vault = try openVault(path, method, level: .strict)
        let new = ItemKey(service: "new", account: "item")
        _ = try vault.set(SecretValue("new"), for: new, details: nil)
        try vault.rotateDataKey()
        try vault.rotateRootKey(keeping: [method], droppingOthers: true)
        #expect(try vault.verify().findings == [])
        #expect(try vault.verify().dataKeyCount == 1)
        #expect(try vault.entry(new)?.value.octets == Array("new".utf8))
        #expect(try vault.remove(new))
        try expectItems(good, in: openVault(path, method, level: .strict))
    }

    private func expectItems(_ good: GoodVault, in vault: FileVault) throws {
        for item in good.items {
            let entry = try #require(try vault.entry(item.key), "\(item.key)")
            #expect(entry.value.octets == item.octets, "\(item.key)")
            #expect(entry.value.type.rawValue == item.type)
            #expect(entry.item.key == item.key)
            #expect(entry.item.details == item.details)
            #expect(entry.item.created.milliseconds == item.created)
            #expect(entry.item.modified.milliseconds == item.modified)
        }
        #expect(Set(try vault.allItems().map(\.key)) == Set(good.items.map(\.key)))
    }
}
