// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

@main struct VaultBenchmarks {
    private static let help = """
        USAGE: vault-benchmarks [--items N,N,…] [--folder PATH]

          --items N,N,…  sizes of the vault, ascending (1,1000,100000,1000000)
          --folder PATH  where the files are made, and removed in the end: on a disk, or "durable"
                         means nothing (/var/tmp)

        Prints a table in Markdown. The whole takes about 5 minutes and 1.5 GB of disk.
        """

    static func main() {
        do {
            try measure(Array(CommandLine.arguments.dropFirst()))
        } catch BenchmarkError.usage {
            Figures.progress(help)
            exit(2)
        } catch {
            Figures.progress("The benchmark failed: \(error)")
            exit(1)
        }
    }

    private static func measure(_ arguments: [String]) throws {
        // /tmp often is no disk; /var/tmp is one nearly everywhere.
        var sizes = [1, 1000, 100_000, 1_000_000]
        var folder = "/var/tmp"
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard arguments.indices.contains(index + 1) else { throw BenchmarkError.usage }
            let value = arguments[index + 1]
            switch arguments[index] {
            case "--items": sizes = value.split(separator: ",").map { Int($0) ?? 0 }
            case "--folder": folder = value
            default: throw BenchmarkError.usage
            }
        }
        guard let first = sizes.first, first > 0,
            zip(sizes, sizes.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw BenchmarkError.usage
        }
        let workplace = try Workplace(in: folder)
        defer { workplace.remove() }
        let run = try VaultRun(workplace)
        let results = try sizes.map(run.measure)
        print(
            "\(Environment.line()), SQLite \(BareDatabase.libraryVersion)\n\n\(VaultTable.text(results))"
        )
    }
}

enum BenchmarkError: Error {
    case usage
    case setup(String)
    /// Who gave a wrong answer, and in what: then no figure of the run is worth anything.
    case wrongAnswer(String)
}
