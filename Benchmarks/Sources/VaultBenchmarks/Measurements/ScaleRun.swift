// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import SignetVault

/// One vault that grows from size to size, and the bare database beside it. Where both do the same, they take turns call by call
/// or batch by batch, so that a busy neighbour meets both.
final class ScaleRun {
    static let batchCount = 1000

    private let options: Options
    private let workplace: Workplace
    private var vault: FileVault?
    private let bare: BareDatabase
    private var count = 0
    private var random = SplitMix(state: 1)
    private var writing = 0

    init(options: Options, workplace: Workplace) throws {
        self.options = options
        self.workplace = workplace
        var vaultOptions = VaultOptions()
        vaultOptions.readLevel = .lazy
        vault = try FileVault.create(at: workplace.vault, with: FixedKey(), options: vaultOptions)
        bare = try BareDatabase(path: workplace.bare)
    }

    static func open(_ path: String, _ level: ReadLevel) throws -> FileVault {
        var options = VaultOptions()
        options.readLevel = level
        let vault = try FileVault.open(at: path, options: options)
        try vault.unlock(with: FixedKey())
        return vault
    }

    func measure(_ size: Int) throws -> ScaleResult {
        var result = ScaleResult(itemCount: size)
        var watch = Stopwatch()
        try step("\(size) items: batches") { try grow(to: size, &watch) }
        vault = nil
        try bare.checkpoint()
        result.vaultByteCount = try Workplace.byteCount(workplace.vault)
        result.bareByteCount = try Workplace.byteCount(workplace.bare)
        vault = try Self.open(workplace.vault, .lazy)
        try step("durable writes") { try write(&watch) }
        try step("reads") { try read(&watch) }
        try step("lists") { try list(&watch) }
        // Nobody has it open from here on: the first to open it pays for everything.
        vault = nil
        try step("open") { try open(&watch) }
        try step("memory") {
            for work in MemoryProbe.Work.allCases {
                result.memory[work] = try MemoryProbe.measure(work, path: workplace.vault, count: size)
            }
        }
        vault = try Self.open(workplace.vault, .lazy)
        try step("slots") { try exchangeSlot(&watch) }
        try step("verify") { try verify(&watch) }
        watch.record(in: &result)
        return result
    }

    private var opened: FileVault {
        get throws {
            guard let vault else { throw BenchmarkError.setup("the vault is closed") }
            return vault
        }
    }

    private func index() -> Int { Int.random(in: 0..<count, using: &random) }

    private func alternately(_ first: () throws -> Void, _ second: () throws -> Void) rethrows {
        if Bool.random(using: &random) {
            try first()
            try second()
        } else {
            try second()
            try first()
        }
    }

    private func grow(to size: Int, _ watch: inout Stopwatch) throws {
        let vault = try opened
        while count < size {
            let indices = count..<min(count + Self.batchCount, size)
            let items = indices.map { Population.item($0) }
            try alternately(
                {
                    try watch.timeWriting(.batchAdd, count: items.count) {
                        try vault.write { writer in for item in items { try writer.put(item) } }
                    }
                },
                { try watch.timeWriting(.bareBatchAdd, count: items.count) { try bare.write(indices) } })
            count = indices.upperBound
        }
        guard size >= Self.batchCount else { return }
        for _ in 0..<40 {
            var indices = Set<Int>()
            while indices.count < Self.batchCount { indices.insert(index()) }
            writing += 1
            let items = indices.map { Population.item($0, writing: writing) }
            try alternately(
                {
                    try watch.timeWriting(.batchReplace, count: items.count) {
                        try vault.write { writer in for item in items { try writer.put(item) } }
                    }
                },
                { try watch.timeWriting(.bareBatchReplace, count: items.count) { try bare.write(indices) } })
        }
    }

