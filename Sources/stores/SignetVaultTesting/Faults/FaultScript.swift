// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// The calls that should fail, and the calls that were made.
struct FaultScript {
    struct Fault: Sendable {
        let code: StoreError.Code
        let moment: FaultyStore.Moment
        let matches: @Sendable (FaultyStore.Call) -> Bool
        /// How many matching calls succeed before the first failure.
        var passes: Int
        /// How many matching calls fail then; nil for all.
        var failures: Int?

        var error: StoreError {
            StoreError(code, "This call fails \(shown: "\(moment)") its work, as a test asked.")
        }
    }

    var faults: [Fault] = []
    var calls: [FaultyStore.Call] = []

    /// Notes a call and counts it for every fault.
    ///
    /// - Returns: the first fault that applies to it.
    mutating func note(_ call: FaultyStore.Call) -> Fault? {
        calls.append(call)
        var applied: Fault?
        for index in faults.indices where faults[index].matches(call) {
            guard faults[index].passes == 0 else {
                faults[index].passes -= 1
                continue
            }
            // One fault is enough for a call. The others wait for the next.
            guard applied == nil, faults[index].failures != 0 else { continue }
            applied = faults[index]
            faults[index].failures = faults[index].failures.map { $0 - 1 }
        }
        return applied
    }
}
