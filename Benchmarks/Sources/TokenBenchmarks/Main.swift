// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

@main struct TokenBenchmarks {
    private static let help = """
        USAGE: signet-benchmarks [--milliseconds N] [--rounds N] [--filter TEXT]

          --milliseconds N  how long each contender runs in each round (30)
          --rounds N        how many turns each contender has (15)
          --filter TEXT     only operations whose identifier contains TEXT, for example rs256 or
                            verify.id; several with commas between them

        Prints tables in Markdown, of which Documentation/PERFORMANCE.md shows a part.
        """

    /// Off the main actor: jwt-kit would pay a change of threads for each token there, which is not
    /// what we compare.
    static func main() async {
        exit(await Task.detached { await run() }.value)
    }

    private static func run() async -> Int32 {
        do {
            try await measure(Array(CommandLine.arguments.dropFirst()))
            return 0
        } catch BenchmarkError.usage {
            Figures.progress(help)
            return 2
        } catch {
            Figures.progress("The benchmark failed: \(error)")
            return 1
        }
    }

    private static func measure(_ arguments: [String]) async throws {
        var rounds = 15
        var milliseconds = 30
        var filter: [String] = []
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard arguments.indices.contains(index + 1) else { throw BenchmarkError.usage }
            let value = arguments[index + 1]
            switch (arguments[index], Int(value)) {
            case ("--rounds", let number?) where (1...1000).contains(number): rounds = number
            case ("--milliseconds", let number?) where (1...10_000).contains(number):
                milliseconds = number
            case ("--filter", _): filter = value.split(separator: ",").map(String.init)
            default: throw BenchmarkError.usage
            }
        }
        let runner = Runner(rounds: rounds, turn: .milliseconds(milliseconds))
        var measurements = [Measurement]()
        print(Environment.line())
        for (title, operations) in try await Catalogue.all() {
            var group = [Measurement]()
            for operation in operations
            where filter.isEmpty || filter.contains(where: operation.identifier.contains) {
                Figures.progress(operation.title)
                group.append(try await runner.measure(operation))
            }
            guard !group.isEmpty else { continue }
            print("\n### \(title)\n\n\(table(group))")
            measurements += group
        }
        print("\n### Guards\n\n\(Guard.table(measurements))")
    }

    private static func table(_ measurements: [Measurement]) -> String {
        let parties = Party.allCases.filter { party in
            measurements.contains { $0.time(party) != nil }
        }
        let peer = parties.first { $0 == .jwtKit || $0 == .swiftCrypto } ?? .libcrypto
        return Figures.table(
            ["Operation"] + parties.map(\.title) + [
                "\(peer.title) ÷ Signet", "Signet ÷ raw libcrypto",
            ],
            measurements.map { measurement in
                [measurement.operation.title]
                    + parties.map {
                        measurement.time($0).map { Figures.time($0.nanoseconds) } ?? ""
                    }
                    + [
                        measurement.ratio(peer, to: .signet),
                        measurement.ratio(.signet, to: .libcrypto),
                    ].map {
                        $0.map(Figures.ratio) ?? ""
                    }
            })
    }
}
