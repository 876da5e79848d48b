// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("A salvage beside a page that cannot be read")
struct SalvageKeysTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("Each slot on another page still opens it")
    func slots() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        let methods = (0..<24).map { ExternalKeyUnlock.padded($0, byteCount: 600) }
        let slots = try methods.map { try vault.addSlot($0) }
        vault.close()
        let pages = try leaves(holding: slots)
        try #require(pages.count > 3, "\(pages)")
        for (page, lost) in pages {
            try withDamaged([page]) { path in
                for (index, method) in methods.enumerated() {
                    #expect(
                        VaultSalvage.isPossible(of: path, with: method) == !lost.contains(index),
                        "page \(page), slot \(index)")
                }
            }
        }
    }

    @Test("A slot whose octets go on on a damaged page does not hide those behind it")
    func overflow() throws {
        let vault = try folder.vault()
        let methods = (0..<5).map { ExternalKeyUnlock.padded($0, byteCount: 3_000) }
        let slots = try methods.map { try vault.addSlot($0) }
        vault.close()
        // The first and the last by id: whoever reads from either end meets one of them.
        let order = slots.indices.sorted { slots[$0].lexicographicallyPrecedes(slots[$1]) }
        let ends = [order[0], order[4]]
        let pages = try ends.map { try #require(try page(holding: ExternalKeyUnlock.end($0))) }
        try withDamaged(pages) { path in
            for (index, method) in methods.enumerated() {
                #expect(
                    VaultSalvage.isPossible(of: path, with: method) == !ends.contains(index),
                    "slot \(index) of \(order)")
            }
        }
    }

    @Test("Each key of the ring on another page is still found")
    func ring() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        vault.close()
        let keys = try octets("SELECT group_concat(hex(kid)) FROM ring")
        // As many rows as a ring may have, over all ids.
        let fillers = (0..<1_000).map {
            [UInt8($0 / 4), UInt8($0 % 4) << 6] + [UInt8](repeating: 0x5a, count: 14)
        }
        for first in stride(from: 0, to: fillers.count, by: 50) {
            let rows = fillers[first..<first + 50].map { "(x'\($0.hexadecimal)',zeroblob(73))" }
            try folder.tamper("vault", "INSERT INTO ring VALUES\(rows.joined(separator: ","))")
        }
        let pages = try leaves(holding: fillers + keys).filter { page in
            !page.rows.contains { $0 >= fillers.count }
        }
        try #require(pages.count > 1, "\(pages)")
        for (page, _) in pages {
            try withDamaged([page]) { path in
                let saved = folder.file("saved")
                let report = try VaultSalvage(
                    of: path, with: VaultFolder.key(1), to: saved, with: VaultFolder.key(3)
                ).run()
                #expect(report.savedCount == 1, "page \(page)")
                try FileManager.default.removeItem(atPath: saved)
            }
        }
    }

    @Test("Each item on another page is saved once")
    func items() throws {
        let vault = try folder.vault()
        let keys = (0..<120).map { ItemKey("\($0)") }
        try vault.put(keys.map { NewItem(key: $0, value: SecretValue($0.account)) })
        vault.close()
        let ids = try octets("SELECT group_concat(hex(id)) FROM item")
        // An index has more of them on a page.
        let pages = try leaves(holding: ids).filter { $0.rows.count < 30 }
        try #require(pages.count > 4, "\(pages)")
        for (page, lost) in pages {
            try withDamaged([page]) { path in
                let saved = folder.file("saved")
                let report = try VaultSalvage(
                    of: path, with: VaultFolder.key(1), to: saved, with: VaultFolder.key(1)
                ).run()
                #expect(report.savedCount == 120 - lost.count, "page \(page)")
                #expect(report.losses.contains { $0.place == "database" })
                try FileManager.default.removeItem(atPath: saved)
            }
        }
    }

    @Test(
        "Where a page has the octets of another one, or none, items elsewhere are saved once",
        .timeLimit(.minutes(20)))
    func exchanged() throws {
        let vault = try folder.vault()
        let keys = (0..<120).map { ItemKey("\($0)") }
        try vault.put(keys.map { NewItem(key: $0, value: SecretValue($0.account)) })
        vault.close()
        let ids = try octets("SELECT group_concat(hex(id)) FROM item")
        let pages = try leaves(holding: ids).filter { $0.rows.count < 30 }
        let first = try #require(pages.first).page
        let last = try #require(pages.last).page
        let others = try [first, last, #require(pages.dropFirst(2).first).page]
        for (page, lost) in pages {
            for other in others + [-1] where other != page {
                try withDamaged([page], like: other) { path in
                    let saved = folder.file("saved")
                    let report = try VaultSalvage(
                        of: path, with: VaultFolder.key(1), to: saved, with: VaultFolder.key(1)
                    ).run()
                    #expect(
                        report.savedCount == 120 - lost.count, "page \(page) like \(other)")
                    #expect(!report.losses.isEmpty)
                    try FileManager.default.removeItem(atPath: saved)
                }
            }
        }
    }

    @Test("A list of items without an end ends", .timeLimit(.minutes(20)))
    func endless() throws {
        let vault = try folder.vault()
        try vault.put((0..<120).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("v")) })
        vault.close()
        let root = try #require(
            try folder.number("SELECT rootpage FROM sqlite_schema WHERE name='item'"))
        let ids = try octets("SELECT group_concat(hex(id)) FROM item")
        let leaf = try #require(try leaves(holding: ids).first { $0.rows.count < 30 }).page
        var file = try Array(Data(contentsOf: URL(fileURLWithPath: folder.file())))
        let pageCount = file.count / 4096
        let level = Array(file[(Int(root) - 1) * 4096..<Int(root) * 4096])
        try #require(level[0] == 0x02)
        // Twelve levels, each with the same pages below all of its cells.
        for below in 1...12 {
            file += Self.level(level, above: below < 12 ? pageCount + 1 + below : leaf + 1)
        }
        file.replaceSubrange(
            (Int(root) - 1) * 4096..<Int(root) * 4096,
            with: Self.level(level, above: pageCount + 1))
        file.replaceSubrange(28..<32, with: Self.number(pageCount + 12))
        try Data(file).write(to: URL(fileURLWithPath: folder.file()))
        let report = try VaultSalvage(
            of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
            with: VaultFolder.key(1)
        ).run()
        #expect(report.savedCount > 0 && report.savedCount < 120)
        #expect(report.losses.contains { $0.place == "database" })
    }

    /// A page above others, each pointer of which is changed to one number.
    private static func level(_ page: [UInt8], above below: Int) -> [UInt8] {
        var page = page
        page.replaceSubrange(8..<12, with: number(below))
        for index in 0..<Int(page[3]) << 8 | Int(page[4]) {
            let cell = Int(page[12 + 2 * index]) << 8 | Int(page[13 + 2 * index])
            page.replaceSubrange(cell..<cell + 4, with: number(below))
        }
        return page
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The octets in a query's one text of hexadecimal digits with commas.
    private func octets(_ query: String) throws -> [[UInt8]] {
        let text = try #require(try folder.text(query))
        return text.split(separator: ",").map { bytes(String($0)) }
    }

    /// The pages with rows of a table without row ids, and which of the keys each has.
    private func leaves(holding keys: [[UInt8]]) throws -> [(page: Int, rows: [Int])] {
        let file = try Array(Data(contentsOf: URL(fileURLWithPath: folder.file())))
        return stride(from: 0, to: file.count, by: 4096).compactMap { start in
            // The first page has the file's header.
            guard start > 0, file[start] == 0x0a else { return nil }
            let page = Data(file[start..<start + 4096])
            let rows = keys.indices.filter { page.range(of: Data(keys[$0])) != nil }
            return rows.isEmpty ? nil : (start / 4096, rows)
        }
    }

    private func page(holding octets: [UInt8]) throws -> Int? {
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        return file.range(of: Data(octets)).map { $0.lowerBound / 4096 }
    }

    /// - Parameter other: the page whose octets these get; by default 0xff, for -1 zeros.
    private func withDamaged(
        _ pages: [Int], like other: Int? = nil, _ body: (String) throws -> Void
    ) throws {
        let path = folder.file("damaged")
        var file = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let octets =
            switch other {
            case nil: Data(repeating: 0xff, count: 4096)
            case -1: Data(count: 4096)
            case let other?: Data(file[other * 4096..<(other + 1) * 4096])
            }
        for page in pages {
            file.replaceSubrange(page * 4096..<(page + 1) * 4096, with: octets)
        }
        try file.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}

extension ExternalKeyUnlock {
    /// Keeps its key in the slot, before filler that ends with ``end(_:)``.
    fileprivate static func padded(_ index: Int, byteCount: Int) -> ExternalKeyUnlock {
        ExternalKeyUnlock(
            name: "key \(index)",
            wrap: { key in
                key.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
                    + [UInt8](repeating: 0x5a, count: byteCount) + end(index)
            },
            unwrap: { SecretKey(copying: Array($0.prefix(32))) })
    }

    fileprivate static func end(_ index: Int) -> [UInt8] {
        [UInt8](repeating: 0xe0 + UInt8(index), count: 16)
    }
}
