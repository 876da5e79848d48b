// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: key ring")
struct VaultKeysFormatTests {
    @Test("New keys open under their own root key only")
    func roundTrip() throws {
        let root = try FormatSample.root()
        let ring = try VaultKeys.generate(for: root)
        #expect(ring.rows.count == 3 && ring.dataKeys.count == 1)
        #expect(ring.rows.map { hex($0.keyID) } == ring.rows.map { hex($0.keyID) }.sorted())
        let read = try VaultKeys(opening: ring.rows.reversed(), with: root)
        #expect(read.rows == ring.rows)
        #expect(read.dataKeys.map(\.id) == ring.dataKeys.map(\.id))
        #expect(
            try read.itemID(for: FormatSample.itemKey) == ring.itemID(for: FormatSample.itemKey))
        for other in [
            try FormatSample.root(8), try FormatSample.root(epoch: 2),
            try FormatSample.root(vaultID: [UInt8](1...16)),
        ] {
            #expect(
                FormatSample.code { _ = try VaultKeys(opening: ring.rows, with: other) } == .corrupt
            )
        }
    }

    @Test("No bit of a row or its name may change")
    func damaged() throws {
        let root = try FormatSample.root()
        let ring = try VaultKeys.generate(for: root)
        for place in 0..<3 {
            for (name, bytes) in FormatSample.damaged(ring.rows[place].sealed) {
                #expect(
                    FormatSample.code {
                        var rows = ring.rows
                        rows[place] = try RingRow(keyID: rows[place].keyID, sealed: bytes)
                        _ = try VaultKeys(opening: rows, with: root)
                    } == .corrupt, "row \(place), \(name)")
            }
            for (name, bytes) in FormatSample.damaged(ring.rows[place].keyID) {
                #expect(
                    FormatSample.code {
                        var rows = ring.rows
                        rows[place] = try RingRow(keyID: bytes, sealed: rows[place].sealed)
                        _ = try VaultKeys(opening: rows, with: root)
                    } == .corrupt, "name of row \(place), \(name)")
            }
        }
    }

    @Test("There is one key for names, one for sums, at least one for data, and no duplicate")
    func members() throws {
        let root = try FormatSample.root()
        let rows = try VaultKeys.generate(for: root).rows
        let others = try VaultKeys.generate(for: root).rows
        for place in 0..<3 {
            var without = rows
            without.remove(at: place)
            #expect(
                FormatSample.code { _ = try VaultKeys(opening: without, with: root) } == .corrupt,
                "\(place)")
            #expect(
                FormatSample.code { _ = try VaultKeys(opening: rows + [rows[place]], with: root) }
                    == .corrupt,
                "\(place) twice")
        }
        // Another ring's three: a second key for names and one for sums.
        #expect(
            FormatSample.code { _ = try VaultKeys(opening: rows + others, with: root) } == .corrupt)
        #expect(FormatSample.code { _ = try VaultKeys(opening: [], with: root) } == .corrupt)
    }

    @Test(
        "A key for an unknown purpose, or an overlong one, is refused",
        arguments: [
            [0x41] + [UInt8](repeating: 3, count: 32), [0x44] + [UInt8](repeating: 3, count: 31),
        ])
    func purposes(plain: [UInt8]) throws {
        let root = try FormatSample.root()
        let rows = try VaultKeys.generate(for: root).rows
        let key = try FormatSample.vaultKey(3)
        #expect(
            FormatSample.code {
                let sealed = try FormatSample.seal(
                    plain, .ring, subject: key.id, generation: 0, with: root.wrap)
                _ = try VaultKeys(
                    opening: rows + [RingRow(keyID: key.id, sealed: sealed)], with: root)
            } == .corrupt)
    }

    @Test("A key under another key's name is refused, even when sealed for that name")
    func renamed() throws {
        let root = try FormatSample.root()
        let rows = try VaultKeys.generate(for: root).rows
        let key = try FormatSample.vaultKey(3)
        let plain = [0x44] + [UInt8](repeating: 4, count: 32)
        let sealed = try FormatSample.seal(
            plain, .ring, subject: key.id, generation: 0, with: root.wrap)
        #expect(
            FormatSample.code {
                _ = try VaultKeys(
                    opening: rows + [RingRow(keyID: key.id, sealed: sealed)], with: root)
            } == .corrupt)
    }

    @Test("Data keys are added, found by name and dropped")
    func rotation() throws {
        let root = try FormatSample.root()
        let ring = try VaultKeys.generate(for: root)
        let (two, new) = try ring.addingDataKey(root)
        let newID = new.id
        let oldID = try #require(ring.dataKeys.first).id
        #expect(two.dataKeys.count == 2 && two.rows.count == 4)
        #expect(FormatSample.dataKey(two, newID)?.id == newID)
        #expect(FormatSample.dataKey(two, oldID)?.id == oldID)
        #expect(FormatSample.dataKey(ring, newID) == nil)
        #expect(FormatSample.dataKey(two, Array(newID.prefix(15))) == nil)
        #expect(try two.itemID(for: FormatSample.itemKey) == ring.itemID(for: FormatSample.itemKey))
        let one = try two.keepingDataKeys([newID])
        #expect(one.dataKeys.map(\.id) == [newID])
        #expect(try VaultKeys(opening: one.rows, with: root).dataKeys.map(\.id) == [newID])
        #expect(FormatSample.code { _ = try two.keepingDataKeys([]) } == .corrupt)
    }

    @Test("Another root key changes the rows, not the keys")
    func rewrapped() throws {
        let ring = try VaultKeys.generate(for: FormatSample.root())
        let other = try FormatSample.root(8, epoch: 2)
        let rewrapped = try ring.sealed(for: other)
        #expect(rewrapped.rows.map(\.keyID) == ring.rows.map(\.keyID))
        #expect(rewrapped.rows != ring.rows)
        let read = try VaultKeys(opening: rewrapped.rows, with: other)
        #expect(
            try read.itemID(for: FormatSample.itemKey) == ring.itemID(for: FormatSample.itemKey))
    }

    @Test("At most 1,024 rows are accepted, checked before any is opened")
    func tooMany() throws {
        let root = try FormatSample.root()
        let row = try RingRow(
            keyID: [UInt8](repeating: 0, count: 16), sealed: [UInt8](repeating: 0, count: 73))
        let rows = [RingRow](repeating: row, count: 1025)
        let error = #expect(throws: StoreError.self) { try VaultKeys(opening: rows, with: root) }
        #expect(
            error?.code == .corrupt && error?.message.contains("1025 rows, more than 1024") == true)
    }

    @Test("Ids and groups depend on every part, and parts cannot run into each other")
    func names() throws {
        let ring = try VaultKeys.generate(for: FormatSample.root())
        let keys = [
            ItemKey(service: "ab", account: "c"), ItemKey(service: "a", account: "bc"),
            ItemKey(service: "ab", account: "c", itemClass: .token),
            ItemKey(service: "ab", account: "c", accessGroup: "g"),
            ItemKey(service: "ab", account: ""),
            ItemKey(service: "\u{e9}", account: ""), ItemKey(service: "e\u{301}", account: ""),
        ]
        #expect(try Set(keys.map { try ring.itemID(for: $0) }).count == keys.count)
        let groups = try [
            ring.group(service: "a", itemClass: .generic, accessGroup: ""),
            ring.group(service: "a", itemClass: .key, accessGroup: ""),
            ring.group(service: "a", itemClass: .generic, accessGroup: "a"),
            ring.group(service: "b", itemClass: .generic, accessGroup: ""),
        ]
        #expect(Set(groups).count == 4 && groups.allSatisfy { $0.count == 16 })
    }
}

