// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

@main
enum Main {
    private static let usage = """
        usage: signet-counts OPERATION COUNT         run one operation so often, for a profiler
               signet-counts list
               signet-counts instructions            under callgrind: Scripts/bench-check.sh
               signet-counts allocations OPERATION   with CountAllocations preloaded: the same
               signet-counts libcrypto               the version that is loaded
        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let workloads = Workload.all()
        switch (arguments.first, arguments.dropFirst().first) {
        case ("list", nil): for workload in workloads { print(workload.name) }
        case ("libcrypto", nil): print(CryptoProvider.libraryVersion)
        case ("instructions", nil): try Counter.instructions(workloads)
        case ("allocations", let name?):
            try Counter.allocations(of: workload(named: name, in: workloads))
        case (let name?, let count?):
            guard let count = Int(count) else { throw CountsError(description: usage) }
            let workload = try workload(named: name, in: workloads)
            try workload.run(workload.prepare(), times: count)
        default: throw CountsError(description: usage)
        }
    }

    private static func workload(named name: String, in workloads: [Workload]) throws -> Workload {
        guard let workload = workloads.first(where: { $0.name == name }) else {
            throw CountsError(description: usage)
        }
        return workload
    }
}

/// Why there are no counts.
struct CountsError: Error, CustomStringConvertible {
    let description: String
}
