// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

/// What `Fixtures/manifest.json` says.
struct Manifest: Decodable {
    let vaults: [GoodVault]
    let damaged: [DamagedVault]

    static let checkedIn: Manifest = {
        guard
            let manifest = try? JSONDecoder().decode(
                Manifest.self, from: Fixtures.file("manifest.json"))
        else {
            return Manifest(vaults: [], damaged: [])
        }
        return manifest
    }()

    static func vault(_ name: String) throws -> GoodVault {
        try #require(checkedIn.vaults.first { $0.name == name }, "no vault \(name)")
    }
}

struct GoodVault: Decodable, CustomTestStringConvertible {
    let name: String
    let vaultID: String
    let generation: UInt64
    let slotCount: Int
    let dataKeyCount: Int
    let methods: [FixtureMethod]
    let items: [FixtureItem]
    let absent: [FixtureKey]

    var testDescription: String { name }

    /// The right value of each listed key; nil for absent ones.
    var values: [ItemKey: [UInt8]?] {
        var values: [ItemKey: [UInt8]?] = [:]
        for item in items { values[item.key] = .some(item.octets) }
        for key in absent { values[key.key] = .some(nil) }
        return values
    }
}

struct DamagedVault: Decodable, CustomTestStringConvertible {
    struct Outcome: Decodable {
        let open: String?
        let unlock: String?
        let lazy: String?
        let strict: String?
        let list: String?
        let verify: String?
    }

    struct Other: Decodable {
        let key: FixtureKey
        let lazy: String
        let strict: String
    }

    let name: String
    let base: String
    let method: FixtureMethod
    let key: FixtureKey
    let expected: Outcome
    let others: [Other]

    var testDescription: String { name }
}

struct FixtureKey: Decodable {
    let `class`: String
    let group: String
    let service: String
    let account: String

    var key: ItemKey {
        ItemKey(
            service: service, account: account,
            itemClass: ItemClass(rawValue: self.class) ?? .generic,
            accessGroup: group)
    }
}

struct FixtureItem: Decodable {
    let `class`: String
    let group: String
    let service: String
    let account: String
    let label: String
    let comment: String
    let attributes: [String: String]
    let created: UInt64
    let modified: UInt64
    let type: String
    let value: String

    var key: ItemKey {
        FixtureKey(class: self.class, group: group, service: service, account: account).key
    }

    var octets: [UInt8] { bytes(value) }
    var details: ItemDetails { ItemDetails(label: label, comment: comment, attributes: attributes) }
}