@Suite("Vault format: sums")
struct AccumulatorTests {
    private func element(
        _ ring: VaultKeys, id: [UInt8] = FormatSample.itemID, generation: UInt64 = 7,
        meta: UInt8 = 1,
        value: UInt8 = 2
    ) throws -> Accumulator {
        let meta = [UInt8](repeating: meta, count: 16)
        let value = [UInt8](repeating: value, count: 16)
        return try ring.element(
            id: id.span, generation: generation, metadataTag: meta.span, valueTag: value.span)
    }

    private func bucketElement(_ ring: VaultKeys, _ number: UInt16, _ record: [UInt8]) throws
        -> Accumulator
    {
        try ring.bucketElement(number: number, record: record.span)
    }

    @Test("Adding and removing elements in any order leaves the empty set")
    func toggling() throws {
        let ring = try VaultKeys.generate(for: FormatSample.root())
        let elements = try (0..<20).map { try element(ring, generation: UInt64($0 + 1)) }
        var sum = Accumulator()
        for element in elements { sum.toggle(element) }
        #expect(sum != Accumulator())
        for element in elements.shuffled() { sum.toggle(element) }
        #expect(sum == Accumulator())
        #expect(sum.octets == [UInt8](repeating: 0, count: 32))
    }

    @Test("Every part of an element counts")
    func parts() throws {
        let ring = try VaultKeys.generate(for: FormatSample.root())
        let all = try [
            element(ring), element(ring, id: [UInt8](repeating: 0, count: 32)),
            element(ring, generation: 8),
            element(ring, meta: 2), element(ring, value: 1),
        ]
        #expect(Set(all.map(\.octets)).count == all.count)
        let buckets = try [(0, 1, 1), (1, 1, 1), (0, 2, 1), (0, 1, 2)].map { number, first, last in
            var record = [UInt8](repeating: 0, count: 84)
            record[7] = UInt8(first)
            record[83] = UInt8(last)
            return try bucketElement(ring, UInt16(number), record).octets
        }
        #expect(Set(buckets).count == buckets.count)
        let short = [UInt8](repeating: 0, count: 83)
        #expect(FormatSample.code { _ = try bucketElement(ring, 0, short) } == .corrupt)
    }

    @Test(
        "Sums keep their bytes, and any other length is refused",
        arguments: [0, 31, 33, 64])
    func octets(count: Int) throws {
        let octets = [UInt8](1...32)
        #expect(FormatSample.accumulator(octets)?.octets == octets)
        #expect(FormatSample.accumulator([UInt8](repeating: 1, count: count)) == nil)
    }

    /// Computed by Python's hmac: H(SK = 04 × 32, "I" ‖ id ‖ 7 ‖ 01 × 16 ‖ 02 × 16), and the bucket's.
    @Test("Sums match another implementation's")
    func knownAnswers() throws {
        let root = try FormatSample.root()
        let ring = try VaultKeys.known(
            names: FormatSample.key(3), sums: FormatSample.key(4), root: root)
        #expect(
            hex(try element(ring).octets)
                == "58cc7baf0a3394aeeaa47e4513b6481495bc932f1327e42edda0b1c0837c7aee")
        var record = [UInt8](repeating: 0xaa, count: 84)
        for index in 0..<8 { record[index] = UInt8(index) }
        #expect(
            hex(try bucketElement(ring, 0xabc, record).octets)
                == "930721bd861985ca30b9c111fa903e07559bf92e7fc0b2f284704036aaf18f56")
    }
}
