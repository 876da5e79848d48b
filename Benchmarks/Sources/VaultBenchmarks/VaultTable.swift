// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// The figures of all sizes, line by line.
enum VaultTable {
    static func text(_ results: [Stopwatch]) -> String {
        func row(_ title: String, _ cell: (Stopwatch) -> String?) -> [String] {
            [title] + results.map { cell($0) ?? "" }
        }
        func times(_ title: String, _ series: Series) -> [String] {
            row(title) { result in
                let slow = result.percentile95(series).map { " (\(Figures.time($0)))" } ?? ""
                return result.median(series).map { Figures.time($0) + slow }
            }
        }
        func ratio(_ series: Series, _ floor: Series) -> [String] {
            row("ratio of the medians") { result in
                guard let own = result.median(series), let bare = result.median(floor) else {
                    return nil
                }
                return Figures.ratio(own / bare)
            }
        }
        func rate(_ title: String, _ series: Series) -> [String] {
            row(title) { result in
                result.mean(series).map { "\(Figures.grouped(Int(1e9 / $0))) items/s" }
            }
        }
        return Figures.table(
            ["Median (95th percentile) at so many items"]
                + results.map { Figures.grouped($0.itemCount) },
            [
                times("Durable write of one item, replaced", .replace),
                times("the same rows in bare SQLite", .bareReplace), ratio(.replace, .bareReplace),
                times("Durable write of one item, new", .add),
                times("the same rows in bare SQLite", .bareAdd), ratio(.add, .bareAdd),
                rate("1,000 a transaction, new items", .batchAdd),
                rate("the same rows in bare SQLite", .bareBatchAdd),
                rate("1,000 a transaction, items replaced", .batchReplace),
                rate("the same rows in bare SQLite", .bareBatchReplace),
                rate("the first of them after opening", .firstBatch),
                times("Read by key, lazy", .lazy),
                times("the same rows from bare SQLite", .bareRead),
                times("Read by key, strict", .strict), times("\"Absent\", strict", .absent),
                times("List one service of up to 100 items, lazy", .list),
                times("the same rows from bare SQLite", .bareList),
                times("Open and unlock, without KDF", .open), times("Verify everything", .verify),
                row("File, closed") { Figures.size($0.vaultByteCount) },
                row("the bare database's file") { Figures.size($0.bareByteCount) },
            ])
    }
}
