// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The command line. `make bench` uses `--markdown` and nothing else.
struct Options {
    enum Format { case lines, markdown, json }

    var milliseconds = 30
    var rounds = 15
    var filter: String?
    var format = Format.lines
    var memoryOnly = false
    /// Set by the memory measurement for the process that it starts.
    var probe: (party: String, token: String)?

    static let help = """
        USAGE: signet-benchmarks [--milliseconds N] [--rounds N] [--filter TEXT] [--json | --markdown] [--memory]

          --milliseconds N  how long each contender runs in each round (30)
          --rounds N        how many turns of each contender count (15)
          --filter TEXT     only operations whose identifier contains TEXT, for example rs256 or verify.id; several
                            with commas between them
          --json            print JSON
          --markdown        print the tables of Documentation/PERFORMANCE.md
          --memory          measure only what refusing a hostile token of 10 MB costs
        """

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--milliseconds": milliseconds = try Self.number(argument, rest.popFirst(), 1...10_000)
            case "--rounds": rounds = try Self.number(argument, rest.popFirst(), 1...1000)
            case "--filter": filter = try Self.value(argument, rest.popFirst())
            case "--json": format = .json
            case "--markdown": format = .markdown
            case "--memory": memoryOnly = true
            case "--memory-probe":
                probe = (try Self.value(argument, rest.popFirst()), try Self.value(argument, rest.popFirst()))
            default: throw BenchmarkError.usage(Self.help)
            }
        }
    }

    func selects(_ operation: Operation) -> Bool {
        guard let filter else { return true }
        return filter.split(separator: ",").contains { operation.identifier.contains($0) }
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
}
