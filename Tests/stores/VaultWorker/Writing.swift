// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault

/// Writes its own items, each with an increasing number, and reports each number once the vault has
/// kept it.
struct Writing {
    let vault: FileVault
    let name: String
    /// By how many bytes each value is longer.
    let byteCount: Int
    var generator: Numbers

    init(_ arguments: [String]) throws {
        vault = try FileVault.open(at: arguments[1], options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: arguments[2]))
        name = arguments[3]
        byteCount = arguments.count > 5 ? Int(arguments[5]) ?? 0 : 0
        generator = Numbers(state: UInt64(arguments[4]) ?? 1)
    }

    func run() throws {
        var generator = generator
        var counters = [Int](repeating: 0, count: 8)
        // A process that follows a killed one continues where that one stopped.
        for slot in counters.indices {
            counters[slot] =
                try vault.read { try $0.get(key(slot)) }.map { try number(of: $0) } ?? 0
        }
        Line.write("ready")
        while true {
            let slot = Int(generator.next() % 8)
            switch generator.next() % 8 {
            case 0:
                // Several at once: all of them or none.
                let slots = [slot, (slot + 1) % 8, (slot + 2) % 8]
                let next = slots.map { counters[$0] + 1 }
                Line.write("try " + zip(slots, next).map { "\($0)=\($1)" }.joined(separator: " "))
                try vault.write { writer in
                    for (slot, number) in zip(slots, next) {
                        try writer.set(value(number), for: key(slot))
                    }
                }
                for (slot, number) in zip(slots, next) { counters[slot] = number }
                Line.write("kept " + zip(slots, next).map { "\($0)=\($1)" }.joined(separator: " "))
            case 1:
                let scratch = ItemKey(service: "scratch", account: name)
                try vault.write { try $0.set(value(counters[slot]), for: scratch) }
                try vault.write { try $0.remove(scratch) }
            default:
                let next = counters[slot] + 1
                Line.write("try \(slot)=\(next)")
                try vault.write { try $0.set(value(next), for: key(slot)) }
                counters[slot] = next
                Line.write("kept \(slot)=\(next)")
            }
        }
    }

    private func key(_ slot: Int) -> ItemKey {
        ItemKey(service: "crash", account: "\(name)-\(slot)")
    }

    /// The number and a tail whose length depends on it, so that a torn value would show.
    private func value(_ number: Int) -> SecretValue {
        SecretValue("\(number) " + String(repeating: "x", count: byteCount + number * 37 % 900))
    }

    private func number(of value: SecretValue) throws -> Int {
        Int(try value.string().prefix { $0 != " " }) ?? 0
    }

    struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
