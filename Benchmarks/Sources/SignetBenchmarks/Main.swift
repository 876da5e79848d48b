// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

@main struct SignetBenchmarks {
    /// Off the main actor: jwt-kit would pay a change of threads for each token there, which is not what we compare.
    static func main() async {
        let status = await Task.detached { await run() }.value
        exit(status)
    }

    private static func run() async -> Int32 {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let probe = options.probe {
                print(try await MemoryProbe(party: probe.party, token: probe.token).growth())
                return 0
            }
            try await measure(options)
            return 0
        } catch BenchmarkError.usage(let message) {
            FileHandle.standardError.write(Data((message + "\n").utf8))
            return 2
        } catch {
            FileHandle.standardError.write(Data("The benchmark failed: \(error)\n".utf8))
            return 1
        }
    }

    /// A machine that is disturbed all the time is measured as it is.
    private static let passCount = 6

    private static func measure(_ options: Options) async throws {
        let report = Report(format: options.format)
        report.begin(environment: Environment.current(), coexistence: try await Coexistence.proven())
        if !options.memoryOnly {
            let runner = Runner(rounds: options.rounds, turn: .milliseconds(options.milliseconds))
            let groups = try await Catalogue.all().map { group in
                (title: group.title, series: group.operations.filter(options.selects).map(Series.init))
            }
            // A disturbance can last for minutes: what it has met is gone back to when all others have had their turns.
            for pass in 0..<passCount {
                for series in groups.flatMap(\.series) where pass == 0 || !runner.isUndisturbed(series) {
                    try await runner.extend(series)
                    report.progress(runner.measurement(series))
                }
            }
            for group in groups where !group.series.isEmpty {
                report.add(group.title, group.series.map(runner.measurement))
            }
        }
        if options.memoryOnly || options.filter == nil { report.add(try MemoryMeasurement.all()) }
        report.end()
    }
}