    private func write(_ watch: inout Stopwatch) throws {
        let vault = try opened
        // Until both logs have grown to the length at which they are used again: before, each sync also has a longer file
        // to note, which takes about as long as the sync itself.
        for _ in 0..<600 {
            let index = index()
            try vault.write { try $0.set(Population.value(index), for: Population.key(index)) }
            try bare.write(CollectionOfOne(index))
        }
        for _ in 0..<options.writes {
            let index = index()
            writing += 1
            let (key, value) = (Population.key(index), Population.value(index, writing: writing))
            try alternately(
                { try watch.timeWriting(.replace) { try vault.write { try $0.set(value, for: key) } } },
                { try watch.timeWriting(.bareReplace) { try bare.write(CollectionOfOne(index)) } })
        }
        let more = count..<count + options.writes / 2
        for index in more {
            let (key, value) = (Population.key(index), Population.value(index))
            try alternately(
                { try watch.timeWriting(.add) { try vault.write { try $0.set(value, for: key) } } },
                { try watch.timeWriting(.bareAdd) { try bare.write(CollectionOfOne(index)) } })
        }
        for index in more {
            try watch.timeWriting(.remove) {
                guard try vault.write({ try $0.remove(Population.key(index)) }) else {
                    throw BenchmarkError.wrongAnswer("remove")
                }
            }
        }
        try bare.delete(more)
    }

    private func read(_ watch: inout Stopwatch) throws {
        let vault = try opened
        for round in 0..<options.reads / 100 {
            let indices = (0..<100).map { _ in index() }
            try alternately(
                { for index in indices { try watch.time(.lazy) { try read(vault, index, .lazy) } } },
                { for index in indices { try watch.time(.bareRead) { try bare.read(index) } } })
            guard round.isMultiple(of: 10) else { continue }
            for index in indices { try watch.time(.strict) { try read(vault, index, .strict) } }
            for index in indices {
                let key = Population.absentKey(index)
                try watch.time(.absent) {
                    guard try vault.read({ try $0.entry(key, level: .strict) }) == nil else {
                        throw BenchmarkError.wrongAnswer("an absent item")
                    }
                }
            }
        }
        // What another process's write would cost too: what is cached and proved is of the state before.
        for round in 0..<100 {
            let index = index()
            let value = Population.value(index, writing: writing)
            try vault.write { try $0.set(value, for: Population.key(index)) }
            if round.isMultiple(of: 2) {
                try watch.time(.lazyAfterWrite) { try read(vault, index, .lazy) }
            } else {
                try watch.time(.strictAfterWrite) { try read(vault, index, .strict) }
            }
        }
    }

    private func read(_ vault: FileVault, _ index: Int, _ level: ReadLevel) throws {
        guard let entry = try vault.read({ try $0.entry(Population.key(index), level: level) }),
            Population.isValue(entry.value, of: index)
        else { throw BenchmarkError.wrongAnswer("a \(level) read") }
    }

    private func list(_ watch: inout Stopwatch) throws {
        let (vault, strict) = (try opened, try Self.open(workplace.vault, .strict))
        let expected = min(count, Population.itemsPerService)
        func check(_ found: Int) throws {
            guard found == expected else { throw BenchmarkError.wrongAnswer("a list") }
        }
        for _ in 0..<200 {
            let index = index()
            let service = Population.service(index)
            try alternately(
                {
                    try watch.time(.listLazy) {
                        try check(vault.read { try $0.list(service: service) }.count)
                    }
                },
                { try watch.time(.bareList) { try check(bare.list(serviceOf: index)) } })
        }
        for _ in 0..<(count > 10_000 ? 2 : 20) {
            let service = Population.service(index())
            try watch.time(.listStrict) {
                try check(strict.read { try $0.list(service: service) }.count)
            }
        }
    }

    private func open(_ watch: inout Stopwatch) throws {
        for _ in 0..<50 {
            let index = index()
            try watch.time(.open) { keep(try Self.open(workplace.vault, .strict)) }
            try watch.time(.openAndRead) {
                try read(try Self.open(workplace.vault, .strict), index, .strict)
            }
        }
    }

    private func exchangeSlot(_ watch: inout Stopwatch) throws {
        let vault = try opened
        var id = try vault.addSlot(FixedKey())
        for _ in 0..<50 {
            try watch.time(.slotExchange) { id = try vault.replaceSlot(id: id, with: FixedKey()) }
        }
        try vault.removeSlot(id: id)
    }

    private func verify(_ watch: inout Stopwatch) throws {
        let vault = try opened
        for _ in 0..<(count > 10_000 ? 2 : 10) {
            try watch.time(.verify) {
                let report = try vault.verify()
                guard report.isClean, report.itemCount == count, report.valueCount == count else {
                    throw BenchmarkError.wrongAnswer("verify")
                }
            }
        }
    }

    private func step(_ title: String, _ body: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try body()
        let seconds = (ContinuousClock.now - start).nanoseconds / 1e9
        FileHandle.standardError.write(Data("\(title): \(Figures.decimal(seconds, 1)) s\n".utf8))
    }
}
