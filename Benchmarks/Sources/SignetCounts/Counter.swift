// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CCounting

/// Runs workloads so that what counts from outside (valgrind) or from beside (a preloaded library)
/// sees the operation alone: after some that warm caches, N and then 2N, whose difference is N
/// times the operation and nothing else.
enum Counter {
    /// One dump each, named "NAME 1" and "NAME 2", and a line with what N was.
    static func instructions(_ workloads: [Workload]) throws {
        guard counting_is_callgrind() != 0 else {
            throw CountsError(
                description:
                    "this is for valgrind --tool=callgrind (Scripts/bench-check.sh), with its headers "
                    + "installed"
            )
        }
        for workload in workloads {
            let operation = try workload.prepare()
            try workload.run(operation, times: 8)
            counting_start()
            // Callgrind has just thrown away its translations; what runs now is seen in full.
            try workload.run(operation, times: 2)
            counting_zero()
            try workload.run(operation, times: workload.iterations)
            unsafe counting_dump("\(workload.name) 1")
            try workload.run(operation, times: 2 * workload.iterations)
            unsafe counting_dump("\(workload.name) 2")
            // Always stopped in between: callgrind forgets calls that it never saw return, and
            // counts them nowhere.
            counting_stop()
            print(workload.name, workload.iterations)
        }
    }

    /// A line: the name, N, allocations of N more operations outside libcrypto, inside.
    ///
    /// A process counts one workload. How far an array grows depends on the free pieces of memory
    /// that earlier workloads left, and random signatures leave different ones each time.
    static func allocations(of workload: Workload) throws {
        let operation = try workload.prepare()
        try workload.run(operation, times: 8)
        let count = workload.allocationIterations
        let start = try Allocations.now()
        try workload.run(operation, times: count)
        let middle = try Allocations.now()
        try workload.run(operation, times: 2 * count)
        let end = try Allocations.now()
        let others = (end.others - middle.others) - (middle.others - start.others)
        let libcrypto = (end.libcrypto - middle.libcrypto) - (middle.libcrypto - start.libcrypto)
        print(workload.name, count, others, libcrypto)
    }

    private struct Allocations {
        var others = 0
        var libcrypto = 0

        static func now() throws -> Allocations {
            var others: UInt64 = 0
            var libcrypto: UInt64 = 0
            guard unsafe counting_allocations(&others, &libcrypto) != 0 else {
                throw CountsError(
                    description: "CountAllocations is not preloaded (Scripts/bench-check.sh)")
            }
            return Allocations(others: Int(others), libcrypto: Int(libcrypto))
        }
    }
}
