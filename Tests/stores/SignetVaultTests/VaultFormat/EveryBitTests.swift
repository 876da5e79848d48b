// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import Synchronization
import TestSupport
import Testing

/// A small vault with any bit changed, or cut off anywhere: reads are right, or fail.
@Suite("A vault with changed bits, or cut off", .serialized, .tags(.vaultBits, .sampled))
struct EveryBitTests {
    /// Few items, so that few octets are used.
    private static let source = "rooted"

    @Test("Cut off at any 512 bytes, no read is wrong")
    func truncation() throws {
        let octets = try Fixtures.good(Self.source)
        let probe = try Probe(Self.source)
        let lengths = Effort.cases(Array(stride(from: 0, to: octets.count, by: 512)), oneOf: 8)
        let counts = try probe.run(lengths, everything: true) { Array(octets.prefix($0)) }
        print("truncation: \(lengths.count) lengths, \(counts)")
        #expect(counts.wrong == [])
        #expect(counts.right == 0)
    }

    @Test("With one bit changed, no read is wrong")
    func bits() throws {
        try Self.change(Effort.cases(Self.positions(Fixtures.good(Self.source)), oneOf: 32))
    }

    /// One bit of each byte that is used or near one that is, and every 197th of the empty space.
    private static func positions(_ octets: [UInt8]) -> [Int] {
        (0..<octets.count * 8).filter { position in
            let place = position / 8
            let near = octets[max(0, place - 2)..<min(octets.count, place + 3)]
            return near.contains { $0 != 0 } ? position % 8 == place % 8 : position % 197 == 0
        }
    }

    fileprivate static func change(_ positions: [Int]) throws {
        let octets = try Fixtures.good(source)
        let counts = try Probe(source).run(positions, everything: false) { position in
            var changed = octets
            changed[position / 8] ^= 1 << UInt8(position % 8)
            return changed
        }
        print("bits: \(positions.count) of \(octets.count * 8) positions, \(counts)")
        #expect(counts.wrong == [])
        #expect(counts.noticed > 0)
    }
}

/// The same with each bit of the file, in four parts: SIGNET_QUARTER says which, all without it.
@Suite("A vault with any bit changed", .serialized, .tags(.everyBit))
struct EachBitTests {
    @Test("With any bit changed, no read is wrong")
    func bits() throws {
        let count = try Fixtures.good("rooted").count * 8
        let quarter = ProcessInfo.processInfo.environment["SIGNET_QUARTER"].flatMap(Int.init)
        try EveryBitTests.change((0..<count).filter { quarter == nil || $0 % 4 + 1 == quarter })
    }
}

/// Opens changed vaults on all cores and compares what they give with what is right.
private struct Probe: Sendable {
    struct Counts: CustomStringConvertible {
        var right = 0
        var noticed = 0
        /// Older than it was, or absent although it is there.
        var wrong: [String] = []

        var description: String { "\(right) right, \(noticed) noticed, \(wrong.count) wrong" }
    }

    private let values: [ItemKey: [UInt8]?]
    private let method: any UnlockMethod

    init(_ name: String) throws {
        let good = try Manifest.vault(name)
        values = good.values
        method = try #require(good.methods.first).method
    }

    func run(_ cases: [Int], everything: Bool, _ change: @escaping @Sendable (Int) -> [UInt8])
        throws
        -> Counts
    {
        let counts = Mutex(Counts())
        let threads = 2
        let folders = try (0..<threads).map { _ in try FixtureFolder() }
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for index in stride(from: thread, to: cases.count, by: threads) {
                let result = result(of: change(cases[index]), folders[thread], everything)
                counts.withLock {
                    switch result {
                    case .right: $0.right += 1
                    case .noticed: $0.noticed += 1
                    case .wrong(let what): $0.wrong.append("\(cases[index]): \(what)")
                    }
                }
            }
        }
        return counts.withLock { $0 }
    }

    private enum Result {
        case right
        case noticed
        case wrong(String)
    }

    /// A lazy read of each item; with `everything` also strict ones and a verification.
    private func result(of octets: [UInt8], _ folder: FixtureFolder, _ everything: Bool) -> Result {
        guard let path = try? folder.vault(octets) else { return .wrong("no file") }
        var noticed = false
        do {
            let vault = try openVault(path, method)
            for (key, value) in values {
                do {
                    let found = try vault.entry(key, level: .lazy)?.value.octets
                    // A lazy read does not notice that a row cannot be found.
                    if let found, found != value { return .wrong("\(key)") }
                    if found == nil, value != nil {
                        noticed = true
                        let strict = outcome { () throws(StoreError) -> String in
                            try vault.entry(key, level: .strict) == nil ? "absent" : "value"
                        }
                        if strict == "absent" { return .wrong("\(key) absent, by a strict read") }
                    }
                    if everything, try vault.entry(key, level: .strict)?.value.octets != value {
                        return .wrong("\(key), by a strict read")
                    }
                } catch { noticed = true }
            }
            if everything, try !vault.verify().isClean { noticed = true }
        } catch { noticed = true }
        return noticed ? .noticed : .right
    }
}
