// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

@main
enum Main {
    private static let usage = """
        usage: signet-counts OPERATION COUNT      run one operation so often, for a profiler
               signet-counts list
               signet-counts instructions [PART]  under callgrind: Scripts/bench-check.sh
               signet-counts allocations [PART]   with CountAllocations preloaded: the same
               signet-counts growth [ROUNDS [MS]] how cost grows, as CSV: Scripts/bench-growth.sh
               signet-counts libcrypto            the version that is loaded
        """

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let workloads = Workload.all()
        let second = arguments.dropFirst().first
        let chosen = workloads.filter { second.map($0.name.contains) ?? true }
        switch arguments.first {
        case "list": for workload in workloads { print(workload.name) }
        case "libcrypto": print(CryptoProvider.libraryVersion)
        case "instructions": try Counter.instructions(chosen)
        case "allocations": try Counter.allocations(chosen)
        case "growth":
            let third = arguments.dropFirst(2).first
            try await GrowthCharts.print(
                rounds: second.flatMap { Int($0) } ?? 15, milliseconds: third.flatMap { Double($0) } ?? 10)
        case let name?:
            guard let workload = workloads.first(where: { $0.name == name }),
                let count = second.flatMap({ Int($0) })
            else { throw CountsError.usage(usage) }
            try workload.run(workload.prepare(), times: count)
        case nil: throw CountsError.usage(usage)
        }
    }
}
