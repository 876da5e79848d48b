// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import SignetVault

/// One vault that grows from size to size, and the bare database beside it. Where both do the same,
/// they take turns call by call or batch by batch, so that a busy neighbour meets both. The vault
/// is strict: each write proves its buckets first.
final class VaultRun {
    private static let batchCount = 1000

    private let workplace: Workplace
    private var vault: FileVault?
    private let bare: BareDatabase
    private var count = 0
    private var random = SplitMix(state: 1)
    private var writing = 0

    init(_ workplace: Workplace) throws {
        self.workplace = workplace
        vault = try FileVault.create(at: workplace.vault, with: FixedKey())
        bare = try BareDatabase(path: workplace.bare)
    }

    func measure(_ size: Int) throws -> Stopwatch {
        var watch = Stopwatch(itemCount: size)
        Figures.progress("\(size) items: batches")
        try grow(to: size, &watch)
        vault = nil
        try bare.checkpoint()
        watch.vaultByteCount = try Workplace.byteCount(workplace.vault)
        watch.bareByteCount = try Workplace.byteCount(workplace.bare)
        Figures.progress("first batches")
        if count >= Self.batchCount { for _ in 0..<5 { try firstBatch(&watch) } }
        vault = try open()
        Figures.progress("writes, reads, lists")
        try write(&watch)
        try read(&watch)
        try list(&watch)
        // Nothing has it open from here on: the first to open it pays for everything.
        vault = nil
        for _ in 0..<50 { try watch.time(.open) { keep(try open()) } }
        vault = try open()
        Figures.progress("verify")
        try verify(&watch)
        return watch
    }

    private func open() throws -> FileVault {
        let vault = try FileVault.open(at: workplace.vault)
        try vault.unlock(with: FixedKey())
        return vault
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
            // A few items are no transaction of a thousand.
            if size < Self.batchCount {
                try vault.write { writer in for item in items { try writer.put(item) } }
                try bare.write(indices)
            } else {
                try alternately(
                    {
                        try watch.time(.batchAdd, count: items.count) {
                            try vault.write { writer in for item in items { try writer.put(item) } }
                        }
                    },
                    {
                        try watch.time(.bareBatchAdd, count: items.count) {
                            try bare.write(indices)
                        }
                    })
            }
            count = indices.upperBound
        }
        guard size >= Self.batchCount else { return }
        for _ in 0..<40 {
            let (indices, items) = replacements()
            try alternately(
                {
                    try watch.time(.batchReplace, count: items.count) {
                        try vault.write { writer in for item in items { try writer.put(item) } }
                    }
                },
                {
                    try watch.time(.bareBatchReplace, count: items.count) {
                        try bare.write(indices)
                    }
                })
        }
    }

    /// The first write after opening.
    private func firstBatch(_ watch: inout Stopwatch) throws {
        let vault = try open()
        let (_, items) = replacements()
        try watch.time(.firstBatch, count: items.count) {
            try vault.write { writer in for item in items { try writer.put(item) } }
        }
    }

    private func replacements() -> (indices: Set<Int>, items: [NewItem]) {
        var indices = Set<Int>()
        while indices.count < Self.batchCount { indices.insert(index()) }
        writing += 1
        return (indices, indices.map { Population.item($0, writing: writing) })
    }

    private func write(_ watch: inout Stopwatch) throws {
        let vault = try opened
        // Until both logs have grown to the length at which they are used again: before, each sync
        // also has a longer file to note, which takes about as long as the sync itself.
        for _ in 0..<600 {
            let index = index()
            try vault.write { try $0.set(Population.value(index), for: Population.key(index)) }
            try bare.write(CollectionOfOne(index))
        }
        for _ in 0..<500 {
            let index = index()
            writing += 1
            let key = Population.key(index)
            let value = Population.value(index, writing: writing)
            try alternately(
                { try watch.time(.replace) { try vault.write { try $0.set(value, for: key) } } },
                { try watch.time(.bareReplace) { try bare.write(CollectionOfOne(index)) } })
        }
        let more = count..<count + 250
        for index in more {
            let key = Population.key(index)
            let value = Population.value(index)
            try alternately(
                { try watch.time(.add) { try vault.write { try $0.set(value, for: key) } } },
                { try watch.time(.bareAdd) { try bare.write(CollectionOfOne(index)) } })
        }
        for index in more {
            guard try vault.write({ try $0.remove(Population.key(index)) }) else {
                throw BenchmarkError.wrongAnswer("remove")
            }
        }
        try bare.delete(more)
    }

    private func read(_ watch: inout Stopwatch) throws {
        let vault = try opened
        for round in 0..<200 {
            let indices = (0..<100).map { _ in index() }
            try alternately(
                {
                    for index in indices { try watch.time(.lazy) { try read(vault, index, .lazy) } }
                },
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
    }

    private func read(_ vault: FileVault, _ index: Int, _ level: ReadLevel) throws {
        guard let entry = try vault.read({ try $0.entry(Population.key(index), level: level) }),
            Population.isValue(entry.value, of: index)
        else { throw BenchmarkError.wrongAnswer("a \(level) read") }
    }

    private func list(_ watch: inout Stopwatch) throws {
        let vault = try opened
        let expected = min(count, Population.itemsPerService)
        func check(_ found: Int) throws {
            guard found == expected else { throw BenchmarkError.wrongAnswer("a list") }
        }
        for _ in 0..<200 {
            let index = index()
            let service = Population.service(index)
            try alternately(
                {
                    try watch.time(.list) {
                        try check(vault.read { try $0.unprovenList(service: service) }.count)
                    }
                },
                { try watch.time(.bareList) { try check(bare.list(serviceOf: index)) } })
        }
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
}
