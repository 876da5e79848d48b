// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// Which calls are to fail, and which there were.
struct FaultScript {
    struct Fault: Sendable {
        let code: StoreError.Code
        let moment: FaultyStore.Moment
        let matches: @Sendable (FaultyStore.Call) -> Bool
        /// Matching calls that pass before the first fails.
        var passes: Int
        /// Calls that fail then; nil for all.
        var failures: Int?

        var error: StoreError {
            StoreError(code, "A fault that a test asked for, \(moment) the call was made.")
        }
    }

    var faults: [Fault] = []
    var calls: [FaultyStore.Call] = []

    /// Notes a call and counts it for every fault.
    ///
    /// - Returns: the first fault that it meets.
    mutating func note(_ call: FaultyStore.Call) -> Fault? {
        calls.append(call)
        var met: Fault?
        for index in faults.indices where faults[index].matches(call) {
            guard faults[index].passes == 0 else {
                faults[index].passes -= 1
                continue
            }
            guard met == nil, faults[index].failures != 0 else { continue }
            met = faults[index]
            faults[index].failures = faults[index].failures.map { $0 - 1 }
        }
        return met
    }
}
