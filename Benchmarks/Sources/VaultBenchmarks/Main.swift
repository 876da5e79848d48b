// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

@main struct VaultBenchmarks {
    static func main() {
        exit(run())
    }

    private static func run() -> Int32 {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let probe = options.probe {
                print(try probe.peak())
                return 0
            }
            let workplace = try Workplace(in: options.folder)
            defer { if options.keepsFiles { workplace.tell() } else { workplace.remove() } }
            var results = [ScaleResult]()
            let run = try ScaleRun(options: options, workplace: workplace)
            for size in options.sizes { results.append(try run.measure(size)) }
            Report(results: results).show(options.format)
            return 0
        } catch BenchmarkError.usage(let message) {
            FileHandle.standardError.write(Data((message + "\n").utf8))
            return 2
        } catch {
            FileHandle.standardError.write(Data("The benchmark failed: \(error)\n".utf8))
            return 1
        }
    }
}
