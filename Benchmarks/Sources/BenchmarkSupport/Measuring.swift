// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc

package func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
        ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

extension Duration {
    package var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
    }
}

/// The processor time of the process, in which neither waiting nor other processes' turns count; in
/// steps of a microsecond.
package func processorTime() -> Duration {
    .microseconds(Int64(clock()) * 1_000_000 / Int64(CLOCKS_PER_SEC))
}

/// How often a thread of the process has given up the processor to wait.
package func voluntarySwitches() -> Int {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_nvcsw
}

/// Makes the optimiser believe that the value is needed.
@inline(never)
@_optimize(none)
package func keep<Value>(_ value: Value) {}
