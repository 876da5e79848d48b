// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The command line. `make bench-vault` uses `--markdown` and nothing else.
struct Options {
    enum Format { case lines, markdown, json }

    var sizes = [1, 1000, 100_000, 1_000_000]
    var writes = 500
    var reads = 20_000
    var format = Format.lines
    /// On a disk, or "durable" means nothing: /var/tmp is one nearly everywhere, /tmp often is not.
    var folder = "/var/tmp"
    /// Leaves the files, for a profiler.
    var keepsFiles = false
    /// Set for the processes that the benchmark starts to measure memory in.
    var probe: MemoryProbe?

    static let help = """
        USAGE: vault-benchmarks [--items N,N,…] [--writes N] [--reads N] [--folder PATH] [--keep] [--json | --markdown]

          --items N,N,…  sizes of the vault, ascending (1,1000,100000,1000000)
          --writes N     durable writes at each size (500)
          --reads N      lazy reads at each size (20000); a tenth of it strict
          --folder PATH  where the files are made, and removed in the end: on a disk (/var/tmp)
          --keep         leave the files there; their folder's name is printed
          --json         print JSON
          --markdown     print the tables of Documentation/PERFORMANCE.md

        The whole takes about 5 minutes and 1.5 GB of disk.
        """

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--items": sizes = try Self.sizes(rest.popFirst())
            case "--writes": writes = try Self.number(argument, rest.popFirst(), 10...100_000)
            case "--reads": reads = try Self.number(argument, rest.popFirst(), 100...10_000_000)
            case "--folder": folder = try Self.value(argument, rest.popFirst())
            case "--keep": keepsFiles = true
            case "--json": format = .json
            case "--markdown": format = .markdown
            case "--memory-probe":
                probe = MemoryProbe(
                    work: try Self.value(argument, rest.popFirst()),
                    path: try Self.value(argument, rest.popFirst()),
                    count: try Self.number(argument, rest.popFirst(), 1...100_000_000))
            default: throw BenchmarkError.usage(Self.help)
            }
        }
    }

    private static func value(_ option: String, _ text: String?) throws -> String {
        guard let text else { throw BenchmarkError.usage("\(option) needs a value.\n\n\(help)") }
        return text
    }

    private static func number(_ option: String, _ text: String?, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(try value(option, text)), range.contains(number) else {
            throw BenchmarkError.usage(
                "\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func sizes(_ text: String?) throws -> [Int] {
        let sizes = try value("--items", text).split(separator: ",").map {
            try number("--items", String($0), 1...100_000_000)
        }
        guard !sizes.isEmpty, zip(sizes, sizes.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw BenchmarkError.usage("--items takes ascending numbers.")
        }
        return sizes
    }
}

enum BenchmarkError: Error {
    case usage(String)
    case setup(String)
    /// Who gave a wrong answer, and in what: then no figure of the run is worth anything.
    case wrongAnswer(String)
}
