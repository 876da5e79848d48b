// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// The figures of all sizes, line by line, with the goals of issue 3 and whether this run reached them.
struct ScaleTable {
    struct Row {
        let title: String
        let cells: [String]
        var goal = ""
    }

    let results: [ScaleResult]

    var rows: [Row] { writing + batches + reading + listing + opening + whole }

    private var writing: [Row] {
        [
            row("Durable write of one item, replaced: median (p95)", .replace),
            row("the same rows in bare SQLite", .bareReplace),
            ratio("ratio of the medians", .replace, .bareReplace, atMost: 2),
            row("Durable write of one item, new: median (p95)", .add),
            row("the same rows in bare SQLite", .bareAdd),
            ratio("ratio of the medians", .add, .bareAdd, atMost: 2),
            processor("processor time of the one replaced", .replace),
            processor("the same in bare SQLite", .bareReplace),
            row("Durable removal of one item: median (p95)", .remove),
        ]
    }

    private var batches: [Row] {
        [
            rate("1 000 a transaction, new items", .batchAdd, atLeast: 10_000),
            rate("the same rows in bare SQLite", .bareBatchAdd),
            rate("1 000 a transaction, items replaced", .batchReplace, atLeast: 10_000),
            rate("the same rows in bare SQLite", .bareBatchReplace),
            processor("processor time an item", .batchReplace),
            processor("the same in bare SQLite", .bareBatchReplace),
        ]
    }

    private var reading: [Row] {
        let lazy = medians(.lazy)
        let large = results.filter { $0.itemCount >= 1000 }.compactMap { $0.times[.lazy]?.median }
        let growth = (large.max() ?? 0) / max(large.min() ?? 1, 1)
        return [
            row(
                "Read by key, lazy: median (p95)", .lazy,
                goal: verdict("≤ 40 µs", lazy.allSatisfy { $0 <= 40_000 })
                    + (large.count > 1
                        ? "; largest to smallest from 1 000 items on \(Figures.ratio(growth)), "
                            + verdict("≤ 2 ×", growth <= 2) : "")),
            row("the same rows from bare SQLite", .bareRead),
            row("Read by key, strict: median (p95)", .strict),
            row("\"Absent\", strict: median (p95)", .absent),
            row("Read by key, lazy, the first after a write", .lazyAfterWrite),
            row("Read by key, strict, the first after a write", .strictAfterWrite),
        ]
    }

    private var listing: [Row] {
        [
            row("List one service of up to 100 items, lazy", .listLazy),
            row("the same rows from bare SQLite", .bareList),
            row("List one service, strict", .listStrict),
        ]
    }

    private var opening: [Row] {
        [
            row(
                "Open and unlock, without KDF", .open,
                goal: verdict("≤ 5 ms", medians(.open).allSatisfy { $0 <= 5_000_000 })),
            row("the same and one read", .openAndRead),
            row("Exchange a key slot, without KDF", .slotExchange),
        ]
    }

    private var whole: [Row] {
        [
            row("Verify everything", .verify),
            Row(title: "File, closed", cells: results.map { Figures.size($0.vaultByteCount) }),
            Row(title: "the bare database's file", cells: results.map { Figures.size($0.bareByteCount) }),
            memory("Peak memory of a process: no vault", .nothing),
            memory("10 000 lazy reads and 100 lists", .read), memory("1 000 strict reads", .strict),
            memory("one transaction of 1 000 items", .batch), memory("verify", .verify),
        ]
    }

    private func medians(_ series: Series) -> [Double] { results.compactMap { $0.times[series]?.median } }

    private func verdict(_ goal: String, _ isReached: Bool) -> String {
        "\(goal): \(isReached ? "reached" : "missed")"
    }

    private func row(_ title: String, _ series: Series, goal: String = "") -> Row {
        Row(
            title: title,
            cells: results.map { result in
                guard let samples = result.times[series] else { return "" }
                let median = Figures.longTime(samples.median)
                return samples.count < 100 ? median : "\(median) (\(Figures.longTime(samples.percentile95)))"
            }, goal: goal)
    }

    private func processor(_ title: String, _ series: Series) -> Row {
        Row(
            title: title,
            cells: results.map { $0.processorTimes[series].map { Figures.longTime($0.median) } ?? "" })
    }

    private func ratio(_ title: String, _ series: Series, _ floor: Series, atMost limit: Double) -> Row {
        let ratios = results.map { result -> Double? in
            guard let own = result.times[series]?.median, let other = result.times[floor]?.median, other > 0
            else { return nil }
            return own / other
        }
        return Row(
            title: title, cells: ratios.map { $0.map(Figures.ratio) ?? "" },
            goal: verdict("≤ \(Figures.decimal(limit, 0)) ×", ratios.allSatisfy { ($0 ?? 0) <= limit }))
    }

    /// All transactions' items by all their time: the mean, so that checkpoints count.
    private func rate(_ title: String, _ series: Series, atLeast limit: Double? = nil) -> Row {
        let rates = results.map { result -> Double? in
            guard result.itemCount >= ScaleRun.batchCount, let mean = result.times[series]?.mean, mean > 0
            else { return nil }
            return 1e9 / mean
        }
        let goal = limit.map { limit in
            verdict("≥ \(Figures.grouped(Int(limit))) items/s", rates.allSatisfy { ($0 ?? limit) >= limit })
        }
        return Row(
            title: title, cells: rates.map { $0.map { "\(Figures.grouped(Int($0))) items/s" } ?? "" },
            goal: goal ?? "")
    }

    private func memory(_ title: String, _ work: MemoryProbe.Work) -> Row {
        Row(title: title, cells: results.map { $0.memory[work].map(Figures.size) ?? "" })
    }
}
