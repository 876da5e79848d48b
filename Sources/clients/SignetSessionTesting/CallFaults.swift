// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession
internal import SignetVaultTesting

/// The failures that a test asked for.
struct CallFaults {
    struct Fault {
        let error: SessionError
        let moment: FaultyStore.Moment
        /// How many calls succeed before.
        var passes: Int
        /// Whether every call fails from then on.
        let isLasting: Bool
    }

    private var faults: [Fault] = []

    mutating func add(
        _ error: SessionError, moment: FaultyStore.Moment, passes: Int, isLasting: Bool
    ) {
        faults.append(Fault(error: error, moment: moment, passes: passes, isLasting: isLasting))
    }

    /// Counts a call.
    ///
    /// - Returns: the first failure that is due. Others that are due wait for the next call.
    mutating func next() -> Fault? {
        let due = faults.firstIndex { $0.passes == 0 }
        for index in faults.indices where faults[index].passes > 0 { faults[index].passes -= 1 }
        guard let due else { return nil }
        let fault = faults[due]
        if !fault.isLasting { faults.remove(at: due) }
        return fault
    }
}
